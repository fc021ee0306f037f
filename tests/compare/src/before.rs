//! The three stages as they were in an older checkout, and as they are here: what a change
//! costs. `cargo compare --before DIR`.
//!
//! Both versions are built with the same command, and crawl the same site in turn: before,
//! after, before, after. So whatever else the machine does hits both. So do the benchmarks
//! of stage 3's executor, each in its own version.

mod executor;

use crate::counter::Counter;
use crate::crawlers::{Crawler, OURS};
use crate::jobs::Job;
use crate::numbers::{failed_to, grouped};
use crate::programs::{self, Programs};
use crate::results::{Compared, Results, Row, Spread};
use crate::run::Run;
use crate::table::{aligned, errors, markdown};
use executor::Executors;
use std::path::Path;
use std::process::{Command, Stdio};

/// Each stage twice: as it was, and as it is.
pub const CRAWLERS: [Crawler; 6] = [
    stage("stage 1 before", "before/stage1-callbacks"),
    stage("stage 1 after", "after/stage1-callbacks"),
    stage("stage 2 before", "before/stage2-generators"),
    stage("stage 2 after", "after/stage2-generators"),
    stage("stage 3 before", "before/stage3-async"),
    stage("stage 3 after", "after/stage3-async"),
];

const STAGES: [&str; 3] = ["stage1-callbacks", "stage2-generators", "stage3-async"];

/// The step that prints how much memory a parked task takes.
const PARKED: &str = "ch27_ten_thousand";

const EXPLAINED: &str = "\
Medians of all rounds, and how far the middle half of the rounds is from them. after/before:
of what is measured, the median of the rounds' ratios, and their middle half; of what is
counted once (system calls, instructions), the ratio. –: this system does not say, or the
counter is not installed (perf or strace; valgrind). The last column of the last table is the
ratio of an executor that is the same in both: as far as it is from 1, the machine changed.
";

const fn stage(name: &'static str, program: &'static str) -> Crawler {
    Crawler { name, program, arguments: OURS }
}

/// Builds the stages of the checkout in `folder` and those of this one, by the names that
/// `CRAWLERS` has.
///
/// # Errors
/// The folder is no checkout of this project, or a version cannot be built.
pub fn build(folder: &Path) -> Result<Programs, String> {
    let manifest = folder.join("stage3-async/Cargo.toml");
    let manifest = manifest.canonicalize().map_err(|error| {
        format!("no checkout of this project: {}: {error}", manifest.display())
    })?;
    let folder = manifest.ancestors().nth(2).expect("it is two folders down");
    // The same command for both, so that their libraries have the same features.
    let mut arguments = vec!["--bins", "--example", PARKED];
    arguments.extend(STAGES.iter().flat_map(|stage| ["--package", stage]));
    let example = format!("examples/{PARKED}");
    let names = || STAGES.into_iter().chain([&*example]);
    let before = programs::build(folder, &folder.join("target"), &arguments, names())?;
    let after =
        programs::build(step::root(), &programs::target(), &arguments, names())?;
    let versions = [
        ("before", folder, folder.join("target"), before),
        ("after", step::root(), programs::target(), after),
    ];
    let mut programs = Programs::new();
    for (version, folder, target, built) in versions {
        let bench = executor::build(folder, &target)?;
        let bench = bench.map(|path| (executor::BENCH.to_string(), path));
        let all = built.into_iter().chain(bench);
        programs.extend(all.map(|(name, path)| (format!("{version}/{name}"), path)));
    }
    Ok(programs)
}

/// What stage 3 costs beside its crawls: the memory of a parked task, and the time of an
/// executor's operations.
pub struct Tasks {
    /// Bytes before and after.
    parked: [Option<Spread>; 2],
    /// `None` if the older version has no such benchmark.
    executors: Option<Executors>,
}

impl Tasks {
    /// Runs the step that prints the memory, and the benchmark of the executor, in both
    /// versions in turn.
    ///
    /// # Errors
    /// A program was not built, or does not run.
    pub fn measure(programs: &Programs, rounds: usize) -> Result<Tasks, String> {
        let bench = |version| programs.get(&format!("{version}/{}", executor::BENCH));
        let executors = match (bench("before"), bench("after")) {
            (Some(before), Some(after)) => {
                Some(executor::run([before, after], rounds)?)
            }
            _ => None,
        };
        Ok(Tasks { parked: parked(programs, rounds)?, executors })
    }
}

