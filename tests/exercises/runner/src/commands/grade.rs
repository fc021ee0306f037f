//! `cargo exercise grade`: the solutions of a class. Each folder is a student's; its name is
//! the student's name. The checks are those of this checkout.

use super::{Desk, Outcome, side_by_side, try_file};
use crate::material::Exercise;
use crate::run::Verdict;
use crate::show::{BAD, GOOD};
use anstream::println;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Checks each exercise in each folder. A solution holds or not; there are no points.
pub fn grade(desk: &Desk, folders: &[PathBuf], as_json: bool) -> Result<bool, String> {
    let library = desk.library()?;
    for folder in folders {
        if !folder.is_dir() {
            return Err(format!("{}: no such folder", folder.display()));
        }
    }
    let jobs: Vec<(&PathBuf, &Exercise)> = folders
        .iter()
        .flat_map(|folder| {
            desk.exercises.iter().map(move |exercise| (folder, exercise))
        })
        .collect();
    let results = side_by_side(jobs.len(), |number| {
        let (folder, exercise) = jobs[number];
        let source = folder.join(format!("{}.rs", exercise.name));
        let source = std::path::absolute(source).map_err(|error| error.to_string())?;
        if !source.exists() {
            return Ok(None);
        }
        let name = format!("grade_{number}");
        try_file(&library, &source, &name, desk.seconds(), false).map(Some)
    });
    let results: Vec<Option<Outcome>> =
        results.into_iter().collect::<Result<_, String>>()?;
    let rows = folders.iter().zip(results.chunks(desk.exercises.len().max(1)));
    if as_json {
        let students: Vec<Value> =
            rows.map(|(folder, row)| student_as_json(desk, folder, row)).collect();
        let text = serde_json::to_string_pretty(&json!({ "students": students }));
        println!("{}", text.expect("strings and numbers are JSON"));
    } else {
        rows.for_each(|(folder, row)| print_student(desk, folder, row));
    }
    Ok(true)
}

fn name_of(folder: &Path) -> String {
    let folder = folder.canonicalize().unwrap_or(folder.into());
    folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned()
}

/// Returns the state of a solution in a word, how many cases hold, and the first that
/// does not.
fn summary(outcome: Option<&Outcome>) -> (&'static str, usize, Option<&str>) {
    match outcome {
        None => ("missing", 0, None),
        Some(Outcome::Refused(_)) => ("does not compile", 0, None),
        Some(Outcome::Ran(Verdict { held, failure: None, .. }, _)) => {
            ("holds", held.len(), None)
        }
        Some(Outcome::Ran(Verdict { held, failure: Some(failure), .. }, _)) => {
            ("fails", held.len(), Some(&failure.case))
        }
    }
}

fn print_student(desk: &Desk, folder: &Path, row: &[Option<Outcome>]) {
    let held = row.iter().flatten().filter(|it| it.holds()).count();
    println!("{}: {held} of {}", name_of(folder), row.len());
    let width = desk.exercises.iter().map(|it| it.name.len()).max().unwrap_or_default();
    for (exercise, outcome) in desk.exercises.iter().zip(row) {
        let (state, count, case) = summary(outcome.as_ref());
        let (style, mark) = if state == "holds" { (GOOD, "✓") } else { (BAD, "✗") };
        let more =
            case.map_or(String::new(), |case| format!(" after {count} cases: {case}"));
        if outcome.is_some() {
            println!(
                "  {style}{mark}{style:#} {:width$}  {state}{more}",
                exercise.name
            );
        }
    }
}

fn student_as_json(desk: &Desk, folder: &Path, row: &[Option<Outcome>]) -> Value {
    let exercises = desk.exercises.iter().zip(row).map(|(exercise, outcome)| {
        let (state, cases_held, first_failing_case) = summary(outcome.as_ref());
        json!({
            "exercise": exercise.name,
            "chapter": exercise.number,
            "state": state,
            "cases_held": cases_held,
            "first_failing_case": first_failing_case,
        })
    });
    json!({ "student": name_of(folder), "exercises": exercises.collect::<Vec<_>>() })
}
