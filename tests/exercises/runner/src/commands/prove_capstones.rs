//! `cargo exercise prove --capstones`: proves the promises of the capstones that change a
//! stage. The stage as it is breaks some of them. The solution keeps them all, and the
//! suite's: each stage's suite is run once. Each wrong solution breaks those that it names,
//! and each promise is broken by a wrong solution or by the stage.
//!
//! All crates are members of one workspace with one program, `judge`, so that cargo builds
//! them side by side, with the libraries that are built already. A promise that is broken
//! ends its process, so one that hangs costs nothing but itself.
//!
//! Some promises can be tested on Linux only, so the whole proof works only there.

use super::{Desk, on_threads};
use crate::capstone::worker::{self, Promise, Worker};
use crate::material::{quoted, read};
use crate::reworked::{self, Kind, Reworked, write};
use crate::run::Failure;
use crate::show::{self, BAD, GOOD};
use anstream::println;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;
use step::cargo;

/// More than there are processors: promises spend their time waiting.
const AT_ONCE: usize = 16;
/// The number of promises of the suite that share a process.
const TOGETHER: usize = 16;
/// How long a promise may take that may be broken, in seconds: several times as long as the
/// time-outs of crawls.
const PATIENCE: u64 = 12;
/// How long a promise may take that is kept: on a busy machine, too.
const PATIENCE_WITH_SOLUTIONS: u64 = 120;
/// What the names of a capstone's own promises begin with.
const OWN: &str = "task::";
/// Where a capstone is done again, these groups of the suite are enough: the solution of
/// another capstone keeps the whole suite of that stage.
const AGAIN: [&str; 3] = ["crawls", "ends", "tries"];

/// Builds and proves. Returns whether nothing is wrong.
pub fn prove(desk: &Desk, verbose: bool) -> Result<bool, String> {
    if !cfg!(target_os = "linux") {
        println!("skipped: some promises can be tested on Linux only");
        return Ok(true);
    }
    let began = Instant::now();
    let all = reworked::all(&desk.project.root)?;
    let judge = build(&desk.project.root, &all)?;
    println!("{} crates, built in {} s", all.len(), began.elapsed().as_secs());
    let problems = Proof::of(&judge, &all)?.problems(&all, verbose);
    problems.iter().for_each(|it| println!("{BAD}BAD{BAD:#}  {it}"));
    println!("{} s", began.elapsed().as_secs());
    if problems.is_empty() {
        println!("{GOOD}solutions keep all promises, wrong ones are rejected{GOOD:#}");
    }
    Ok(problems.is_empty())
}

/// Builds the program `judge`, which knows all crates.
fn build(root: &Path, all: &[Reworked]) -> Result<PathBuf, String> {
    let place = root.join("target/capstones/prove");
    let made = all.iter().filter(|it| it.is_made());
    let mut members: Vec<String> = made.map(|it| it.name.clone()).collect();
    // Two capstones may begin with the same stage.
    let dependencies: BTreeSet<String> = all.iter().map(Reworked::dependency).collect();
    let dependencies: String = dependencies.into_iter().collect();
    let manifest = MANIFEST.replace("TESTS", &quoted(&root.join("tests")).to_string());
    write(&place.join("judge/Cargo.toml"), &(manifest + &dependencies))?;
    let line = |it: &Reworked| format!("        {:?} => {},\n", it.name, it.judge());
    let lines: String = all.iter().map(line).collect();
    write(&place.join("judge/src/main.rs"), &MAIN.replace("CRATES", lines.trim()))?;
    for reworked in all.iter().filter(|it| it.is_made()) {
        reworked.write(&place)?;
    }
    members.push("judge".into());
    write(&place.join("Cargo.toml"), &reworked::workspace(root, &members)?)?;
    write(&place.join("Cargo.lock"), &read(&root.join("Cargo.lock"))?)?;
    let mut cargo = cargo();
    cargo.current_dir(&place).env("CARGO_TARGET_DIR", root.join("target"));
    cargo.args(["build", "--quiet", "--offline", "--package", "capstone-judge"]);
    let output = cargo.output().map_err(|error| format!("cargo: {error}"))?;
    // Warnings, too: a solution is as clean as the stage.
    let said = String::from_utf8_lossy(&output.stderr);
    let name = format!("capstone-judge{}", std::env::consts::EXE_SUFFIX);
    let built = root.join("target/debug").join(name);
    if output.status.success() && said.is_empty() {
        Ok(built)
    } else {
        Err(said.into())
    }
}

const MANIFEST: &str = r#"[package]
name = "capstone-judge"
version = "0.1.0"
edition = "2024"

[dependencies]
conformance = { path = TESTS }
"#;

const MAIN: &str = r#"//! Judges the crate that `CAPSTONE_CRATE` names.

