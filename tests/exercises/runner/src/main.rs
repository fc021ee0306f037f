//! `cargo exercise`, at the command line.
#![forbid(unsafe_code)]

use clap::{Args, CommandFactory, Parser, Subcommand};
use runner::capstone;
use runner::commands::{
    Desk, grade, learn, list, mutate, prove, prove_capstones, puzzles, review, watch,
};
use runner::day::Day;
use runner::{holes, material};
use std::ffi::OsString;
use std::io::stdin;
use std::path::PathBuf;
use std::process::ExitCode;

/// Exercises for the book, with a check for each. Without a command: the next exercise.
#[derive(Parser)]
#[command(name = "cargo exercise", bin_name = "cargo exercise", max_term_width = 88)]
struct Arguments {
    /// Where your files are [default: tests/exercises/checks/src/bin]
    #[arg(long, global = true, value_name = "DIR")]
    answers: Option<PathBuf>,
    /// How many seconds a case may take before it counts as hanging
    #[arg(long, global = true, value_name = "N")]
    seconds: Option<u64>,
    /// How much of a file that is made now is left to you: 1 little, 3 all but the
    /// signatures [default: 2]
    #[arg(long, global = true, value_name = "N", value_parser = levels())]
    level: Option<u8>,
    #[command(subcommand)]
    command: Option<Command>,
}

fn levels() -> clap::builder::RangedI64ValueParser<u8> {
    let (first, last) = holes::LEVELS.into_inner();
    clap::value_parser!(u8).range(i64::from(first)..=i64::from(last))
}

#[derive(Subcommand)]
enum Command {
    /// Checks the next exercise, and shows the one after it once all cases hold
    Next,
    /// Makes your file for an exercise, and says what to read
    Start(Named),
    /// Checks a solution each time its file is saved
    Watch {
        /// An exercise; the next one, if none is named
        name: Option<String>,
    },
    /// Checks a solution once
    Check(Named),
    /// Lists all exercises, with what you have done
    List {
        /// Only those of this chapter
        #[arg(long)]
        chapter: Option<usize>,
    },
    /// Prints a hint; the next one at each call, three in all
    Hint(Named),
    /// Prints a solution, once yours holds
    Solution(Look),
    /// Prints typical mistakes and what the check says about each, once yours holds
    Mistakes(Look),
    /// Asks at most five questions about chapters of which you have done an exercise; each
    /// comes back after 1, 3, 7 and 21 days
    Review {
        /// The day that it is [default: today, in UTC]
        #[arg(long, value_name = "YYYY-MM-DD")]
        on: Option<Day>,
    },
    /// Shows a solution in shuffled blocks, three of them wrong, and checks your order
    Parsons(Puzzle),
    /// Shows a mistake, and asks which case of the check stops it
    Which(Puzzle),
    /// Begins an exercise again, and keeps your file under another name
    Reset(Named),
    /// Checks the solutions of a class: a table of students and exercises
    Grade(grade::Order),
    /// Lists the capstones, makes a crate for one, or judges yours
    Capstone(capstone::Order),
    /// Tries up to 25 small changes of each solution, and lists those that pass and are not
    /// known to be right
    Mutate {
        /// Exercises; all, if none is named
        names: Vec<String>,
    },
    /// Proves the checks: right solutions pass, and each wrong one is rejected by its case
    Prove {
        /// Exercises; all, if none is named
        names: Vec<String>,
        #[command(flatten)]
        options: prove::Options,
        /// Proves the promises of the capstones, and no exercises
        #[arg(long, conflicts_with_all = ["names", "update"])]
        capstones: bool,
    },
}

#[derive(Args)]
struct Named {
    /// An exercise
    name: String,
}

#[derive(Args)]
struct Look {
    /// An exercise
    name: String,
    /// Now, though mine does not hold yet
    #[arg(long)]
    anyway: bool,
}

#[derive(Args)]
struct Puzzle {
    /// An exercise
    name: String,
    /// Another number makes another puzzle
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse_from(with_check(std::env::args_os().collect()));
    match act(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            anstream::eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Returns the arguments with `check` before the name of an exercise that is there in
/// place of a command: `cargo exercise leaf` is `cargo exercise check leaf`.
fn with_check(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_option = |it: &OsString| it.to_string_lossy().starts_with('-');
    let takes_value = |it: &OsString| {
        ["--answers", "--seconds", "--level"].iter().any(|name| it == name)
    };
    let mut at = 1;
    while arguments.get(at).is_some_and(is_option) {
        at += if takes_value(&arguments[at]) { 2 } else { 1 };
    }
    let Some(name) = arguments.get(at).and_then(|it| it.to_str()) else {
        return arguments;
    };
    let command = Arguments::command();
    let mut commands: Vec<&str> =
        command.get_subcommands().map(|it| it.get_name()).collect();
    commands.push("help");
    let exercises = material::exercises(&material::Project::new(None).root);
    let is_exercise = |name: &str| {
        let name = name.trim_end_matches(".rs");
        exercises.is_ok_and(|all| all.iter().any(|it| it.name == name))
    };
    // What looks like a misspelt command is left to clap, which suggests the right one.
    let is_command = || !similar::get_close_matches(name, &commands, 1, 0.6).is_empty();
    if !commands.contains(&name) && (is_exercise(name) || !is_command()) {
        arguments.insert(at, "check".into());
    }
    arguments
}

/// Returns whether what was asked about holds.
fn act(arguments: Arguments) -> Result<bool, String> {
    let mut desk = Desk::new(arguments.answers, arguments.seconds)?;
    desk.level = arguments.level;
    match arguments.command {
        None => learn::begin(&mut desk),
        Some(Command::Next) => learn::next(&mut desk),
        Some(Command::Start(Named { name })) => learn::start(&desk, &name),
        Some(Command::Watch { name }) => watch::watch(&mut desk, name.as_deref()),
        Some(Command::Check(Named { name })) => learn::check_named(&mut desk, &name),
        Some(Command::List { chapter }) => list::list(&desk, chapter),
        Some(Command::Hint(Named { name })) => learn::hint(&mut desk, &name),
        Some(Command::Solution(Look { name, anyway })) => {
            learn::solution(&mut desk, &name, anyway)
        }
        Some(Command::Mistakes(Look { name, anyway })) => {
            learn::mistakes(&mut desk, &name, anyway)
        }
        Some(Command::Review { on }) => {
            let day = on.unwrap_or_else(Day::today);
            review::review(&mut desk, day, &mut stdin().lock(), &mut review::run)
        }
        Some(Command::Parsons(Puzzle { name, seed })) => {
            puzzles::parsons(&desk, &name, seed)
        }
        Some(Command::Which(Puzzle { name, seed })) => {
            puzzles::which(&desk, &name, seed)
        }
        Some(Command::Reset(Named { name })) => learn::reset(&mut desk, &name),
        Some(Command::Grade(order)) => grade::grade(&desk, &order),
        Some(Command::Capstone(order)) => {
            let seconds = desk.limit.unwrap_or(capstone::SECONDS);
            capstone::run(&desk.project, &order, seconds)
        }
        Some(Command::Mutate { names }) => mutate::mutate(&desk, &names),
        Some(Command::Prove { capstones: true, options, .. }) => {
            prove_capstones::prove(&desk, options.verbose)
        }
        Some(Command::Prove { names, options, .. }) => {
            prove::prove(&desk, &names, options)
        }
    }
}
