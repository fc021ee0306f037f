//! One program of an exercise, and what must come of it.

use super::super::{Outcome, try_often};
use crate::compile::Library;
use crate::material::Exercise;
use crate::mistakes::Mistake;
use crate::run::{Failure, How, Verdict};
use crate::show;
use crate::together::Together;
use crate::variants::{Ends, Variant};
use std::fs;
use std::time::{Duration, Instant};

/// How long a case may take here: the machine may be busy, and no right solution hangs.
pub(super) const PATIENT: u64 = 60;

/// A recorded hang waits for nothing: it is given this long first.
const HANG: u64 = 2;

/// A solution passes this often in a row: a check that depends on luck fails here.
const RUNS: usize = 5;

/// What a check says if it has no name for a value that it has found.
const NAMELESS: &str = "This is not what the case expects.";

/// A program of an exercise.
pub(super) struct Program<'a> {
    pub(super) exercise: &'a Exercise,
    pub(super) kind: Kind,
    pub(super) text: String,
}

pub(super) enum Kind {
    /// With its level.
    Start(u8),
    Solution,
    /// With its number among the variants of the exercise.
    Variant(usize, Variant),
}

/// What came of a program.
pub(super) struct Proof {
    pub(super) line: String,
    /// What is wrong with the check, or with the material.
    pub(super) problem: Option<String>,
    /// All cases, if it is the solution; else the one that has rejected it.
    pub(super) cases: Vec<String>,
    /// What the check says, if it is a wrong solution.
    pub(super) mistake: Option<Mistake>,
    pub(super) took: Duration,
}

/// Compiles a program, if that is still to be done, and runs it.
pub(super) fn proof(program: &Program, bench: &Bench) -> Proof {
    let began = Instant::now();
    let (line, result) = match &program.kind {
        Kind::Start(level) => {
            let result = start(program, bench).map(|()| Vec::new());
            (format!("start of level {level}"), result)
        }
        Kind::Solution => ("solution".into(), solution(program, bench)),
        Kind::Variant(number, it) if it.is_right() => {
            let result = bench.run_variant(program, *number, bench.seconds);
            (it.name.clone(), result.and_then(|it| passes(&it)).map(|()| Vec::new()))
        }
        Kind::Variant(number, it) => {
            let line = format!("{}: wrong: {}", program.exercise.name, it.name);
            let (mistake, problem) = halves(wrong(program, *number, it, bench));
            let cases = mistake.iter().map(|it| it.case.clone()).collect();
            return Proof { line, problem, cases, mistake, took: began.elapsed() };
        }
    };
    let line = format!("{}: {line}", program.exercise.name);
    let (cases, problem) = halves(result);
    let cases = cases.unwrap_or_default();
    Proof { line, problem, cases, mistake: None, took: began.elapsed() }
}

fn halves<T>(result: Result<T, String>) -> (Option<T>, Option<String>) {
    match result {
        Ok(value) => (Some(value), None),
        Err(problem) => (None, Some(problem)),
    }
}

/// What a proof needs, beside the program.
pub(super) struct Bench<'a> {
    pub(super) library: &'a Library,
    /// The variants of the exercise as one program; `None` if they do not compile so.
    pub(super) together: Option<&'a Together>,
    /// How long a case may take, in seconds.
    pub(super) seconds: u64,
    /// A number of its own, for files.
    pub(super) number: usize,
}

impl Bench<'_> {
    /// Writes and compiles a program, and runs it until it fails, at most so often. Returns
    /// what the compiler has remarked, too.
    fn run(
        &self,
        program: &Program,
        seconds: u64,
        runs: usize,
    ) -> Result<(Verdict, String), String> {
        let name = format!("prove_{}_{}", program.exercise.name, self.number);
        let source = self.library.work().join(format!("{name}.rs"));
        let written = fs::write(&source, &program.text);
        written.map_err(|it| format!("{}: {it}", source.display()))?;
        match try_often(self.library, &source, &name, (seconds, runs), false)? {
            Outcome::Refused(errors) => Err(format!("it does not compile:\n{errors}")),
            Outcome::Ran(verdict, warnings) => Ok((verdict, warnings)),
        }
    }

    /// Runs a variant, which is compiled alone only if the variants do not compile
    /// together: so it is seen which of them is to blame.
    fn run_variant(
        &self,
        program: &Program,
        number: usize,
        seconds: u64,
    ) -> Result<Verdict, String> {
        match self.together {
            Some(together) => together.run(number, seconds),
            None => self.run(program, seconds, 1).map(|it| it.0),
        }
    }
}

