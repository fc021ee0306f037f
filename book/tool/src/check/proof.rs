//! Proves keys: looks at stored outputs, and compiles and runs the programs of questions.
//! That stored outputs are those of today is what the tests of steps, runs, traces and
//! probes show.

use super::fine::{self, Fine, rustc};
use crate::read::bank::{self, Check, Question, Source, program};
use crate::read::book::Book;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;
use tempfile::TempDir;

/// What a program may take.
const LIMIT: Duration = Duration::from_secs(60);

/// The library that programs may use besides std, and its package.
const LIBRARY: (&str, &str) = ("stage3_async", "stage3-async");

/// Looks at one output. Returns it.
///
/// # Errors
/// It cannot be had, or it is not what the check says.
pub fn prove(
    book: &Book,
    question: &Question,
    check: &Check,
) -> Result<String, String> {
    let text = output(book, question, &check.source)?.replace("\r\n", "\n");
    matches(&text, check).map_err(|why| format!("{why} in:\n{text}"))?;
    Ok(text)
}

/// Returns all outputs that settle a question, each below what it is.
///
/// # Errors
/// There is no such question, or its key is not proved.
pub fn settle(book: &Book, id: &str) -> Result<String, String> {
    let bank = bank::read(&book.place)?;
    let question = bank
        .question(id)
        .ok_or(format!("there is no question `{id}`: see book/bank/*.toml"))?;
    let mut text = String::new();
    for check in &question.checks {
        let what = match &check.source {
            Source::Step(name) => format!("the step {name}"),
            Source::Run(name) => format!("the run {name}"),
            Source::Trace(name) => format!("the trace {name}"),
            Source::Probe(name) => format!("the Python program {name}"),
            Source::Program => format!("book/bank/programs/{id}.rs"),
            Source::Refused(_) => format!("book/bank/programs/{id}.rs is refused"),
            Source::Mistakes(name) => format!("mistakes in the exercise {name}"),
        };
        let output = prove(book, question, check)?;
        text += &format!("{what}:\n\n{}\n\n", output.trim_end());
    }
    Ok(text)
}

/// Proves a key, unless nothing has changed since its program proved it.
///
/// # Errors
/// It is not proved.
pub(crate) fn prove_once(
    book: &Book,
    question: &Question,
    check: &Check,
    fine: &mut Fine,
) -> Result<(), String> {
    let prove = || prove(book, question, check).map(drop);
    let is_stored = !matches!(check.source, Source::Program | Source::Refused(_));
    let program = read(&program(&book.place, &question.id)).unwrap_or_default();
    // The library is not a part of what is remembered.
    if is_stored || program.contains(LIBRARY.0) {
        return prove();
    }
    fine.unless_known((program, format!("{check:?}")), prove)
}

fn matches(text: &str, check: &Check) -> Result<(), String> {
    let mut rest = text;
    for part in &check.has {
        let Some((_, after)) = rest.split_once(part.as_str()) else {
            let is_there = text.contains(part.as_str());
            let why = if is_there { "is not in its place" } else { "is missing" };
            return Err(format!("{part:?} {why}"));
        };
        rest = after;
    }
    match check.lacks.iter().find(|part| text.contains(part.as_str())) {
        Some(part) => Err(format!("{part:?} should not be")),
        None => Ok(()),
    }
}

