//! The three crawlers over the simulated system: the program that a page runs.
//!
//! The name of the program (`argv[0]`) is that of a step, or the crawler's:
//! `stage1-callbacks`, `stage2-generators` or `stage3-async`. Its arguments are those of the crawler, and what
//! it prints is what the crawler prints. The simulation is set by the environment:
//!
//! | variable | what it is |
//! |---|---|
//! | `SIM_SITE` | the script of the network (`sites/src/script.rs`); else the demo site |
//! | `SIM_CHOICES` | what happens next, each time that the crawler sleeps: `0 2 1` |
//! | `SIM_THEN` | after the last choice: `time` (the default), or `interrupt`, Ctrl-C |
//! | `SIM_LOG` | the file for what happens in the system, as lines of JSON |

use demo_answers::Demo;
use shared::{Options, Program, Report, Stop};
use simulated_os::{Order, Then};
use sites::Script;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs, io};

/// How long a connection to the demo site takes.
const LATENCY: Duration = Duration::from_millis(1);

type Crawl = fn(&Options, &Stop) -> io::Result<Report>;

const CRAWLERS: [(Program, Crawl); 3] = [
    (stage1_callbacks::PROGRAM, stage1_callbacks::crawl),
    (stage2_generators::PROGRAM, stage2_generators::crawl),
    (stage3_async::PROGRAM, stage3_async::crawl),
];

fn main() -> ExitCode {
    if let Some(code) = steps::run(&name()) {
        return code;
    }
    match prepare() {
        Ok((program, crawl)) => shared::program::run(&program, |options, stop| {
            let report = crawl(options, stop);
            write_log()?;
            report
        }),
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

/// Installs the world that the environment describes, and returns what runs in it.
fn prepare() -> Result<(Program, Crawl), String> {
    let name = name();
    let known = CRAWLERS.into_iter().find(|(program, _)| program.name == name);
    let crawler = known.ok_or(format!("{name}: not a crawler"))?;
    match variable("SIM_SITE") {
        Some(script) => simulated_os::install(Script::parse(&script)?, order()?),
        None => simulated_os::install(Demo::new(None, LATENCY), order()?),
    }
    Ok(crawler)
}

fn name() -> String {
    env::args().next().unwrap_or_default()
}

fn order() -> Result<Order, String> {
    let Some(choices) = variable("SIM_CHOICES") else { return Ok(Order::InTime) };
    let parse = |word: &str| word.parse().map_err(|_| format!("{word}: not a choice"));
    let choices = choices.split_whitespace().map(parse).collect::<Result<_, _>>()?;
    let then = match variable("SIM_THEN").as_deref() {
        None | Some("time") => Then::InTime,
        Some("interrupt") => Then::Interrupt,
        Some(other) => return Err(format!("{other}: neither time nor interrupt")),
    };
    Ok(Order::Chosen(choices, then))
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok()
}

fn write_log() -> io::Result<()> {
    let Some(file) = variable("SIM_LOG") else { return Ok(()) };
    let mut text = String::new();
    for happened in simulated_os::log() {
        writeln!(text, "{happened}").expect("a string takes everything");
    }
    fs::write(file, text)
}
