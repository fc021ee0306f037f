//! `cargo exercise mutate`: changes a solution in one place at a time, and lists what the
//! check lets pass. Each such change is right, and `wrong.txt` says so, or it is a mistake
//! that a case is missing for.

use super::{Desk, on_threads, processors, side_by_side};
use crate::compile::Library;
use crate::material::Exercise;
use crate::mutants::{Mutant, mutants};
use crate::run::{How, Verdict};
use crate::show::{BAD, GOOD};
use crate::together::Together;
use crate::variants;
use anstream::println;
use std::fs;

/// The most changes that are tried for an exercise.
const MOST: usize = 25;

/// How many are compiled, since many do not compile.
const CANDIDATES: usize = 3 * MOST;

/// How long a case may take, in seconds: a change that makes it hang is rejected.
const SECONDS: u64 = 3;

/// What came of the changes of an exercise.
struct Tried {
    /// How many compile.
    count: usize,
    /// How many were rejected because a case took too long.
    hung: usize,
    /// Those that pass, each with whether `wrong.txt` has it as right.
    passed: Vec<(Mutant, bool)>,
}

/// Changes the solutions of these exercises, or of all. Returns whether each change that
/// passes is known to be right.
pub fn mutate(desk: &Desk, names: &[String]) -> Result<bool, String> {
    let library = desk.library()?;
    let mut is_known = true;
    for exercise in &desk.chosen(names)? {
        let tried = tried(exercise, &library, desk.limit.unwrap_or(SECONDS))?;
        let (right, new): (Vec<_>, Vec<_>) = tried.passed.iter().partition(|it| it.1);
        println!(
            "{}: {} changes, {} rejected ({} hang), {} known to be right, {} that pass",
            exercise.name,
            tried.count,
            tried.count - tried.passed.len(),
            tried.hung,
            right.len(),
            new.len()
        );
        for (mutant, _) in new {
            is_known = false;
            let Mutant { what, old, new, .. } = mutant;
            println!("{BAD}PASSES{BAD:#} {what}\n---\n{old}+++\n{new}");
        }
    }
    if is_known {
        println!("{GOOD}every change that passes is known to be right{GOOD:#}");
    }
    Ok(is_known)
}

fn tried(
    exercise: &Exercise,
    library: &Library,
    seconds: u64,
) -> Result<Tried, String> {
    let name = &exercise.name;
    let solution = exercise.read("solution.rs")?;
    let variants = variants::parse(&exercise.read("wrong.txt")?)?;
    let right: Vec<_> = variants.iter().filter(|it| it.is_right()).collect();
    let candidates: Vec<Mutant> =
        mutants(&solution).into_iter().take(CANDIDATES).collect();
    let compiles = side_by_side(candidates.len(), |number| {
        let source = library.work().join(format!("mutant_{name}_{number}.rs"));
        let written = fs::write(&source, &candidates[number].text);
        written.map_err(|error| format!("{}: {error}", source.display()))?;
        library.accepts(&source, &format!("mutant_{name}_{number}"))
    });
    let compiles = compiles.into_iter().collect::<Result<Vec<_>, _>>()?;
    let both = candidates.into_iter().zip(compiles);
    let chosen: Vec<Mutant> =
        both.filter(|it| it.1).map(|it| it.0).take(MOST).collect();
    if chosen.is_empty() {
        return Err(format!("{name}: no change of its solution compiles"));
    }
    // The solution itself comes last: what a check rejects anyway says nothing.
    let texts = chosen.iter().map(|it| &it.text).chain([&solution]);
    let texts: Vec<&String> = texts.collect();
    let together = Together::compile(library, &format!("mutate_{name}"), &texts)?;
    // More than there are processors, as some of them hang.
    let verdicts = on_threads(2 * processors(), texts.len(), |number| {
        together.run(number, seconds)
    });
    let mut verdicts = verdicts.into_iter().collect::<Result<Vec<Verdict>, _>>()?;
    let unchanged = verdicts.pop().expect("the solution was run");
    if let Some(failure) = unchanged.failure {
        return Err(format!("{name}: the solution itself fails in `{}`", failure.case));
    }
    let (count, mut hung, mut passed) = (chosen.len(), 0, Vec::new());
    for (mutant, verdict) in chosen.into_iter().zip(verdicts) {
        match verdict.failure {
            Some(failure) => hung += usize::from(failure.how == How::Hung),
            None => {
                let is_right =
                    right.iter().any(|known| known.replaces(&mutant.old, &mutant.new));
                passed.push((mutant, is_right));
            }
        }
    }
    Ok(Tried { count, hung, passed })
}
