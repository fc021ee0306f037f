//! The three crawlers over the simulated system: the program that a page runs.
//!
//! The name of the program (`argv[0]`) is that of a step, or the crawler's:
//! `stage1-callbacks`, `stage2-generators` or `stage3-async`. Its arguments are those of the crawler, and what
//! it prints is what the crawler prints. The simulation is set by the environment:
//!
//! | variable | what it is |
//! |---|---|
//! | `SIM_SITE` | the script of the network (`sites/src/script.rs`); else the demo site |
//! | `SIM_CHOICES` | what happens next, each time that the program sleeps: `0 2 1`. `0!`: the connection is refused or reset instead. `0+`: the program sleeps on until the next choice has happened, too |
//! | `SIM_THEN` | after the last choice: `time` (the default), `interrupt`, Ctrl-C, or `fail`, which ends a step |
//! | `SIM_LOG` | the file for what happens in the system, as lines of JSON |
//!
//! With `SIM_SITE`, the demo site of a step is this script, too.

use demo_answers::Demo;
use shared::{Options, Program, Report, Stop};
use simulated_os::{Order, Pick, Then};
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
    if let Some(code) = run_step() {
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

/// Runs the step of this name, if there is one: in a world of its own, or in the one that the
/// environment describes.
fn run_step() -> Option<ExitCode> {
    let installed = variable("SIM_SITE").map_or(Ok(()), |script| install(&script));
    if let Err(why) = installed {
        eprintln!("error: {why}");
        return Some(ExitCode::from(2));
    }
    let code = steps::run(&name())?;
    Some(write_log().map_or(ExitCode::FAILURE, |()| code))
}

/// Installs the world that the environment describes, and returns what runs in it.
fn prepare() -> Result<(Program, Crawl), String> {
    let name = name();
    let known = CRAWLERS.into_iter().find(|(program, _)| program.name == name);
    let crawler = known.ok_or(format!("{name}: not a crawler"))?;
    match variable("SIM_SITE") {
        Some(script) => install(&script)?,
        None => simulated_os::install(Demo::new(None, LATENCY), order()?),
    }
    Ok(crawler)
}

fn install(script: &str) -> Result<(), String> {
    simulated_os::install(Script::parse(script)?, order()?);
    Ok(())
}

fn name() -> String {
    env::args().next().unwrap_or_default()
}

fn order() -> Result<Order, String> {
    let Some(choices) = variable("SIM_CHOICES") else { return Ok(Order::InTime) };
    let choices = choices.split_whitespace().map(pick).collect::<Result<_, _>>()?;
    let then = match variable("SIM_THEN").as_deref() {
        None | Some("time") => Then::InTime,
        Some("interrupt") => Then::Interrupt,
        Some("fail") => Then::Fail,
        Some(other) => return Err(format!("{other}: not time, interrupt or fail")),
    };
    Ok(Order::Chosen(choices, then))
}

/// `2`, `2!`, `2+` or `2!+`.
fn pick(word: &str) -> Result<Pick, String> {
    let (rest, sleeps_on) =
        word.strip_suffix('+').map_or((word, false), |it| (it, true));
    let (index, fails) = rest.strip_suffix('!').map_or((rest, false), |it| (it, true));
    let index = index.parse().map_err(|_| format!("{word}: not a choice"))?;
    Ok(Pick { index, fails, sleeps_on })
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
