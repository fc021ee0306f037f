//! `cargo exercise prove --capstones`: proves the promises of the capstones that change a
//! stage. The stage as it is breaks some of them. The solution keeps them all, and the
//! suite's. Each wrong solution breaks those that it names, and each promise is broken by a
//! wrong solution or by the stage.
//!
//! All crates are members of one workspace with one program, `judge`, so that cargo builds
//! them side by side, with the libraries that are built already. A promise that is broken
//! ends its process, so one that hangs costs nothing but itself.
//!
//! Some promises can be tested on Linux only, so the whole proof works only there.

use super::{Desk, on_threads};
use crate::child;
use crate::compile::cargo;
use crate::material::{quoted, read};
use crate::reworked::{self, Kind, Reworked, write};
use crate::show::{BAD, GOOD};
use anstream::println;
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long a promise may take that may be broken, in seconds: several times as long as the
/// time-outs of crawls.
const PATIENCE: u64 = 12;
/// How long a promise may take that is kept: on a busy machine, too.
const PATIENCE_WITH_SOLUTIONS: u64 = 120;
/// More than there are processors: promises spend their time waiting.
const AT_ONCE: usize = 8;
/// So many promises of the suite share a process.
const TOGETHER: usize = 16;

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
fn build(root: &Path, all: &[Reworked]) -> Result<Judge, String> {
    let place = root.join("target/capstones/prove");
    let mut members: Vec<String> = all.iter().map(|it| it.name.clone()).collect();
    let dependency = |name: &String| format!("{name} = {{ path = \"../{name}\" }}\n");
    let dependencies: String = members.iter().map(dependency).collect();
    let manifest = MANIFEST.replace("TESTS", &quoted(&root.join("tests")).to_string());
    write(&place.join("judge/Cargo.toml"), &(manifest + &dependencies))?;
    let line = |it: &Reworked| format!("        {:?} => {},\n", it.name, it.judge());
    let lines: String = all.iter().map(line).collect();
    write(&place.join("judge/src/main.rs"), &MAIN.replace("CRATES", lines.trim()))?;
    for reworked in all {
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
    let built = Judge(root.join("target/debug").join(name));
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

/// What each line of a report begins with.
const MARK: &str = "@judge";
/// The group of a capstone's own promises.
const OWN: &str = "task::";

/// The program that judges.
struct Judge(PathBuf);

/// What came of a promise: nothing, if it holds; else how it is broken.
type Answer = Option<String>;

impl Judge {
    fn run(&self, of: &Reworked, patience: u64, ask: &str) -> Result<String, String> {
        let mut judge = Command::new(&self.0);
        judge.env("CAPSTONE_CRATE", &of.name).env("CAPSTONE_MARK", MARK);
        judge
            .env("PATIENCE", patience.to_string())
            .args(ask.is_empty().then_some("list"));
        judge.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let failed = |error| format!("{}: {error}", self.0.display());
        let mut judge = child::start(&mut judge).map_err(failed)?;
        let mut stdin = judge.child.stdin.take().expect("it is piped");
        // It does not read what it is not told to.
        stdin.write_all(ask.as_bytes()).ok();
        drop(stdin);
        let mut stdout = judge.child.stdout.take().expect("it is piped");
        let reader = thread::spawn(move || {
            let mut said = Vec::new();
            stdout.read_to_end(&mut said).map(|_| said)
        });
        // Its own watchdog ends each promise: this is for one that does not.
        let promises = ask.lines().count() as u64 + 1;
        let limit = Duration::from_secs(2 * patience * promises);
        let in_time = judge.wait_for(limit).map_err(failed)?;
        judge.end().map_err(failed)?;
        let said = reader.join().expect("it only reads").map_err(failed)?;
        if in_time.is_none() {
            let seconds = limit.as_secs();
            return Err(format!("{}: no answer in {seconds} s: {ask}", of.name));
        }
        Ok(String::from_utf8_lossy(&said).into_owned())
    }

    /// Returns the names of all promises.
    fn list(&self, of: &Reworked) -> Result<Vec<String>, String> {
        let listed = self.run(of, PATIENCE, "")?;
        let name = |line: &str| {
            let promise = line.strip_prefix(MARK)?.trim().strip_prefix("promise ")?;
            Some(promise.rsplit_once('\t')?.1.to_string())
        };
        Ok(listed.lines().filter_map(name).collect())
    }

    /// Asks about these promises, in a process until one is broken, and then in another.
    fn ask(
        &self,
        of: &Reworked,
        mut promises: &[String],
    ) -> Result<Vec<Answer>, String> {
        let patience = match of.kind {
            Kind::Solution => PATIENCE_WITH_SOLUTIONS,
            Kind::Stage | Kind::Wrong(_) => PATIENCE,
        };
        let mut answers = Vec::new();
        while !promises.is_empty() {
            let lines = promises.join("\n") + "\n";
            let new = answers_in(&self.run(of, patience, &lines)?);
            promises = &promises[new.len().min(promises.len())..];
            answers.extend(new);
        }
        Ok(answers)
    }
}

/// Returns what came of each promise in a report: of at least one.
fn answers_in(report: &str) -> Vec<Answer> {
    let (mut answers, mut said) = (Vec::new(), Vec::new());
    for line in report.lines().filter_map(|line| line.strip_prefix(MARK)) {
        match line.trim() {
            "end held" => answers.push(None),
            line => said.push(line),
        }
    }
    if !said.is_empty() || answers.is_empty() {
        said.push("the process has ended");
        answers.push(Some(said.join("\n    ")));
    }
    answers
}

/// All promises that were asked about, and what came of each.
struct Proof<'a>(Vec<(&'a Reworked, String, Answer)>);

