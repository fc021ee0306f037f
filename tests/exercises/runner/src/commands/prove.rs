//! `cargo exercise prove`: proves the checks. Every start compiles and fails, every right
//! solution passes, every wrong one is rejected by the case that it names. No case is
//! without a mistake, and no mistake without a case. What the checks say about the mistakes
//! is what `mistakes.txt` has, which the book prints.

use super::{Desk, Outcome, side_by_side, texts, try_often};
use crate::compile::Library;
use crate::material::Exercise;
use crate::mistakes::{self, Mistake};
use crate::run::{Failure, How, Verdict};
use crate::show::{self, BAD, GOOD};
use crate::variants::{self, Ends, Variant};
use anstream::println;
use std::collections::HashSet;
use std::fs;
use std::time::{Duration, Instant};

/// How long a case may take here: the machine may be busy, and no right solution hangs.
const PATIENT: u64 = 60;

/// A recorded hang waits for nothing: it is given this long first.
const HANG: u64 = 2;

/// How many mistakes of an exercise are worth a class's time.
const MISTAKES: std::ops::RangeInclusive<usize> = 2..=20;

/// A solution passes this often in a row: a check that depends on luck fails here.
const RUNS: usize = 5;

/// A program of an exercise, and what must come of it.
struct Program<'a> {
    exercise: &'a Exercise,
    kind: Kind,
    text: String,
}

enum Kind {
    Start,
    Solution,
    Variant(Variant),
}

/// What came of a program.
struct Proof {
    line: String,
    /// What is wrong with the check, or with the material.
    problem: Option<String>,
    /// All cases, if it is the solution; else the one that has rejected it.
    cases: Vec<String>,
    /// What the check says, if it is a wrong solution.
    mistake: Option<Mistake>,
    took: Duration,
}

/// What to do besides.
#[derive(Debug, Default, Clone, Copy)]
pub struct Options {
    /// Print each program, with its times.
    pub verbose: bool,
    /// Write `mistakes.txt`, and do not compare with it.
    pub update: bool,
}

/// Proves these exercises, or all of them. Returns whether nothing is wrong.
pub fn prove(desk: &Desk, names: &[String], options: Options) -> Result<bool, String> {
    let began = Instant::now();
    let chosen =
        names.iter().map(|name| desk.find(name)).collect::<Result<Vec<_>, _>>()?;
    let chosen = if chosen.is_empty() { desk.exercises.clone() } else { chosen };
    let (count, problems) = problems(desk, &chosen, options)?;
    problems.iter().for_each(|it| println!("{BAD}BAD{BAD:#}  {it}"));
    let seconds = began.elapsed().as_secs();
    println!("{} exercises, {count} programs, {seconds} s", chosen.len());
    if problems.is_empty() {
        println!(
            "{GOOD}every right solution passes, every wrong one is rejected{GOOD:#}"
        );
    }
    Ok(problems.is_empty())
}

/// Returns how many programs these exercises have, and what is wrong with them.
pub fn problems(
    desk: &Desk,
    chosen: &[Exercise],
    options: Options,
) -> Result<(usize, Vec<String>), String> {
    let (library, seconds) = (desk.library()?, desk.limit.unwrap_or(PATIENT));
    let mut programs = Vec::new();
    let mut problems = texts::unformatted(chosen, &desk.project);
    for exercise in chosen {
        problems.extend(texts::problems(exercise, &desk.exercises));
        match programs_of(exercise) {
            Ok(all) => programs.extend(all),
            Err(problem) => problems.push(format!("{}: {problem}", exercise.name)),
        }
    }
    let proofs = side_by_side(programs.len(), |number| {
        let bench = Bench { library: &library, seconds, number };
        let proof = proof(&programs[number], &bench);
        if options.verbose {
            println!("{} ({} ms)", proof.line, proof.took.as_millis());
        }
        proof
    });
    for exercise in chosen {
        let of = |it: &(&Program, &Proof)| it.0.exercise.name == exercise.name;
        let own: Vec<_> = programs.iter().zip(&proofs).filter(of).collect();
        problems.extend(unprovoked(exercise, &own));
        problems.extend(recorded(exercise, &own, options.update));
    }
    for proof in &proofs {
        problems
            .extend(proof.problem.iter().map(|it| format!("{}\n  {it}", proof.line)));
    }
    Ok((programs.len(), problems))
}

