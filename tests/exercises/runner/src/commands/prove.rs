//! `cargo exercise prove`: proves the checks. Every start compiles and fails, every right
//! solution passes, every wrong one is rejected by the case that it names. No case is
//! without a mistake, and no mistake without a case.

use super::{Desk, Outcome, side_by_side, try_file};
use crate::compile::Library;
use crate::material::{Exercise, Project};
use crate::run::{Failure, How, Verdict};
use crate::show::{self, BAD, GOOD};
use crate::variants::{self, Ends, Variant};
use anstream::println;
use similar::{ChangeTag, TextDiff};
use std::collections::HashSet;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

/// How long a case may take here: the machine may be busy, and no right solution hangs.
const PATIENT: u64 = 60;

/// A recorded hang waits for nothing: it is given this long first.
const HANG: u64 = 2;

/// How many mistakes of an exercise are worth a class's time.
const MISTAKES: std::ops::RangeInclusive<usize> = 2..=7;

/// How many words a hint has.
const WORDS: std::ops::RangeInclusive<usize> = 5..=60;

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
    took: Duration,
}

/// Proves these exercises, or all of them. Returns whether nothing is wrong.
pub fn prove(desk: &Desk, names: &[String], verbose: bool) -> Result<bool, String> {
    let began = Instant::now();
    let chosen =
        names.iter().map(|name| desk.find(name)).collect::<Result<Vec<_>, _>>()?;
    let chosen = if chosen.is_empty() { desk.exercises.clone() } else { chosen };
    let (count, problems) = problems(desk, &chosen, verbose)?;
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
    verbose: bool,
) -> Result<(usize, Vec<String>), String> {
    let library = desk.library()?;
    let mut programs = Vec::new();
    let mut problems = unformatted(chosen, &desk.project);
    for exercise in chosen {
        problems.extend(problems_of_texts(exercise, &desk.exercises));
        match programs_of(exercise) {
            Ok(all) => programs.extend(all),
            Err(problem) => problems.push(format!("{}: {problem}", exercise.name)),
        }
    }
    let proofs = side_by_side(programs.len(), |number| {
        let proof = proof(&programs[number], number, &library, desk);
        if verbose {
            println!("{} ({} ms)", proof.line, proof.took.as_millis());
        }
        proof
    });
    for exercise in chosen {
        let of = |it: &(&Program, &Proof)| it.0.exercise.name == exercise.name;
        let own: Vec<_> = programs.iter().zip(&proofs).filter(of).collect();
        problems.extend(unprovoked(exercise, &own));
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

fn proof(program: &Program, number: usize, library: &Library, desk: &Desk) -> Proof {
    let began = Instant::now();
    let (line, result) = match &program.kind {
        Kind::Start => ("start".into(), start(program, number, library, desk)),
        Kind::Solution => {
            ("solution".into(), right(program, number, library, desk, RUNS))
        }
        Kind::Variant(it) if it.is_right() => {
            (it.name.clone(), right(program, number, library, desk, 1))
        }
        Kind::Variant(it) => {
            (format!("wrong: {}", it.name), wrong(program, it, number, library, desk))
        }
    };
    let line = format!("{}: {line}", program.exercise.name);
    let (cases, problem) = match result {
        Ok(cases) => (cases, None),
        Err(problem) => (Vec::new(), Some(problem)),
    };
    Proof { line, problem, cases, took: began.elapsed() }
}

/// Compiles and runs a program.
fn outcome(
    program: &Program,
    number: usize,
    library: &Library,
    desk: &Desk,
    seconds: u64,
) -> Result<(Verdict, String), String> {
    let name = format!("prove_{}_{number}", program.exercise.name);
    let source = desk.project.work().join(format!("{name}.rs"));
    fs::write(&source, &program.text)
        .map_err(|it| format!("{}: {it}", source.display()))?;
    match try_file(library, &source, &name, seconds, false)? {
        Outcome::Refused(errors) => Err(format!("it does not compile:\n{errors}")),
        Outcome::Ran(verdict, warnings) => Ok((verdict, warnings)),
    }
}

/// The start compiles, remarks at most what is unused, and fails in a clear way.
fn start(
    program: &Program,
    number: usize,
    library: &Library,
    desk: &Desk,
) -> Result<Vec<String>, String> {
    let (verdict, warnings) = outcome(program, number, library, desk, patience(desk))?;
    let failure = verdict.failure.ok_or("the start passes")?;
    if !matches!(failure.how, How::Todo | How::Panicked) {
        return Err(format!("the start fails badly:\n{}", describe(&failure)));
    }
    if let Some(warning) = warnings.lines().find(|it| is_no_warning_of_a_start(it)) {
        return Err(format!("a learner would be warned about the start: {warning}"));
    }
    Ok(Vec::new())
}

fn is_no_warning_of_a_start(line: &str) -> bool {
    let is_summary =
        line.contains("warnings emitted") || line.contains("warning emitted");
    let is_usual = line.contains("unused") || line.contains("never");
    line.starts_with("warning: ") && !is_summary && !is_usual
}

/// A right solution passes, each time, and without a remark.
fn right(
    program: &Program,
    number: usize,
    library: &Library,
    desk: &Desk,
    runs: usize,
) -> Result<Vec<String>, String> {
    let mut cases = Vec::new();
    let (verdict, warnings) = outcome(program, number, library, desk, patience(desk))?;
    passes(&verdict)?;
    if runs > 1 {
        if !warnings.is_empty() {
            return Err(format!("the compiler remarks:\n{warnings}"));
        }
        let name = format!("prove_{}_{number}", program.exercise.name);
        library.clippy(&desk.project.work().join(format!("{name}.rs")))?;
        let path = desk.project.work().join(name + std::env::consts::EXE_SUFFIX);
        for _ in 1..runs {
            let verdict = crate::run::run(&path, patience(desk))?;
            passes(&verdict).map_err(|it| format!("not each time: {it}"))?;
        }
        cases.extend(verdict.held.iter().cloned());
    }
    Ok(cases)
}

fn passes(verdict: &Verdict) -> Result<(), String> {
    let failure = verdict.failure.as_ref();
    failure.map_or(Ok(()), |failure| {
        Err(format!("it is rejected:\n{}", describe(failure)))
    })
}

/// A wrong solution is rejected, by the case that it names, in the way that it names.
fn wrong(
    program: &Program,
    variant: &Variant,
    number: usize,
    library: &Library,
    desk: &Desk,
) -> Result<Vec<String>, String> {
    let hangs = variant.ends == Ends::Hangs;
    let seconds = if hangs { HANG } else { patience(desk) };
    let (verdict, _) = outcome(program, number, library, desk, seconds)?;
    let mut failure = verdict.failure.ok_or("it passes")?;
    if hangs && !variant.cases.contains(&failure.case) {
        // The machine was too busy for so short a time.
        let (verdict, _) = outcome(program, number, library, desk, patience(desk))?;
        failure = verdict.failure.ok_or("it passes")?;
    }
    let ends = match failure.how {
        How::Panicked => Some(Ends::Panics),
        How::Hung => Some(Ends::Hangs),
        How::Aborted | How::Overflowed => Some(Ends::Aborts),
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
    Ok(vec![failure.case])
}

fn patience(desk: &Desk) -> u64 {
    desk.limit.unwrap_or(PATIENT)
}

fn describe(failure: &Failure) -> String {
    let mut lines = vec![format!("    case: {}", failure.case)];
    let why = show::explanation(failure, PATIENT);
    let told = why.iter().chain(&failure.story).chain(&failure.printed);
    lines.extend(told.map(|line| format!("      {line}")));
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

/// Returns what is wrong with the hints, the needs, and the number of lines.
fn problems_of_texts(exercise: &Exercise, all: &[Exercise]) -> Vec<String> {
    let mut problems = Vec::new();
    let at = |name: &str| all.iter().position(|it| it.name == name);
    for need in &exercise.needs {
        if at(need).is_none_or(|need| Some(need) >= at(&exercise.name)) {
            problems.push(format!("it needs `{need}`, which is not before it"));
        }
    }
    if all.iter().filter(|it| it.name == exercise.name).count() > 1 {
        problems.push("another exercise has its name".into());
    }
    let is_same_place =
        |it: &&Exercise| (it.number, it.place) == (exercise.number, exercise.place);
    if all.iter().filter(is_same_place).count() > 1 {
        problems.push("another exercise has its place".into());
    }
    match exercise.hints() {
        Err(problem) => problems.push(problem),
        Ok(hints) => {
            let counts = hints.iter().map(|hint| hint.split_whitespace().count());
            for count in counts.filter(|count| !WORDS.contains(count)) {
                problems.push(format!("a hint has {count} words, not {WORDS:?}"));
            }
        }
    }
    match lines_to_write(exercise) {
        Err(problem) => problems.push(problem),
        Ok(lines) => {
            let room = (exercise.lines / 5).max(2);
            if lines.abs_diff(exercise.lines) > room {
                let said = exercise.lines;
                problems
                    .push(format!("`lines: {said}`, and the solution adds {lines}"));
            }
        }
    }
    problems.iter().map(|it| format!("{}: {it}", exercise.name)).collect()
}

/// Returns how many lines of code the solution has that the start has not.
fn lines_to_write(exercise: &Exercise) -> Result<usize, String> {
    let (start, solution) = (exercise.read("start.rs")?, exercise.read("solution.rs")?);
    let diff = TextDiff::from_lines(&start, &solution);
    let is_code =
        |line: &str| !line.trim().is_empty() && !line.trim().starts_with("//");
    let added = diff.iter_all_changes().filter(|it| it.tag() == ChangeTag::Insert);
    Ok(added.filter(|it| is_code(it.value())).count())
}

/// Returns the files that rustfmt would change.
fn unformatted(chosen: &[Exercise], project: &Project) -> Vec<String> {
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.current_dir(&project.root).args(["--edition=2024", "--check", "-l"]);
    for exercise in chosen {
        let files = ["start.rs", "solution.rs"].map(|file| exercise.folder.join(file));
        rustfmt.args(files.iter().map(|file| project.short(file)));
    }
    match rustfmt.output() {
        Err(error) => vec![format!("rustfmt: {error}")],
        Ok(output) => {
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said).into_owned();
            said.lines().map(|line| format!("rustfmt would change {line}")).collect()
        }
    }
}
