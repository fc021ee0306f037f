//! What the book prints of commands, `book/runs`, of traces, `book/traces`, and of short
//! Python programs, `book/probes`: each is run again, and compared.
//!
//! After a change: `UPDATE_OUTPUTS=1 cargo test -p conformance --test book book_runs` stores
//! anew what differs; with `-- --include-ignored` also the traces of the simulated system.

use conformance::aiohttp_original;
use conformance::of_threads;
use conformance::outputs::normalise;
use conformance::programs;
use conformance::shown_command::{Program, Shown, root};
use conformance::simulated;
use conformance::trace_compared;
use conformance::trace_table::{self, Wanted};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard};
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

/// A trace of the book: `traces/NAME.json`, and its table in `NAME.md`, if it has one.
struct Trace {
    file: PathBuf,
    stored: Value,
    wanted: Option<Wanted>,
    /// What writes it, as the book shows it, and the same to be run.
    line: String,
    command: Shown,
}

impl Trace {
    /// Reads all of them.
    fn all() -> Vec<Trace> {
        let folder = root().join("book/traces");
        // A new one has only one of the two files.
        let names = files(&folder, "json").into_iter().chain(files(&folder, "md"));
        let names: BTreeSet<PathBuf> = names.map(|it| it.with_extension("")).collect();
        let traces = names.iter().map(|name| {
            Trace::read(name).unwrap_or_else(|why| panic!("{name:?}: {why}"))
        });
        traces.collect()
    }

    fn read(name: &Path) -> Result<Trace, String> {
        let (file, table) = (name.with_extension("json"), name.with_extension("md"));
        let text = fs::read_to_string(&file).unwrap_or("{}".to_string());
        let stored: Value = serde_json::from_str(&text).map_err(|it| it.to_string())?;
        let wanted = match fs::read_to_string(&table) {
            Ok(text) => Some(Wanted::parse(text.lines().next().unwrap_or_default())?),
            Err(_) => None,
        };
        let line = match &wanted {
            Some(wanted) => wanted.line.clone(),
            None => {
                stored["command"].as_str().ok_or("begin with its `command`")?.into()
            }
        };
        let command = Shown::parse(&line)?;
        Ok(Trace { file, stored, wanted, line, command })
    }

    /// Stores the trace as it is now if it differs, and else its table, which may be another.
    /// Returns the difference if files are only compared.
    fn judge(&self, now: &Value, difference: Option<String>) -> Result<(), String> {
        match difference {
            Some(_) if is_updating() => self.store(now),
            None if is_updating() => self.store(&self.stored),
            Some(difference) => Err(difference),
            None => Ok(()),
        }
    }

    /// Stores a trace and its table.
    fn store(&self, trace: &Value) -> Result<(), String> {
        let write = |file: &Path, text: String| {
            fs::write(file, text).map_err(|error| error.to_string())
        };
        write(&self.file, trace_table::to_text(trace))?;
        let Some(wanted) = &self.wanted else { return Ok(()) };
        write(
            &self.file.with_extension("md"),
            wanted.page(&name_of(&self.file), trace)?,
        )
    }
}

/// The name of a trace.
fn name_of(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The simulated system does the same each time.
#[test]
#[ignore = "builds the crawlers as WebAssembly, and runs them with Node: .ci/run does"]
fn every_trace_of_the_simulated_system_is_the_one_that_is_recorded() {
    let _alone = alone();
    let traces: Vec<Trace> =
        Trace::all().into_iter().filter(|it| simulated::can_run(&it.command)).collect();
    assert!(traces.len() > 20, "{}", traces.len());
    let commands: Vec<&Shown> = traces.iter().map(|it| &it.command).collect();
    let written = simulated::traces(&commands, trace_table::FILE);
    let written = written.unwrap_or_else(|why| panic!("{why}"));
    let judged = traces.iter().zip(&written).map(|(trace, written)| {
        let now = trace_table::whole(&trace.line, written)?;
        trace.judge(&now, trace_compared::first_difference(&trace.stored, &now))
    });
    no_trace_is_wrong(&traces, judged);
}

/// Threads and TLS are not simulated.
#[test]
fn every_trace_over_loopback_is_like_the_one_that_is_recorded() {
    let _alone = alone();
    let mut traces = Trace::all();
    traces.retain(|it| !simulated::can_run(&it.command));
    assert!(traces.len() <= 6, "what can be simulated is the same each time");
    let judged = traces.iter().map(|trace| {
        let written = trace_table::over_loopback(&trace.command)?;
        let now = trace_table::whole(&trace.line, &written)?;
        let is_step = matches!(trace.command.program, Program::Example(..));
        let mut other = match is_step {
            true => of_threads::other_than(&trace.stored, &now),
            false => trace_compared::other_than(&trace.stored, &now),
        };
        if trace.stored["v"] != now["v"] {
            other.push(format!("version {} is {} now", trace.stored["v"], now["v"]));
        }
        let other = other.join("\n");
        let is_wrong = !other.is_empty() && cfg!(target_os = "linux");
        trace.judge(&now, is_wrong.then_some(other))
    });
    no_trace_is_wrong(&traces, judged);
}

fn no_trace_is_wrong(
    traces: &[Trace],
    judged: impl Iterator<Item = Result<(), String>>,
) {
    let wrong = traces.iter().zip(judged).filter_map(|(trace, judged)| {
        let name = trace.file.display();
        judged.err().map(|why| format!("{name}: {why}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(
        wrong.is_empty(),
        "{}\n\nTo record them again:\n{RECORD}",
        wrong.join("\n\n")
    );
}

/// What the player plays is what the table shows, to the microsecond.
#[test]
fn each_table_is_of_the_trace_beside_it() {
    if is_updating() {
        return; // the tables are written with the traces
    }
    let _alone = alone();
    for Trace { file, stored, wanted, .. } in Trace::all() {
        let Some(wanted) = wanted else { continue };
        let page = wanted
            .page(&name_of(&file), &stored)
            .unwrap_or_else(|why| panic!("{file:?}: {why}"));
        assert_eq!(read(&file.with_extension("md")), page, "{file:?}: {RECORD}");
        assert_eq!(stored["command"], wanted.line, "{file:?}: {RECORD}");
    }
}

/// Records all traces again that are not as they were.
const RECORD: &str = "UPDATE_OUTPUTS=1 cargo test -p conformance --test book trace -- \
                      --include-ignored";

/// Returns whether files are stored anew, where names and orders are those of the book.
fn is_updating() -> bool {
    cfg!(target_os = "linux") && std::env::var_os("UPDATE_OUTPUTS").is_some()
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

/// Held while the files of one folder are made.
fn alone() -> MutexGuard<'static, ()> {
    static ONE_FOLDER: Mutex<()> = Mutex::new(());
    ONE_FOLDER.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Makes each file of a folder of the book anew, so many at a time, and compares. `make`
/// gives what is stored, and what it is now.
fn all_hold(
    folder: &str,
    extension: &str,
    at_once: usize,
    make: impl Fn(&Path) -> Result<(String, String), String> + Sync,
) {
    let _alone = alone();
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
