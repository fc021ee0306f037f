//! `cargo exercise prove`: proves the checks. Every start compiles and fails, every right
//! solution passes, every wrong one is rejected by the case that it names. No case is
//! without a mistake, and no mistake without a case. What the checks say about the mistakes
//! is what `mistakes.txt` has, which the book prints.

mod ports;
mod program;

use super::{Desk, on_threads, processors, side_by_side, texts};
use crate::compile::Library;
use crate::material::{self, CHECKS, Exercise, Project};
use crate::mistakes::{self, Mistake};
use crate::show::{BAD, GOOD};
use crate::together::Together;
use crate::variants;
use anstream::println;
use program::{Bench, Kind, PATIENT, Program, Proof, proof};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::time::Instant;

/// How many mistakes of an exercise are worth a class's time.
const MISTAKES: std::ops::RangeInclusive<usize> = 2..=20;

/// What to do besides.
#[derive(Debug, Default, Clone, Copy, clap::Args)]
pub struct Options {
    /// Prints each program, with its times
    #[arg(long, short)]
    pub verbose: bool,
    /// Writes what the checks say about the mistakes to mistakes.txt, for the book
    #[arg(long)]
    pub update: bool,
}

/// Proves these exercises, or all of them. Returns whether nothing is wrong.
pub fn prove(desk: &Desk, names: &[String], options: Options) -> Result<bool, String> {
    let began = Instant::now();
    let chosen = desk.chosen(names)?;
    list_modules(desk, options.update)?;
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

/// Compares the list of the checks' modules with the exercises, or writes it.
fn list_modules(desk: &Desk, update: bool) -> Result<(), String> {
    let file = desk.project.root.join(CHECKS).with_extension("rs");
    let modules = material::modules(&desk.exercises, &desk.project.root)?;
    if material::read(&file)? == modules {
        return Ok(());
    }
    let short = desk.project.short(&file).display();
    if update {
        return fs::write(&file, modules).map_err(|error| format!("{short}: {error}"));
    }
    Err(format!(
        "{short} is not as the exercises need it: `cargo exercise prove --update`"
    ))
}

/// Returns how many programs these exercises have, and what is wrong with them.
pub fn problems(
    desk: &Desk,
    chosen: &[Exercise],
    options: Options,
) -> Result<(usize, Vec<String>), String> {
    let (library, seconds) = (desk.library()?, desk.limit.unwrap_or(PATIENT));
    let mut programs = Vec::new();
    let mut problems = texts::unformatted(chosen, &desk.project, library.work())?;
    problems.extend(ports::problems(chosen, &desk.exercises, &desk.project.root)?);
    for exercise in chosen {
        problems.extend(texts::problems(exercise, &desk.exercises));
        match programs_of(exercise, &desk.project) {
            Ok(all) => programs.extend(all),
            Err(problem) => problems.push(format!("{}: {problem}", exercise.name)),
        }
    }
    let together = variants_together(&library, chosen, &programs);
    // More than there are processors, as some of them hang.
    let proofs = on_threads(2 * processors(), programs.len(), |number| {
        let program = &programs[number];
        let together = together.get(program.exercise.name.as_str());
        let bench = Bench { library: &library, together, seconds, number };
        let proof = proof(program, &bench);
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

fn programs_of<'a>(
    exercise: &'a Exercise,
    project: &Project,
) -> Result<Vec<Program<'a>>, String> {
    let solution = exercise.read("solution.rs")?;
    let start = |(text, level)| Program { exercise, kind: Kind::Start(level), text };
    let starts = exercise.starts(&project.root)?;
    let mut all: Vec<Program> = starts.into_iter().map(start).collect();
    all.push(Program { exercise, kind: Kind::Solution, text: solution.clone() });
    let variants = variants::parse(&exercise.read("wrong.txt")?)?;
    for (number, variant) in variants.into_iter().enumerate() {
        let text =
            variant.apply(&solution).map_err(|it| format!("{}: {it}", variant.name))?;
        all.push(Program { exercise, kind: Kind::Variant(number, variant), text });
    }
    let wrong =
        |it: &&Program| matches!(&it.kind, Kind::Variant(_, it) if !it.is_right());
    let count = all.iter().filter(wrong).count();
    if !MISTAKES.contains(&count) {
        return Err(format!("it has {count} mistakes, not {MISTAKES:?}"));
    }
    Ok(all)
}

/// Compiles the variants of each exercise to one program. An exercise is missing if its
/// variants do not compile so.
fn variants_together<'a>(
    library: &Library,
    chosen: &'a [Exercise],
    programs: &[Program],
) -> HashMap<&'a str, Together> {
    let compiled = side_by_side(chosen.len(), |number| {
        let name = &chosen[number].name;
        let is_one = |it: &&Program| {
            it.exercise.name == *name && matches!(it.kind, Kind::Variant(..))
        };
        let texts: Vec<&str> =
            programs.iter().filter(is_one).map(|it| it.text.as_str()).collect();
        Together::compile(library, &format!("prove_{name}"), &texts)
    });
    let names = chosen.iter().map(|it| it.name.as_str());
    let mut all = HashMap::new();
    for (name, compiled) in names.zip(compiled) {
        match compiled {
            Ok(together) => drop(all.insert(name, together)),
            // Each is compiled alone then, which only takes longer.
            Err(why) => {
                eprintln!("{name}: its variants do not compile together: {why}")
            }
        }
    }
    all
}

/// Returns the cases that no mistake fails. Such a case may reject nothing at all.
fn unprovoked(exercise: &Exercise, own: &[(&Program, &Proof)]) -> Vec<String> {
    let solution = own.iter().find(|it| matches!(it.0.kind, Kind::Solution));
    let all = solution.map_or(&[][..], |it| &it.1.cases);
    let others = own.iter().filter(|it| matches!(it.0.kind, Kind::Variant(..)));
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
    matches!(kind, Kind::Variant(_, it) if it.cases.len() > 1)
}
