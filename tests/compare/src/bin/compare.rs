//! `cargo compare`: our three crawlers beside four others, or beside an older version of
//! themselves, in one go on one machine.

use clap::Parser;
use compare::counter::Counter;
use compare::crawlers::{self, CRAWLERS, Crawler};
use compare::jobs::{
    Job, Size, jobs, jobs_of_manual, most_connections, names_of_manual,
};
use compare::manual::{self, Manual};
use compare::results::{Plan, Results};
use compare::run::Runner;
use compare::{before, nginx, plot, programs, table};
use indicatif::{ProgressBar, ProgressStyle};
use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Rounds of each job when two versions are compared: they differ by little.
const ROUNDS_BEFORE: usize = 15;

/// Sets the three crawlers beside four others: pages a second, processor time, memory.
///
/// Takes some twenty minutes; leave the machine alone meanwhile. Progress is on standard
/// error.
#[derive(Parser)]
#[command(bin_name = "cargo compare")]
struct Options {
    /// Less of everything: within three minutes, once all is built
    #[arg(long)]
    quick: bool,
    /// Only to see whether it works; the numbers mean nothing
    #[arg(long, hide = true, conflicts_with = "quick")]
    tiny: bool,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
    /// Write the plots there [default: compare/ in cargo's target folder]
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Only draw the plots, from tables that were printed before
    #[arg(long, value_name = "FILE")]
    draw: Option<PathBuf>,
    /// Only these jobs: fast-kept, fast-closed, slow-10, slow-100, slow-1000, crowd,
    /// manual-10, manual-100 (may be repeated)
    #[arg(long = "job", value_name = "NAME")]
    jobs: Vec<String>,
    /// What the last two jobs crawl: a folder of HTML with an index.html [default:
    /// PostgreSQL's manual, where Debian's package `postgresql-doc` has it]
    #[arg(long, value_name = "DIR")]
    manual: Option<PathBuf>,
    /// Only crawlers with this in their name (may be repeated)
    #[arg(long = "crawler", value_name = "TEXT")]
    crawlers: Vec<String>,
    /// So many rounds for each job
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Instead of the four others, take the three crawlers of an older checkout: what a
    /// change costs, in 15 rounds unless --rounds says otherwise
    #[arg(long, value_name = "DIR", conflicts_with = "plots")]
    before: Option<PathBuf>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let compared = match (&options.before, &options.draw) {
        (_, Some(file)) => draw_again(&options, file).map(|()| false),
        (Some(folder), _) => compare_before(&options, folder),
        _ => compare(&options),
    };
    match compared {
        Ok(has_errors) => ExitCode::from(u8::from(has_errors)),
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

type Failure = Box<dyn Error + Send + Sync>;

/// Whether any crawler has failed.
type Compared = Result<bool, Failure>;

/// Our crawlers and the others.
fn compare(options: &Options) -> Compared {
    let plan = plan(options, CRAWLERS.to_vec())?;
    let results = run(&plan, &Runner::new(crawlers::build()?)?);
    print(options, &results, table::tables)?;
    draw(options, &table::tables(&results))?;
    Ok(results.has_errors())
}

/// The plots of tables in a file.
fn draw_again(options: &Options, file: &Path) -> Result<(), Failure> {
    let tables = std::fs::read_to_string(file)
        .map_err(|error| format!("{}: {error}", file.display()))?;
    match draw(options, &tables)? {
        0 => Err(format!("{}: there is no table to draw", file.display()).into()),
        _ => Ok(()),
    }
}

/// Returns how many plots there are.
fn draw(options: &Options, tables: &str) -> io::Result<usize> {
    let pictures = plot::draw(tables, &plots(options))?;
    for picture in &pictures {
        eprintln!("drawn: {}", picture.display());
    }
    Ok(pictures.len())
}

/// Our crawlers, and what they were in that folder.
fn compare_before(options: &Options, folder: &Path) -> Compared {
    let mut plan = plan(options, before::CRAWLERS.to_vec())?;
    plan.jobs.iter_mut().for_each(Job::count_instructions);
    if options.rounds.is_none() && size(options) == Size::Full {
        plan.jobs.iter_mut().for_each(|job| job.rounds = ROUNDS_BEFORE);
    }
    let mut programs = before::build(folder)?;
    let rounds = plan.jobs.iter().map(|job| job.rounds).max().unwrap_or_default();
    let tasks = before::Tasks::measure(&programs, rounds)?;
    programs.extend(crawlers::build_tools()?);
    let results = run(&plan, &Runner::new(programs)?);
    print(options, &results, |results| before::tables(results, &tasks))?;
    Ok(results.has_errors())
}

/// Those that work here. Says which are missing.
fn counters() -> Vec<Counter> {
    let (calls, instructions) = (Counter::of_calls(), Counter::of_instructions());
    if calls.is_none() {
        eprintln!("system calls are not counted: that takes perf or strace");
    }
    if instructions.is_none() {
        eprintln!("instructions are not counted: that takes valgrind");
    }
    calls.into_iter().chain(instructions).collect()
}

fn run(plan: &Plan, runner: &Runner) -> Results {
    let progress = Progress::new(plan.crawls());
    let results = plan.run(runner, |job, round, crawler| {
        progress.tell(job, round, crawler.name);
    });
    progress.bar.finish_and_clear();
    results
}

fn print(
    options: &Options,
    results: &Results,
    tables: impl FnOnce(&Results) -> String,
) -> io::Result<()> {
    let text = match options.json {
        true => serde_json::to_string_pretty(&results)? + "\n",
        false => tables(results),
    };
    io::stdout().write_all(text.as_bytes())
}

fn size(options: &Options) -> Size {
    match (options.tiny, options.quick) {
        (true, _) => Size::Tiny,
        (_, true) => Size::Quick,
        _ => Size::Full,
    }
}

/// What is to be done, by those of these crawlers that were asked for.
fn plan(options: &Options, mut crawlers: Vec<Crawler>) -> Result<Plan, String> {
    let mut jobs = jobs(size(options), most_connections());
    let of_manual = names_of_manual();
    let is_wanted = |name: &String| of_manual.iter().any(|it| it == name);
    let wants_manual = options.jobs.is_empty() || options.jobs.iter().any(is_wanted);
    match wants_manual.then(|| find_manual(options)).transpose() {
        Ok(None) => {}
        Ok(Some(manual)) => jobs.extend(jobs_of_manual(size(options), &manual)),
        Err(why) if options.manual.is_some() => return Err(why),
        Err(why) => eprintln!("without {}: {why}", of_manual.join(" and ")),
    }
    if let Some(unknown) = options.jobs.iter().find(|name| !has(&jobs, name)) {
        let names: Vec<_> = jobs.iter().map(|job| job.name.as_str()).collect();
        return Err(format!("no job {unknown}; there are {}", names.join(", ")));
    }
    jobs.retain(|job| options.jobs.is_empty() || options.jobs.contains(&job.name));
    if let Some(rounds) = options.rounds {
        jobs.iter_mut().for_each(|job| job.rounds = rounds as usize);
    }
    let texts = &options.crawlers;
    crawlers.retain(|it| {
        texts.is_empty() || texts.iter().any(|text| it.name.contains(text))
    });
    match crawlers.is_empty() {
        true => Err("no crawler has that in its name".to_string()),
        false => Ok(Plan { crawlers, jobs, counters: counters() }),
    }
}

/// The manual to be crawled, or why none can be.
fn find_manual(options: &Options) -> Result<Manual, String> {
    let folder = match &options.manual {
        Some(folder) => folder.clone(),
        None if options.tiny => return Err("a smoke test names its own".to_string()),
        None => manual::installed()
            .ok_or("there is no PostgreSQL manual (Debian's postgresql-doc)")?,
    };
    let manual = Manual::read(&folder)?;
    nginx::find().ok_or("nginx is not installed")?;
    Ok(manual)
}

fn has(jobs: &[Job], name: &str) -> bool {
    jobs.iter().any(|job| job.name == name)
}

fn plots(options: &Options) -> PathBuf {
    options.plots.clone().unwrap_or(programs::target().join("compare"))
}

/// How far it is, on standard error: a bar on a terminal, else a line for each round.
struct Progress {
    bar: ProgressBar,
}

impl Progress {
    fn new(crawls: usize) -> Progress {
        let bar = ProgressBar::new(crawls as u64);
        let style =
            ProgressStyle::with_template("{wide_msg} {bar:20} {pos}/{len} {eta}");
        bar.set_style(style.expect("a good template"));
        Progress { bar }
    }

    fn tell(&self, job: &Job, round: &str, crawler: &str) {
        let message = format!("{}, {round}: {crawler}", job.name);
        if !io::stderr().is_terminal() {
            let (done, all) = (self.bar.position() + 1, self.bar.length().unwrap_or(0));
            eprintln!("{done}/{all} {message}");
        }
        self.bar.set_message(message);
        self.bar.inc(1);
    }
}
