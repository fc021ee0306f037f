//! What the book prints of commands, `book/runs`, of traces, `book/traces`, and of short
//! Python programs, `book/probes`: each is run again, and compared.
//!
//! After a change: `UPDATE_OUTPUTS=1 cargo test -p conformance --test book book_runs` stores
//! anew what differs.

use conformance::aiohttp_original;
use conformance::outputs::normalise;
use conformance::programs;
use conformance::shown_command::{Shown, root};
use conformance::trace_table::{self, Wanted, without_chance};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

#[test]
fn every_run_prints_what_is_stored() {
    // Nearly all of their time is spent waiting, each for a site of its own.
    all_hold("runs", "out", 6, |file| {
        let stored = read(file);
        let command = stored.lines().next().unwrap_or_default();
        let line =
            command.strip_prefix("$ ").ok_or("begin with `$ ` and the command")?;
        let printed = Shown::parse(line)?.run("", Path::new(""))?;
        Ok((stored.clone(), format!("{command}\n{}", printed.text)))
    });
}

#[test]
fn every_trace_is_the_one_that_is_recorded() {
    // Which of two events comes first depends on the time that both take.
    all_hold("traces", "md", 1, |file| {
        let stored = read(file);
        let line = stored.lines().next().unwrap_or_default();
        let wanted = Wanted::parse(line)?;
        let whole = file.with_extension("json");
        let before = stored_trace(&whole);
        // On a busy machine a thread may be done before the loop has looked. What the book
        // shows is the usual order: it is wrong if many runs do not meet it.
        let mut now = (stored.clone(), Value::Null);
        for _ in 0..RUNS_OF_A_TRACE {
            let (table, trace) = wanted.record()?;
            now = (format!("{line}\n\n{table}"), trace);
            let is_same = normalise(&now.0) == normalise(&stored);
            if is_same && same_trace(&before, &now.1) {
                return Ok((stored.clone(), stored));
            }
        }
        store_trace(&whole, &before, &now.1)?;
        if is_updating() {
            // Both files are of one run.
            fs::write(file, &now.0).map_err(|error| error.to_string())?;
            return Ok((now.0.clone(), now.0));
        }
        Ok((stored, now.0))
    });
}

/// Traces that are only played, without a table.
#[test]
fn every_trace_without_a_table_is_the_one_that_is_recorded() {
    all_hold("traces", "json", 1, |file| {
        if file.with_extension("md").is_file() {
            return Ok((String::new(), String::new()));
        }
        let before = stored_trace(file);
        let line = before["command"].as_str().ok_or("begin with its `command`")?;
        let command = Shown::parse(line)?;
        let mut now = Value::Null;
        for _ in 0..RUNS_OF_A_TRACE {
            now = trace_table::record(line, &command)?;
            if same_trace(&before, &now) {
                return Ok((String::new(), String::new()));
            }
        }
        store_trace(file, &before, &now)?;
        Ok((String::new(), String::new()))
    });
}

/// What the player plays is what the table shows, to the microsecond.
#[test]
fn each_table_is_of_the_trace_beside_it() {
    let _alone = ONE_FOLDER.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    for file in files(&root().join("book/traces"), "md") {
        let stored = read(&file);
        let line = stored.lines().next().unwrap_or_default();
        let wanted =
            Wanted::parse(line).unwrap_or_else(|why| panic!("{file:?}: {why}"));
        let trace = stored_trace(&file.with_extension("json"));
        let table =
            wanted.table(&trace).unwrap_or_else(|why| panic!("{file:?}: {why}"));
        assert_eq!(stored, format!("{line}\n\n{table}"), "{file:?}: UPDATE_OUTPUTS=1");
        assert_eq!(trace["command"], wanted.line, "{file:?}: UPDATE_OUTPUTS=1");
    }
}

/// A stored trace; one without events, if there is none.
fn stored_trace(file: &Path) -> Value {
    let text = fs::read_to_string(file).unwrap_or("{}".to_string());
    let mut trace: Value =
        serde_json::from_str(&text).unwrap_or_else(|why| panic!("{file:?}: {why}"));
    if trace["events"].is_null() {
        trace["events"] = Value::Array(Vec::new());
    }
    trace
}