/// The start compiles, remarks at most what is unused, and fails in a clear way.
fn start(program: &Program, bench: &Bench) -> Result<(), String> {
    let (verdict, warnings) = bench.run(program, bench.seconds, 1)?;
    let failure = verdict.failure.ok_or("the start passes")?;
    if !matches!(failure.how, How::Todo | How::Panicked) {
        return Err(format!("the start fails badly:\n{}", describe(&failure)));
    }
    if let Some(warning) = warnings.lines().find(|it| is_no_warning_of_a_start(it)) {
        return Err(format!("a learner would be warned about the start: {warning}"));
    }
    Ok(())
}

fn is_no_warning_of_a_start(line: &str) -> bool {
    let is_summary =
        line.contains("warnings emitted") || line.contains("warning emitted");
    let usual = ["unused", "never", "does not need to be mutable"];
    let is_usual = usual.iter().any(|it| line.contains(it));
    line.starts_with("warning: ") && !is_summary && !is_usual
}

/// The solution passes each time, and neither the compiler nor clippy has a remark.
/// Returns all cases.
fn solution(program: &Program, bench: &Bench) -> Result<Vec<String>, String> {
    let (verdict, warnings) = bench.run(program, bench.seconds, RUNS)?;
    passes(&verdict)?;
    if !warnings.is_empty() {
        return Err(format!("the compiler remarks:\n{warnings}"));
    }
    let exercise = program.exercise;
    bench.library.clippy(&exercise.folder.join("solution.rs"), &exercise.name)?;
    Ok(verdict.held)
}

fn passes(verdict: &Verdict) -> Result<(), String> {
    let failure = verdict.failure.as_ref();
    failure.map_or(Ok(()), |failure| {
        Err(format!("it is rejected:\n{}", describe(failure)))
    })
}

/// A wrong solution is rejected, by the case that it names, in the way that it names.
/// Returns what the check says.
fn wrong(
    program: &Program,
    number: usize,
    variant: &Variant,
    bench: &Bench,
) -> Result<Mistake, String> {
    let hangs = variant.ends == Ends::Hangs;
    let seconds = if hangs { HANG } else { bench.seconds };
    let verdict = bench.run_variant(program, number, seconds)?;
    let mut failure = verdict.failure.ok_or("it passes")?;
    if hangs && !variant.cases.contains(&failure.case) {
        // The machine was too busy for so short a time.
        let verdict = bench.run_variant(program, number, bench.seconds)?;
        failure = verdict.failure.ok_or("it passes")?;
    }
    let ends = match failure.how {
        How::Panicked => Some(Ends::Panics),
        How::Hung => Some(Ends::Hangs),
        How::Aborted | How::Overflowed | How::OutOfMemory => Some(Ends::Aborts),
        How::Todo | How::Left | How::Flooded => None,
    };
    if ends != Some(variant.ends) {
        let (is, must) = (failure.how, variant.ends);
        return Err(format!(
            "it ends so: {is:?}, not so: {must:?}\n{}",
            describe(&failure)
        ));
    }
    if !variant.cases.contains(&failure.case) {
        return Err(format!("another case rejects it:\n{}", describe(&failure)));
    }
    if failure.why.iter().any(|line| line == NAMELESS) {
        return Err(format!("no word about what was found:\n{}", describe(&failure)));
    }
    Ok(Mistake::new(&variant.name, &failure))
}

fn describe(failure: &Failure) -> String {
    let mut lines = vec![format!("    case: {}", failure.case)];
    let why = show::explanation(failure, PATIENT);
    let lines_of_it = why.iter().chain(&failure.story).chain(&failure.printed);
    lines.extend(lines_of_it.map(|line| format!("      {line}")));
    lines.join("\n")
}