fn main() {
    match std::env::var("CAPSTONE_CRATE").unwrap_or_default().as_str() {
        CRATES
        name => panic!("no crate has the name {name}"),
    }
}
"#;

/// Returns the names of all promises that a crate is asked about.
fn promises(judge: &Path, of: &Reworked) -> Result<Vec<String>, String> {
    let (_, all) = worker::list(judge, &of.name)?;
    let is_there = |group: &&str| all.iter().any(|it| it.group == **group);
    if let Some(group) = AGAIN.iter().find(|it| !is_there(it)) {
        return Err(format!("{}: there is no group `{group}`", of.title()));
    }
    let is_asked = |it: &Promise| match (&of.kind, it.name.strip_prefix(OWN)) {
        (Kind::Solution, None) if of.is_again => AGAIN.contains(&it.group.as_str()),
        (Kind::Solution, _) => true,
        (Kind::Stage, own) => own.is_some(),
        (Kind::Wrong(wrong), own) => own.is_some_and(|own| wrong.names(own)),
    };
    Ok(all.into_iter().filter(is_asked).map(|it| it.name).collect())
}

fn patience(of: &Reworked) -> u64 {
    match of.kind {
        Kind::Solution => PATIENCE_WITH_SOLUTIONS,
        Kind::Stage | Kind::Wrong(_) => PATIENCE,
    }
}

/// All promises that were asked about, and what came of each: `None` if it holds.
struct Proof<'a>(Vec<(&'a Reworked, String, Option<Failure>)>);

impl<'a> Proof<'a> {
    fn of(judge: &Path, all: &'a [Reworked]) -> Result<Proof<'a>, String> {
        let mut questions: Vec<(&Reworked, Vec<String>)> = Vec::new();
        let mut of_suites = Vec::new();
        for of in all {
            let (own, suite): (Vec<_>, Vec<_>) =
                promises(judge, of)?.into_iter().partition(|it| it.starts_with(OWN));
            questions.extend(own.chunks(1).map(|it| (of, it.to_vec())));
            of_suites.extend(suite.chunks(TOGETHER).map(|it| (of, it.to_vec())));
        }
        // Their own first: nearly all of them wait for a time-out, so the suites, which
        // keep the processors busy, disturb few of them.
        questions.extend(of_suites);
        let ask = |number: usize| {
            let (of, promises) = &questions[number];
            let mut worker = Worker::new(judge, &of.name, patience(of));
            let ask = |it: &String| Ok((*of, it.clone(), worker.ask(it)?));
            promises.iter().map(ask).collect()
        };
        let answers: Vec<Result<Vec<_>, String>> =
            on_threads(AT_ONCE, questions.len(), ask);
        let answers: Result<Vec<Vec<_>>, String> = answers.into_iter().collect();
        Ok(Proof(answers?.into_iter().flatten().collect()))
    }

    /// Returns what is wrong.
    fn problems(&self, all: &[Reworked], verbose: bool) -> Vec<String> {
        let mut problems = Vec::new();
        for of in all {
            let own: Vec<_> = self.0.iter().filter(|it| it.0.name == of.name).collect();
            let broken = own.iter().filter(|it| it.2.is_some()).count();
            if verbose {
                println!(
                    "{}: {}: {broken} of {} broken",
                    of.name,
                    of.title(),
                    own.len()
                );
            }
            let mut bad =
                |what: String| problems.push(format!("{}: {what}", of.title()));
            match &of.kind {
                Kind::Stage if broken == 0 => bad("it keeps all promises".into()),
                Kind::Stage => {}
                Kind::Solution => {
                    for (_, promise, answer) in own {
                        let Some(failure) = answer else { continue };
                        let why = show::explanation(failure, patience(of));
                        bad(format!("{promise}\n    {}", why.join("\n    ")));
                    }
                }
                Kind::Wrong(wrong) => {
                    if own.len() != wrong.cases.len() {
                        bad(format!("it names what is no promise: {:?}", wrong.cases));
                    }
                    let kept = own.iter().filter(|it| it.2.is_none());
                    kept.for_each(|it| bad(format!("it keeps {}", it.1)));
                }
            }
        }
        problems.extend(self.unbroken());
        problems
    }

    /// Returns the promises that neither a stage nor a wrong solution breaks. Such a promise
    /// may reject nothing at all.
    fn unbroken(&self) -> Vec<String> {
        let own = self.0.iter().filter(|it| it.1.starts_with(OWN));
        let own = own.map(|(of, promise, answer)| ((of.capstone, promise), answer));
        let broken = own.clone().filter(|it| it.1.is_some()).map(|it| it.0);
        let broken: BTreeSet<_> = broken.collect();
        let all: BTreeSet<_> = own.map(|it| it.0).collect();
        let missing = all.difference(&broken);
        missing.map(|(name, it)| format!("{name}: nothing breaks {it}")).collect()
    }
}