/// The memory of a parked task in bytes, before and after: medians of this many runs of
/// the step that prints it.
fn parked(programs: &Programs, runs: usize) -> Result<[Option<Spread>; 2], String> {
    let mut bytes = [Vec::new(), Vec::new()];
    for _ in 0..runs {
        for (version, bytes) in ["before", "after"].iter().zip(&mut bytes) {
            let name = format!("{version}/{PARKED}");
            let program = programs.get(&name).ok_or(format!("{name} was not built"))?;
            bytes.extend(parked_once(program)?);
        }
    }
    Ok(bytes.map(Spread::of))
}

fn parked_once(program: &Path) -> Result<Option<f64>, String> {
    let output = Command::new(program).stdin(Stdio::null()).output();
    let output = output.map_err(failed_to("run it"))?;
    Ok(read_parked(&String::from_utf8_lossy(&output.stdout)))
}

/// The step prints kilobytes of a thousand tasks, which are about as many bytes of one.
fn read_parked(text: &str) -> Option<f64> {
    const LINE: &str = "with all that is kept of them: ";
    let number = text.lines().find_map(|line| line.trim().strip_prefix(LINE))?;
    let kilobytes: f64 = number.strip_suffix(" KB")?.parse().ok()?;
    Some(kilobytes * 1024.0 / 1000.0)
}

/// A table for each job, with the figures of each stage, before and after.
pub fn tables(results: &Results, tasks: &Tasks) -> String {
    let mut text = format!("{}\n\n{EXPLAINED}", results.machine);
    for job in &results.jobs {
        let table = table(job);
        text.push_str(&format!("\n## {}\n\n{table}\n", job.job.title));
        text.push_str(&errors(job));
    }
    let parked = tasks.parked.map(|it| it.map_or("–".to_string(), with_spread));
    let [before, after] = parked;
    let executors = match &tasks.executors {
        Some(executors) => executors.table(),
        None => "The older version has no benchmark of the executor.".to_string(),
    };
    text + &format!(
        "\n## Tasks\n\nA parked task of stage 3: {before} bytes before, {after} after.\n\
         \n{executors}\n"
    )
}

fn table(compared: &Compared) -> String {
    let head = ["", "figure", "before", "after", "after/before"];
    let mut table = markdown(&head, 2);
    let row = |crawler: &Crawler| {
        compared.rows.iter().find(|row| row.crawler == crawler.name)
    };
    for pair in CRAWLERS.chunks(2) {
        let (Some(before), Some(after)) = (row(&pair[0]), row(&pair[1])) else {
            continue;
        };
        let mut stage = before.crawler.strip_suffix(" before").unwrap_or_default();
        for [figure, before, after, ratio] in lines(&compared.job, before, after) {
            table.add_row([stage, &figure, &before, &after, &ratio]);
            stage = "";
        }
    }
    aligned(&table.to_string(), 2)
}

/// A line of a table: what it is about, before, after, and the ratio.
type Line = [String; 4];

fn lines(job: &Job, before: &Row, after: &Row) -> Vec<Line> {
    let (pages, mib) = (job.pages as f64, f64::from(1 << 20));
    let cpu = |run: &Run| Some(run.used.usage?.cpu.as_secs_f64() * 1e6 / pages);
    let rate = |run: &Run| Some(pages / run.used.time.as_secs_f64());
    let memory = |run: &Run| Some(run.used.usage?.memory as f64 / mib);
    let counted = |counter: Counter, of: fn(&Row) -> Option<f64>| {
        once(format!("{} of a page", counter.unit()), of(before), of(after))
    };
    vec![
        measured("processor time of a page, µs", before, after, cpu),
        counted(Counter::Callgrind, |row| row.instructions_per_page),
        counted(Counter::Strace, |row| row.calls_per_page),
        measured("pages in a second", before, after, rate),
        measured("memory, MiB", before, after, memory),
    ]
}

