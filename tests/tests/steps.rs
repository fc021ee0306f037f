//! What the steps print: each is run, and held to the output that is stored beside it.
//!
//! After a change: `UPDATE_OUTPUTS=1 cargo test -p conformance --test book steps` stores anew
//! what differs.

use conformance::outputs::{COMPILER, normalise};
use conformance::programs::{self, Kind};
use std::collections::BTreeSet;
use std::env::consts::EXE_EXTENSION;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::{iter, thread};
use step::{Step, root};

/// What the book shows at a time.
const LONGEST_LISTING: usize = 25;
const WIDEST_LINE: usize = 88;

/// How many steps run at the same time: more than there are processors, because most of them
/// wait most of the time.
const AT_ONCE: usize = 8;

/// The steps that are examples of a package, with its name.
fn steps() -> Vec<(String, Step)> {
    let all = step::all(root()).expect("the steps can be read");
    let is_example = |step: Step| Some((step.package()?.to_string(), step));
    all.into_iter().filter_map(is_example).collect()
}

fn file(step: &Step, extension: &str) -> PathBuf {
    root().join(&step.file).with_extension(extension)
}

/// What is wrong with what it prints, if anything is.
fn check(package: &str, step: &Step) -> Option<String> {
    let built = programs::build(package, Kind::Examples);
    let name = &step.name;
    let Some(program) = built.get(name) else {
        return Some(format!("{name}: no such example was built"));
    };
    let finished = programs::run(&mut Command::new(program));
    if !finished.status.success() || !finished.err.is_empty() {
        return Some(format!("{name}: {finished:#?}"));
    }
    if step.is_only_linux && !cfg!(target_os = "linux") {
        return None;
    }
    let output = file(step, "out");
    let stored = fs::read_to_string(&output).unwrap_or_default();
    if normalise(&stored) == normalise(&finished.out) {
        return None;
    }
    if std::env::var_os("UPDATE_OUTPUTS").is_some() {
        fs::write(output, finished.out).expect("the folder is ours");
        return None;
    }
    let now = finished.out;
    Some(format!("{name}: stored is\n{stored}\nand now it prints\n{now}"))
}

/// What is wrong with what these print, `at_once` of them at the same time.
fn check_all(steps: &[(String, Step)], at_once: usize) -> Vec<String> {
    let rest = Mutex::new(steps.iter());
    let next = || rest.lock().expect("no step panics with the lock").next();
    let work = || {
        iter::from_fn(next).filter_map(|(package, step)| check(package, step)).collect()
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..at_once).map(|_| scope.spawn(work)).collect();
        let wrong = workers.into_iter().map(|worker| worker.join());
        wrong
            .flat_map(|wrong: thread::Result<Vec<_>>| wrong.expect("it ends"))
            .collect()
    })
}

#[test]
fn every_step_prints_what_is_stored_beside_it() {
    let (alone, others): (Vec<_>, Vec<_>) =
        steps().into_iter().partition(|(_, step)| step.is_run_alone);
    let mut wrong = check_all(&others, AT_ONCE);
    wrong.extend(check_all(&alone, 1));
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_example_is_a_step_with_an_output() {
    let steps = steps();
    let all = |extension| steps.iter().map(|(_, step)| file(step, extension)).collect();
    assert_eq!(files("rs"), all("rs"), "each example is named after its chapter");
    assert_eq!(files("out"), all("out"), "each step has its output");
    for output in files("out") {
        assert!(!read(&output).is_empty(), "{output:?}");
    }
}

#[test]
fn every_step_opens_with_its_idea_and_how_to_run_it() {
    for (package, step) in steps() {
        let text = read(&file(&step, "rs"));
        let command = format!("cargo run -p {package} --example {}", step.name);
        assert!(text.starts_with("//! "), "{}: opens with its idea", step.name);
        let opening = text.lines().take_while(|line| line.starts_with("//!"));
        let tells = opening.filter(|line| line.contains(&command)).count();
        assert_eq!(tells, 1, "{}: says {command}", step.name);
    }
}

#[test]
fn no_listing_is_longer_or_wider_than_the_book_shows() {
    let wrong: Vec<String> =
        files("rs").iter().flat_map(|file| unprintable(file)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What nightly Rust has and stable does not. (`RUSTC_BOOTSTRAP` lets this stable
/// compiler have it as well, so that the test needs no other one.)
#[test]
fn the_step_in_nightly_rust_prints_what_is_stored_beside_it() {
    let compiler = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let version =
        Command::new(&compiler).arg("--version").output().expect("it built this");
    if !version.stdout.starts_with(COMPILER.as_bytes()) {
        return;
    }
    let step = root().join("stage2-generators/examples/nightly/ch09_nightly.rs");
    let folder = tempfile::tempdir().expect("a folder for this test");
    let program = folder.path().join("ch09_nightly").with_extension(EXE_EXTENSION);
    let output = Command::new(&compiler)
        .env("RUSTC_BOOTSTRAP", "1")
        .args(["--edition", "2024", "-o"])
        .args([&program, &step])
        .output()
        .expect("it built this");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let finished = programs::run(&mut Command::new(program));
    assert_eq!(normalise(&finished.out), normalise(&read(&step.with_extension("out"))));
}

#[test]
fn a_listing_that_is_never_closed_is_found() {
    assert!(listings("// ANCHOR: a\nfn a() {}\n").is_err());
    assert!(listings("// ANCHOR: a\n// ANCHOR_END: b\n").is_err());
    let nested = "// ANCHOR: a\n1\n    // ANCHOR: b\n2\n    // ANCHOR_END: b\n// ANCHOR_END: a\n";
    assert_eq!(listings(nested), Ok(vec![("b", 1), ("a", 2)]));
}

/// What the book could not show of a file.
fn unprintable(file: &Path) -> Vec<String> {
    let text = read(file);
    let listings = listings(&text).unwrap_or_else(|why| panic!("{file:?}: {why}"));
    let long = listings.into_iter().filter(|(_, length)| *length > LONGEST_LISTING);
    let long =
        long.map(|(name, length)| format!("{file:?}: {name} has {length} lines"));
    let wide = text.lines().filter(|line| line.chars().count() > WIDEST_LINE);
    let wide = wide.map(|line| format!("{file:?}: too wide: {line}"));
    long.chain(wide).collect()
}

/// The anchored parts of a file: their names, and how many lines a reader sees of each.
fn listings(text: &str) -> Result<Vec<(&str, usize)>, String> {
    let (mut open, mut done) = (Vec::new(), Vec::new());
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("// ANCHOR: ") {
            open.push((name, 0));
        } else if let Some(name) = line.strip_prefix("// ANCHOR_END: ") {
            let listing = open.pop().ok_or(format!("{name} was never opened"))?;
            if listing.0 != name || done.contains(&listing) {
                return Err(format!("{name} closes {}", listing.0));
            }
            done.push(listing);
        } else {
            open.iter_mut().for_each(|(_, length)| *length += 1);
        }
    }
    match open.first() {
        Some((name, _)) => Err(format!("{name} is never closed")),
        None => Ok(done),
    }
}

/// All files of the steps with that extension, in all packages.
fn files(extension: &str) -> BTreeSet<PathBuf> {
    let packages = step::packages(root()).expect("the workspace is here");
    let folders = packages.iter().map(|package| package.join("examples"));
    folders.flat_map(|folder| in_folder(&folder, extension)).collect()
}

fn in_folder(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    paths.filter(|path| path.extension() == Some(OsStr::new(extension))).collect()
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{file:?}: {error}"))
}
