//! `cargo compare`: our three crawlers beside four others, in one go on one machine.

use clap::Parser;
use conformance::compare::calls::Counter;
use conformance::compare::crawlers::{self, CRAWLERS};
use conformance::compare::jobs::{Job, Size, jobs};
use conformance::compare::results::{Plan, Results};
use conformance::compare::run::Runner;
use conformance::compare::{plot, table};
use indicatif::{ProgressBar, ProgressStyle};
use std::env;
use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Descriptors that a process needs besides those for connections.
const OTHER_FILES: u64 = 100;

/// Sets the three crawlers beside four others: pages a second, processor time, memory.
///
/// Takes some twelve minutes; leave the machine alone meanwhile. Progress is on standard
/// error.
#[derive(Parser)]
#[command(bin_name = "cargo compare")]
struct Options {
    /// Less of everything: within a minute, once all is built
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
    /// Only these jobs: fast-kept, fast-closed, slow-10, slow-100, slow-1000, crowd (may
    /// be repeated)
    #[arg(long = "job", value_name = "NAME")]
    jobs: Vec<String>,
    /// Only crawlers with this in their name (may be repeated)
    #[arg(long = "crawler", value_name = "TEXT")]
    crawlers: Vec<String>,
    /// So many rounds for each job
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match compare(&options) {
        Ok(results) => ExitCode::from(u8::from(results.has_errors())),
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

fn compare(options: &Options) -> Result<Results, Box<dyn Error + Send + Sync>> {
    let plan = plan(options)?;
    let runner = Runner::new(crawlers::build()?)?;
    let progress = Progress::new(plan.crawls());
    let results = plan.run(&runner, |job, round, crawler| {
        progress.tell(job, round, crawler.name);
    });
    progress.bar.finish_and_clear();
    let text = match options.json {
        true => serde_json::to_string_pretty(&results)? + "\n",
        false => table::tables(&results),
    };
    io::stdout().write_all(text.as_bytes())?;
    for picture in plot::draw(&results, &plots(options)?)? {
        eprintln!("drawn: {}", picture.display());
    }
    Ok(results)
}

fn plan(options: &Options) -> Result<Plan, String> {
    let size = match (options.tiny, options.quick) {
        (true, _) => Size::Tiny,
        (_, true) => Size::Quick,
        _ => Size::Full,
    };
    // Crawlers and site have the same limit.
    let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(u64::from(u16::MAX));
    let most = usize::try_from(files.saturating_sub(OTHER_FILES)).unwrap_or(usize::MAX);
    let mut jobs = jobs(size, most);
    if let Some(unknown) = options.jobs.iter().find(|name| !has(&jobs, name)) {
        let names: Vec<_> = jobs.iter().map(|job| job.name.as_str()).collect();
        return Err(format!("no job {unknown}; there are {}", names.join(", ")));
    }
    jobs.retain(|job| options.jobs.is_empty() || options.jobs.contains(&job.name));
    for (job, rounds) in jobs.iter_mut().zip(options.rounds.into_iter().cycle()) {
        job.rounds = rounds as usize;
    }
    let mut crawlers = CRAWLERS.to_vec();
    let texts = &options.crawlers;
    crawlers.retain(|it| {
        texts.is_empty() || texts.iter().any(|text| it.name.contains(text))
    });
    match crawlers.is_empty() {
        true => Err("no crawler has that in its name".to_string()),
        false => Ok(Plan { crawlers, jobs, counter: Counter::find() }),
    }
}

fn has(jobs: &[Job], name: &str) -> bool {
    jobs.iter().any(|job| job.name == name)
}

fn plots(options: &Options) -> io::Result<PathBuf> {
    let me = env::current_exe()?; // target/release/compare
    let target = me.ancestors().nth(2).unwrap_or(&me);
    Ok(options.plots.clone().unwrap_or(target.join("compare")))
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

    fn tell(&self, job: &Job, round: usize, crawler: &str) {
        let round = match round {
            0 => "system calls".to_string(),
            round => format!("round {round} of {}", job.rounds),
        };
        let message = format!("{}, {round}: {crawler}", job.name);
        if !io::stderr().is_terminal() {
            let (done, all) = (self.bar.position() + 1, self.bar.length().unwrap_or(0));
            eprintln!("{done}/{all} {message}");
        }
        self.bar.set_message(message);
        self.bar.inc(1);
    }
}