fn programs_of(exercise: &Exercise) -> Result<Vec<Program<'_>>, String> {
    let solution = exercise.read("solution.rs")?;
    let mut all = vec![
        Program { exercise, kind: Kind::Start, text: exercise.read("start.rs")? },
        Program { exercise, kind: Kind::Solution, text: solution.clone() },
    ];
    for variant in variants::parse(&exercise.read("wrong.txt")?)? {
        let text =
            variant.apply(&solution).map_err(|it| format!("{}: {it}", variant.name))?;
        all.push(Program { exercise, kind: Kind::Variant(variant), text });
    }
    let wrong = |it: &&Program| matches!(&it.kind, Kind::Variant(it) if !it.is_right());
    let count = all.iter().filter(wrong).count();
    if !MISTAKES.contains(&count) {
        return Err(format!("it has {count} mistakes, not {MISTAKES:?}"));
    }
    Ok(all)
}

fn proof(program: &Program, bench: &Bench) -> Proof {
    let began = Instant::now();
    let (line, result) = match &program.kind {
        Kind::Start => ("start".into(), start(program, bench).map(|()| Vec::new())),
        Kind::Solution => ("solution".into(), solution(program, bench)),
        Kind::Variant(it) if it.is_right() => {
            let result = bench.run(program, bench.seconds, 1);
            (it.name.clone(), result.and_then(|it| passes(&it.0)).map(|()| Vec::new()))
        }
        Kind::Variant(it) => {
            let line = format!("{}: wrong: {}", program.exercise.name, it.name);
            let (mistake, problem) = halves(wrong(program, it, bench));
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
struct Bench<'a> {
    library: &'a Library,
    /// How long a case may take, in seconds.
    seconds: u64,
    /// A number of its own, for files.
    number: usize,
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
    let is_usual = line.contains("unused") || line.contains("never");
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
    variant: &Variant,
    bench: &Bench,
) -> Result<Mistake, String> {
    let hangs = variant.ends == Ends::Hangs;
    let seconds = if hangs { HANG } else { bench.seconds };
    let (verdict, _) = bench.run(program, seconds, 1)?;
    let mut failure = verdict.failure.ok_or("it passes")?;
    if hangs && !variant.cases.contains(&failure.case) {
        // The machine was too busy for so short a time.
        let (verdict, _) = bench.run(program, bench.seconds, 1)?;
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
    Ok(Mistake::new(&variant.name, &failure))
}

fn describe(failure: &Failure) -> String {
    let mut lines = vec![format!("    case: {}", failure.case)];
    let why = show::explanation(failure, PATIENT);
    let lines_of_it = why.iter().chain(&failure.story).chain(&failure.printed);
    lines.extend(lines_of_it.map(|line| format!("      {line}")));
    lines.join("\n")
}

/// Returns the cases that no mistake fails. Such a case may reject nothing at all.
fn unprovoked(exercise: &Exercise, own: &[(&Program, &Proof)]) -> Vec<String> {
    let solution = own.iter().find(|it| matches!(it.0.kind, Kind::Solution));
    let all = solution.map_or(&[][..], |it| &it.1.cases);
    let others = own.iter().filter(|it| matches!(it.0.kind, Kind::Variant(_)));
    let failed: HashSet<&String> = others.flat_map(|it| &it.1.cases).collect();
    let missing = all.iter().filter(|it| !failed.contains(it));
    missing
        .map(|case| format!("{}: no mistake is rejected by `{case}`", exercise.name))
        .collect()
}

/// Compares what the checks say with `mistakes.txt`, or writes it. What was recorded stays
/// where it may differ from run to run. Returns what is wrong; if a proof has failed, that
/// comes first.
fn recorded(
    exercise: &Exercise,
    own: &[(&Program, &Proof)],
    update: bool,
) -> Option<String> {
    if own.is_empty() || own.iter().any(|it| it.1.problem.is_some()) {
        return None;
    }
    let text = exercise.read(mistakes::FILE).unwrap_or_default();
    let recorded = mistakes::parse(&text).unwrap_or_default();
    let found: Vec<Mistake> = own
        .iter()
        .filter_map(|(program, proof)| {
            let found = proof.mistake.as_ref()?;
            let is_same = |it: &&Mistake| {
                it.is_like(found) || (it.name == found.name && may_vary(&program.kind))
            };
            Some(recorded.iter().find(is_same).unwrap_or(found).clone())
        })
        .collect();
    if found == recorded {
        return None;
    }
    if update {
        let file = exercise.folder.join(mistakes::FILE);
        let written = fs::write(&file, mistakes::written(&found));
        return written.err().map(|error| format!("{}: {error}", file.display()));
    }
    let name = &exercise.name;
    Some(format!(
        "{name}: the checks no longer say what {} has: \
         `cargo exercise prove --update {name}`",
        mistakes::FILE
    ))
}

/// Returns whether several cases may reject it: then threads decide which of them does.
fn may_vary(kind: &Kind) -> bool {
    matches!(kind, Kind::Variant(it) if it.cases.len() > 1)
}