impl<'a> Proof<'a> {
    fn of(judge: &Judge, all: &'a [Reworked]) -> Result<Proof<'a>, String> {
        let mut questions = Vec::new();
        for of in all {
            let wanted = |promise: &String| match (&of.kind, promise.strip_prefix(OWN))
            {
                (Kind::Solution, _) => true,
                (Kind::Stage, own) => own.is_some(),
                (Kind::Wrong(it), own) => own.is_some_and(|own| it.names(own)),
            };
            let promises: Vec<String> =
                judge.list(of)?.into_iter().filter(wanted).collect();
            // Their own take longer, as most of them wait for a time-out.
            let (own, suite): (Vec<_>, Vec<_>) =
                promises.into_iter().partition(|it| it.starts_with(OWN));
            questions.extend(own.chunks(1).map(|it| (of, it.to_vec())));
            questions.extend(suite.chunks(TOGETHER).map(|it| (of, it.to_vec())));
        }
        let ask = |number: usize| {
            let (of, promises): &(&Reworked, Vec<String>) = &questions[number];
            let answers = judge.ask(of, promises)?;
            let all = promises.iter().cloned().zip(answers);
            Ok(all.map(|(promise, answer)| (*of, promise, answer)).collect())
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
                        answer
                            .iter()
                            .for_each(|it| bad(format!("{promise}\n    {it}")));
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

#[cfg(test)]
mod tests {
    use super::answers_in;

    #[test]
    fn a_report_has_an_answer_for_each_promise_up_to_the_first_that_is_broken() {
        let held = "@judge end held\n";
        let broken = "@judge why 2 is not 3\n@judge end panicked\n";
        assert_eq!(answers_in(&format!("{held}printed\n{held}")), [None, None]);
        let answers = answers_in(&format!("{held}{broken}"));
        assert_eq!((answers.len(), &answers[0]), (2, &None));
        assert!(answers[1].as_ref().is_some_and(|it| it.contains("2 is not 3")));
        assert!(matches!(&answers_in("")[..], [Some(_)]), "it died at once");
    }
}
