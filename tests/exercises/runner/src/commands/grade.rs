//! `cargo exercise grade`: the solutions of a class. Each folder is a student's; its name is
//! the student's name. The checks are those of this checkout.

use super::{Desk, Outcome, side_by_side, try_file};
use crate::compile::Library;
use crate::material::{self, Exercise};
use crate::run::Verdict;
use crate::show::{BAD, GOOD, TODO};
use anstream::println;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// What came of an exercise of a student.
struct Grade {
    outcome: Outcome,
    /// Whether its code is that of the repository's solution, line by line.
    is_copy: bool,
}

/// Checks each exercise in each folder. A solution holds or not; there are no points.
pub fn grade(desk: &Desk, folders: &[PathBuf], as_json: bool) -> Result<bool, String> {
    let wrong: Vec<String> =
        folders.iter().filter_map(|it| wrong_folder(desk, it).err()).collect();
    if !wrong.is_empty() {
        return Err(wrong.join("\n"));
    }
    let library = desk.library()?;
    let jobs: Vec<(&PathBuf, &Exercise)> = folders
        .iter()
        .flat_map(|folder| {
            desk.exercises.iter().map(move |exercise| (folder, exercise))
        })
        .collect();
    let results = side_by_side(jobs.len(), |number| {
        let (folder, exercise) = jobs[number];
        let name = format!("grade_{number}");
        one(&library, folder, exercise, (&name, desk.seconds()))
    });
    let results: Vec<Option<Grade>> =
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

/// Returns an error if no file of a folder has the name of an exercise. It names a folder
/// below this one that has such files.
fn wrong_folder(desk: &Desk, folder: &Path) -> Result<(), String> {
    if !folder.is_dir() {
        return Err(format!("{}: no such folder", folder.display()));
    }
    if has_exercises(desk, folder) {
        return Ok(());
    }
    let found = below(folder, MOST_DEEP).into_iter().find(|it| has_exercises(desk, it));
    let hint =
        found.map_or(String::new(), |it| format!("; did you mean {}?", it.display()));
    Err(format!(
        "{}: no file here has the name of an exercise, such as leaf.rs{hint}",
        folder.display()
    ))
}

/// How far below a folder its files are looked for.
const MOST_DEEP: usize = 4;

/// Returns the folders below this one, but links to folders.
fn below(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
    // A folder that cannot be read has no files for us.
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_folder = |it: &fs::DirEntry| it.file_type().is_ok_and(|kind| kind.is_dir());
    let mut own: Vec<PathBuf> = entries.filter(is_folder).map(|it| it.path()).collect();
    own.sort();
    let deeper: Vec<PathBuf> = own.iter().flat_map(|it| below(it, depth)).collect();
    own.into_iter().chain(deeper).collect()
}

fn has_exercises(desk: &Desk, folder: &Path) -> bool {
    desk.exercises.iter().any(|it| folder.join(format!("{}.rs", it.name)).is_file())
}

/// Checks one exercise of a student. `None`: there is no file.
fn one(
    library: &Library,
    folder: &Path,
    exercise: &Exercise,
    (name, seconds): (&str, u64),
) -> Result<Option<Grade>, String> {
    let source = folder.join(format!("{}.rs", exercise.name));
    let source = std::path::absolute(source).map_err(|error| error.to_string())?;
    if !source.exists() {
        return Ok(None);
    }
    let outcome = try_file(library, &source, name, seconds, false)?;
    let solution = exercise.read("solution.rs")?;
    // A file that is no text has been refused by the compiler.
    let is_copy = material::read(&source).is_ok_and(|it| code(&it).eq(code(&solution)));
    Ok(Some(Grade { outcome, is_copy }))
}

/// Returns the lines of code, without comments, blank lines and indentation.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let is_code = |line: &&str| !line.is_empty() && !line.starts_with("//");
    text.lines().map(str::trim).filter(is_code)
}

fn name_of(folder: &Path) -> String {
    let folder = folder.canonicalize().unwrap_or(folder.into());
    folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned()
}

/// Returns the state of a solution in a word, how many cases hold, and the first that
/// does not.
fn summary(grade: Option<&Grade>) -> (&'static str, usize, Option<&str>) {
    match grade.map(|it| &it.outcome) {
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

fn print_student(desk: &Desk, folder: &Path, row: &[Option<Grade>]) {
    let held = row.iter().flatten().filter(|it| it.outcome.holds()).count();
    println!("{}: {held} of {}", name_of(folder), row.len());
    let width = desk.exercises.iter().map(|it| it.name.len()).max().unwrap_or_default();
    for (exercise, grade) in desk.exercises.iter().zip(row) {
        let Some(grade) = grade else { continue };
        let (state, count, case) = summary(Some(grade));
        let (style, mark) = if state == "holds" { (GOOD, "✓") } else { (BAD, "✗") };
        let more = case.map_or(String::new(), |case| failed_at(case, count));
        let copy = if grade.is_copy { COPY } else { "" };
        println!(
            "  {style}{mark}{style:#} {:width$}  {state}{more}{TODO}{copy}{TODO:#}",
            exercise.name
        );
    }
}

const COPY: &str = ", and is a copy of the repository's solution";

fn failed_at(case: &str, count: usize) -> String {
    match (case, count) {
        ("", _) => " before the first case".into(),
        (_, 1) => format!(" after 1 case: {case}"),
        _ => format!(" after {count} cases: {case}"),
    }
}

fn student_as_json(desk: &Desk, folder: &Path, row: &[Option<Grade>]) -> Value {
    let exercises = desk.exercises.iter().zip(row).map(|(exercise, grade)| {
        let (state, cases_held, first_failing_case) = summary(grade.as_ref());
        json!({
            "exercise": exercise.name,
            "chapter": exercise.number,
            "state": state,
            "cases_held": cases_held,
            "first_failing_case": first_failing_case,
            "is_copy": grade.as_ref().is_some_and(|it| it.is_copy),
        })
    });
    json!({ "student": name_of(folder), "exercises": exercises.collect::<Vec<_>>() })
}