/// A figure of each round.
fn measured(
    name: &str,
    before: &Row,
    after: &Row,
    figure: impl Fn(&Run) -> Option<f64>,
) -> Line {
    let of = |row: &Row| Spread::of(row.runs.iter().filter_map(&figure));
    let rounds = before.runs.iter().zip(&after.runs);
    let ratios = rounds.filter_map(|(before, after)| {
        let ratio = figure(after)? / figure(before)?;
        ratio.is_finite().then_some(ratio)
    });
    let ratio = Spread::of(ratios).map(with_range);
    let [old, new] = [of(before), of(after)].map(|it| it.map(with_spread));
    let cells = [Some(name.to_string()), old, new, ratio];
    cells.map(|cell| cell.unwrap_or("–".to_string()))
}

/// A figure that was counted once.
fn once(name: String, before: Option<f64>, after: Option<f64>) -> Line {
    let ratio =
        before.zip(after).map(|(before, after)| format!("{:.3}", after / before));
    let cells = [Some(name), before.map(number), after.map(number), ratio];
    cells.map(|cell| cell.unwrap_or("–".to_string()))
}

fn with_spread(spread: Spread) -> String {
    format!("{} ±{:.0} %", number(spread.median), spread.percent())
}

/// A ratio, and the middle half of the rounds' ratios.
fn with_range(Spread { median, low, high }: Spread) -> String {
    format!("{median:.3} ({low:.3} to {high:.3})")
}

fn number(value: f64) -> String {
    if value < 100.0 { format!("{value:.1}") } else { grouped(value) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::{Size, jobs};
    use crate::usage::Usage;
    use crate::{Seen, Used};
    use std::time::Duration;

    fn run(millis: u64) -> Run {
        let time = Duration::from_millis(millis);
        let usage = Some(Usage { cpu: time / 10, memory: 3 << 20 });
        let (has_succeeded, was_late, threads) = (true, false, None);
        let used = Used { time, has_succeeded, was_late, usage, threads };
        let (requests, connections, most_connections, cpu) = (30, 10, None, None);
        Run { used, site: Seen { requests, connections, most_connections, cpu } }
    }

    fn row(crawler: &'static str, millis: [u64; 3], calls: Option<f64>) -> Row {
        let runs = millis.map(run).to_vec();
        Row { crawler, runs, calls_per_page: calls, ..Row::default() }
    }

    #[test]
    fn each_round_has_its_own_ratio_so_that_a_busy_machine_does_not_decide() {
        let job = jobs(Size::Tiny, 100).swap_remove(0);
        // Twice as slow each time, though the machine was busy in the second round.
        let before = row("stage 1 before", [30, 300, 33], Some(8.0));
        let after = row("stage 1 after", [60, 600, 66], Some(10.0));
        let lines = lines(&job, &before, &after);
        assert_eq!(lines[0][3], "2.000 (2.000 to 2.000)");
        assert_eq!(lines[1], ["instructions of a page", "–", "–", "–"]);
        assert_eq!(lines[2], ["system calls of a page", "8.0", "10.0", "1.250"]);
        assert_eq!(lines[3][3], "0.500 (0.500 to 0.500)");
        assert_eq!(lines[4][1..3], ["3.0 ±0 %", "3.0 ±0 %"]);
        let table = table(&Compared { job, rows: vec![before, after] });
        assert!(table.contains("| stage 1 | processor time of a page, µs "), "{table}");
        assert!(!table.contains("stage 2"), "{table}");
    }

    #[test]
    fn the_memory_of_a_parked_task_is_read_from_what_the_step_prints() {
        let text = "10000 tasks sleep\n  with all that is kept of them: 1000 KB\n";
        assert_eq!(read_parked(text), Some(1024.0));
        assert_eq!(read_parked("  all their memory is only read on Linux\n"), None);
    }

    #[test]
    fn only_a_checkout_of_this_project_can_be_built() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = build(folder.path()).expect_err("it is empty");
        assert!(error.starts_with("no checkout of this project: "), "{error}");
    }
}