/// Returns whether files are stored anew, where names and orders are those of the book.
fn is_updating() -> bool {
    cfg!(target_os = "linux") && std::env::var_os("UPDATE_OUTPUTS").is_some()
}

fn same_trace(stored: &Value, now: &Value) -> bool {
    without_chance(stored) == without_chance(now)
}

/// Stores a trace that differs from the one that is stored, or says how it differs.
fn store_trace(file: &Path, stored: &Value, now: &Value) -> Result<(), String> {
    if is_updating() {
        return fs::write(file, trace_table::to_text(now)).map_err(|it| it.to_string());
    }
    if same_trace(stored, now) || !cfg!(target_os = "linux") {
        return Ok(());
    }
    let (stored, now) = (without_chance(stored), without_chance(now));
    Err(format!("stored is\n{stored:#}\nand now it is\n{now:#}\n(UPDATE_OUTPUTS=1)"))
}

/// Where there is no Python nothing is compared, except in CI.
#[test]
fn every_probe_prints_what_is_stored() {
    let python = Command::new("python3").arg("--version").output();
    let is_here = python.is_ok_and(|output| output.status.success());
    if !is_here && std::env::var_os("ALL_SERVERS").is_none() {
        return;
    }
    all_hold("probes", "out", 6, |file| {
        let probe = file.with_extension("py");
        let finished =
            programs::run(Command::new("python3").arg(probe).current_dir(root()));
        match finished.status.success() {
            true => Ok((read(file), finished.out)),
            false => Err(finished.err),
        }
    });
    let probes = files(&root().join("book/probes"), "py");
    let without = probes.iter().find(|probe| !probe.with_extension("out").is_file());
    assert_eq!(without, None, "its output is stored beside it");
}

/// How often a trace is recorded until it is the one that is stored.
const RUNS_OF_A_TRACE: usize = 20;

/// Held while the files of one folder are made.
static ONE_FOLDER: Mutex<()> = Mutex::new(());

/// Makes each file of a folder of the book anew, so many at a time, and compares. `make`
/// gives what is stored, and what it is now.
fn all_hold(
    folder: &str,
    extension: &str,
    at_once: usize,
    make: impl Fn(&Path) -> Result<(String, String), String> + Sync,
) {
    let _alone = ONE_FOLDER.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let files = Mutex::new(files(&root().join("book").join(folder), extension));
    let wrong = Mutex::new(Vec::new());
    let work = || {
        while let Some(file) = { files.lock().expect("it is only popped").pop() } {
            if let Some(why) = one_holds(&file, &make) {
                wrong.lock().expect("it is only pushed to").push(why);
            }
        }
    };
    thread::scope(|scope| (0..at_once).for_each(|_| drop(scope.spawn(work))));
    let wrong = wrong.into_inner().expect("it is only pushed to");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Returns what is wrong with a file, if anything is.
fn one_holds(
    file: &Path,
    make: impl Fn(&Path) -> Result<(String, String), String>,
) -> Option<String> {
    match make(file) {
        Err(why) => return Some(format!("{}: {why}", file.display())),
        Ok((stored, now)) if normalise(&stored) == normalise(&now) => {}
        // Names of errors, and the order of events, are different there.
        Ok(_) if !cfg!(target_os = "linux") => {}
        Ok((_, now)) if is_updating() => {
            fs::write(file, now).expect("the folder is ours");
        }
        Ok((stored, now)) => {
            let file = file.display();
            return Some(format!("{file}: stored is\n{stored}\nand now it is\n{now}"));
        }
    }
    None
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let is_one = |path: &PathBuf| path.extension().is_some_and(|it| it == extension);
    let mut files: Vec<PathBuf> = paths.filter(is_one).collect();
    files.sort();
    files
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{file:?}: {error}"))
}

#[test]
fn the_book_owes_the_counterpart_of_each_of_the_originals_tests() {
    let list = read(&root().join("book/coverage.txt"));
    let ids = list.lines().filter_map(|line| line.split_once(' '));
    let owed: Vec<&str> = ids.filter_map(|(id, _)| id.strip_prefix("T-")).collect();
    let names = aiohttp_original::ALL.iter().map(|(name, _)| name.replace('_', "-"));
    assert_eq!(owed, names.collect::<Vec<_>>());
}
