//! The program that judges the crates of `prove --capstones`, and what it is asked.

use crate::child;
use crate::reworked::{Kind, Reworked};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// How long a promise may take that may be broken, in seconds: several times as long as the
/// time-outs of crawls.
const PATIENCE: u64 = 12;
/// How long a promise may take that is kept: on a busy machine, too.
const PATIENCE_WITH_SOLUTIONS: u64 = 120;
/// What each line of a report begins with.
const MARK: &str = "@judge";
/// What the names of a capstone's own promises begin with.
pub(super) const OWN: &str = "task::";
/// Where a capstone is done again, these groups of the suite are enough: the solution of
/// another capstone keeps the whole suite of that stage.
const AGAIN: [&str; 3] = ["crawls", "ends", "tries"];

/// A promise of a crate.
struct Promise {
    group: String,
    name: String,
}

impl Promise {
    /// Reads a line of the list.
    fn parse(line: &str) -> Option<Promise> {
        let promise = line.strip_prefix(MARK)?.trim().strip_prefix("promise ")?;
        let (group, rest) = promise.split_once('\t')?;
        let (_page, name) = rest.split_once('\t')?;
        Some(Promise { group: group.into(), name: name.into() })
    }

    /// Returns whether a crate is asked about it.
    fn is_asked(&self, of: &Reworked) -> bool {
        match (&of.kind, self.name.strip_prefix(OWN)) {
            (Kind::Solution, None) if of.is_again => {
                AGAIN.contains(&self.group.as_str())
            }
            (Kind::Solution, _) => true,
            (Kind::Stage, own) => own.is_some(),
            (Kind::Wrong(it), own) => own.is_some_and(|own| it.names(own)),
        }
    }
}

/// The program that judges.
pub(super) struct Judge(pub(super) PathBuf);

/// What came of a promise: nothing, if it holds; else how it is broken.
pub(super) type Answer = Option<String>;

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

    /// Returns the names of all promises that a crate is asked about.
    pub(super) fn list(&self, of: &Reworked) -> Result<Vec<String>, String> {
        let listed = self.run(of, PATIENCE, "")?;
        let all: Vec<Promise> = listed.lines().filter_map(Promise::parse).collect();
        let is_there = |group: &&str| all.iter().any(|it| it.group == **group);
        if let Some(group) = AGAIN.iter().find(|it| !is_there(it)) {
            return Err(format!("{}: there is no group `{group}`", of.title()));
        }
        let asked = all.into_iter().filter(|it| it.is_asked(of));
        Ok(asked.map(|it| it.name).collect())
    }

    /// Asks about these promises, in a process until one is broken, and then in another.
    pub(super) fn ask(
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