fn output(book: &Book, question: &Question, source: &Source) -> Result<String, String> {
    let stored = |folder: &str, name: &str, extension: &str| {
        read(&book.place.book.join(folder).join(format!("{name}.{extension}")))
    };
    let own = program(&book.place, &question.id);
    match source {
        Source::Step(name) => {
            let file = book.project.output(name);
            read(&file.ok_or(format!("there is no step {name} with an output"))?)
        }
        Source::Run(name) => stored("runs", name, "out"),
        Source::Trace(name) => stored("traces", name, "md"),
        Source::Probe(name) => stored("probes", name, "out"),
        Source::Mistakes(name) => {
            let exercise = book.exercise(name);
            let exercise = exercise.ok_or(format!("there is no exercise {name}"))?;
            exercise.read(runner::mistakes::FILE)
        }
        Source::Program => run(book, &own),
        Source::Refused(error) => refused(book, &own, error),
    }
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// Compiles a program, runs it, and returns what it prints.
fn run(book: &Book, source: &Path) -> Result<String, String> {
    let folder = folder()?;
    let program = folder.path().join("program");
    let compiled = compile(book, source, &program)?;
    if !compiled.status.success() {
        return Err(format!("does not compile:\n{}", said(&compiled)));
    }
    // Into a file, which never has to be emptied while the program runs.
    let out = folder.path().join("out");
    let file = fs::File::create(&out).map_err(|error| error.to_string())?;
    fine::run(Command::new(&program).stdout(file), LIMIT)?;
    read(&out)
}

/// Has the compiler refuse a program, and returns what it says.
fn refused(book: &Book, source: &Path, error: &str) -> Result<String, String> {
    let compiled = compile(book, source, &folder()?.path().join("program"))?;
    let said = said(&compiled);
    match compiled.status.success() {
        true => Err("compiles, and should be refused".to_string()),
        false if said.contains(&format!("error[{error}]")) => Ok(said),
        false => Err(format!("is not refused with {error}:\n{said}")),
    }
}

fn folder() -> Result<TempDir, String> {
    tempfile::tempdir().map_err(|error| error.to_string())
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn compile(book: &Book, source: &Path, program: &Path) -> Result<Output, String> {
    let mut rustc = rustc();
    rustc.args(["--edition", "2024", "--crate-name", "question", "-o"]);
    rustc.args([program, source]);
    if read(source)?.contains(LIBRARY.0) {
        let file = library(book)?;
        let dependencies = file.parent().unwrap_or(Path::new("")).join("deps");
        rustc.arg("--extern").arg(format!("{}={}", LIBRARY.0, file.display()));
        rustc.arg("-L").arg(format!("dependency={}", dependencies.display()));
    }
    rustc.output().map_err(|error| format!("rustc cannot be run: {error}"))
}

/// Builds the library, and returns its file.
fn library(book: &Book) -> Result<PathBuf, String> {
    let output = step::cargo()
        .current_dir(&book.place.root)
        .args(["build", "--quiet", "--locked", "--message-format=json", "--lib"])
        .args(["--package", LIBRARY.1, "--target-dir"])
        .arg(&book.place.target)
        .output()
        .map_err(|error| format!("cargo cannot be run: {error}"))?;
    let file = String::from_utf8_lossy(&output.stdout).lines().find_map(library_of);
    file.ok_or(format!("{} cannot be built:\n{}", LIBRARY.1, said(&output)))
}

/// The file in a message of cargo, if it is about the library.
fn library_of(message: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(message).ok()?;
    if message["target"]["name"].as_str() != Some(LIBRARY.0) {
        return None;
    }
    let files = message["filenames"].as_array()?.iter().filter_map(Value::as_str);
    files.filter(|file| file.ends_with(".rlib")).map(PathBuf::from).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(has: &[&str], lacks: &[&str]) -> Result<(), String> {
        let texts = |all: &[&str]| all.iter().map(|it| it.to_string()).collect();
        let (has, lacks) = (texts(has), texts(lacks));
        matches("one\ntwo\none\n", &Check { source: Source::Program, has, lacks })
    }

    #[test]
    fn texts_are_there_in_their_order() {
        assert_eq!(check(&["one", "two", "one"], &["three"]), Ok(()));
        assert_eq!(
            check(&["two", "two"], &[]).unwrap_err(),
            "\"two\" is not in its place"
        );
        assert_eq!(check(&["three"], &[]).unwrap_err(), "\"three\" is missing");
        assert_eq!(check(&["one"], &["two"]).unwrap_err(), "\"two\" should not be");
    }
}
