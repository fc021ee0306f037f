//! `cargo step NAME` runs a step of the book, `cargo step` lists them all, and
//! `cargo step next` runs the one after the last that was run. `cargo show NAME` is
//! `cargo step show NAME`: it shows what a step has printed.
#![forbid(unsafe_code)]

mod show;

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use step::{
    InPage, Step, find, of_chapter, print, root, run_as_this_process, target, typed,
};

const USAGE: &str = "\
Usage: cargo step [NAME [ARGUMENTS…] | next [ARGUMENTS…] | list [CHAPTER] | table]

Runs a step of the book by its name. `next` runs the one after the last that was run.
Without a name, or with `list`, prints all steps, by chapter; `list 5` prints those of
chapter 5. `table` prints for other programs how each step runs in a page. `cargo show
NAME` shows what a step has printed, line by line.
";

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next().unwrap_or("list".into());
    let rest: Vec<OsString> = arguments.collect();
    match act(&first.to_string_lossy(), &rest) {
        Ok(code) => code,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

fn act(what: &str, arguments: &[OsString]) -> Result<ExitCode, String> {
    let steps = step::all(root()).map_err(|error| format!("the steps: {error}"))?;
    match what {
        "list" => match arguments {
            [] => list(&steps, steps.iter().collect()),
            [chapter] => list(&steps, of_chapter(&steps, &chapter.to_string_lossy())?),
            _ => Err("`list` takes one chapter".to_string()),
        },
        "table" => table(&steps),
        "show" => show::act(arguments, &steps),
        "-h" | "--help" | "help" => print(USAGE),
        "next" if arguments.first().is_some_and(|it| it == "next") => {
            Err("`next` runs one step".to_string())
        }
        "next" => match next(&steps) {
            Some(step) => run(step, arguments),
            None => print("That was the last step. `cargo step list` has them all.\n"),
        },
        name => run(find(&steps, name)?, arguments),
    }
}

/// Prints these steps, by chapter; an arrow marks the next one of all.
fn list(all: &[Step], steps: Vec<&Step>) -> Result<ExitCode, String> {
    let width = steps.iter().map(|step| step.name.len()).max().unwrap_or_default();
    let next = next(all).map(|step| &step.name);
    let mut text = String::new();
    let mut chapter = 0;
    for step in steps {
        if step.chapter != chapter {
            chapter = step.chapter;
            text.push_str(&format!("chapter {chapter}\n"));
        }
        let mark = if Some(&step.name) == next { "→" } else { " " };
        text.push_str(&format!(" {mark} {:width$}  {}\n", step.name, step.idea));
    }
    text.push_str("\nRun one with `cargo step NAME`, or the next one (→) with ");
    text.push_str("`cargo step next`.\n");
    print(&text)
}

/// Prints a line for each example, with tabs between: its name, its file, the program that
/// runs it in a page, `same`, `differs` or `not`, and why it is not the same.
fn table(steps: &[Step]) -> Result<ExitCode, String> {
    let mut text = String::new();
    for step in steps.iter().filter(|step| step.package().is_some()) {
        let (how, why) = match &step.in_a_page {
            InPage::Same => ("same", ""),
            InPage::Differs(why) => ("differs", &**why),
            InPage::Not(why) => ("not", &**why),
        };
        let file = step.file.to_string_lossy().replace('\\', "/");
        let cells = [&step.name, &*file, step.program_in_a_page(), how, why];
        text.push_str(&(cells.join("\t") + "\n"));
    }
    print(&text)
}

/// Names the file of the last step, if it should be another one: tests have their own.
const MEMORY_VARIABLE: &str = "LAST_STEP";

/// Where the name of the last step is kept.
fn memory() -> PathBuf {
    let other = std::env::var_os(MEMORY_VARIABLE).map(PathBuf::from);
    other.unwrap_or_else(|| target().join("last-step"))
}

/// Returns the step after the last that was run, the first one if none was; `None` after
/// the last of all.
fn next(steps: &[Step]) -> Option<&Step> {
    let last = fs::read_to_string(memory()).unwrap_or_default();
    let last = steps.iter().position(|step| step.name == last.trim());
    steps.get(last.map_or(0, |last| last + 1))
}

fn run(step: &Step, arguments: &[OsString]) -> Result<ExitCode, String> {
    // Without this file `next` begins at the first step; nothing else needs it.
    let _ = fs::write(memory(), &step.name);
    eprintln!("{}: {}", step.name, step.idea);
    let mut commands = step.commands(arguments);
    let mut last = commands.pop().expect("each step is run by a command at least");
    for mut command in commands {
        let code = step::run(tell(&mut command))?;
        if code != ExitCode::SUCCESS {
            return Ok(code);
        }
    }
    run_as_this_process(tell(&mut last))
}

/// Prints a command that is about to run in the project's folder.
fn tell(command: &mut Command) -> &mut Command {
    eprintln!("$ {}", typed(command));
    command.current_dir(root())
}
