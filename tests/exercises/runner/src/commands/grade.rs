//! `cargo exercise grade`: the solutions of a class. Each folder is a student's; its name is
//! the student's name. The checks are those of this checkout.

mod alike;
mod found;

use super::{Desk, Outcome, side_by_side, try_file};
use crate::holes;
use crate::material::{self, Exercise};
use crate::run::{How, Verdict};
use anstream::{eprintln, print};
use found::Student;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What is graded.
#[derive(Debug, Default, clap::Args)]
pub struct Order {
    /// A folder of solutions for each student
    #[arg(required = true)]
    pub folders: Vec<PathBuf>,
    /// Only these exercises, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub only: Vec<String>,
}

/// The grades of a student: `None` where there is no file.
type Row = Vec<Option<Outcome>>;

/// Checks each exercise in each folder, and prints a table for a spreadsheet. A solution
/// holds or not; there are no points.
pub fn grade(desk: &Desk, order: &Order) -> Result<bool, String> {
    let exercises = desk.chosen(&order.only)?;
    let students = found::students(&order.folders, &exercises)?;
    // What can fail comes before what takes minutes.
    let alike = alike::all(desk, &students, &exercises)?;
    let rows = checked(desk, &students, &exercises)?;
    let names = exercises.iter().map(|it| it.name.clone());
    let head = ["student".into(), "hold".into()].into_iter().chain(names);
    print!("{}", line(head.chain(["alike".into()])));
    for ((student, row), alike) in students.iter().zip(&rows).zip(&alike) {
        let held = row.iter().flatten().filter(|it| it.holds()).count();
        let first = [student.name.clone(), held.to_string()].into_iter();
        let cells = row.iter().zip(&student.files);
        let cells = cells.map(|(it, file)| cell(it.as_ref()) + &claim(file.as_deref()));
        print!("{}", line(first.chain(cells).chain([alike.join("; ")])));
    }
    if alike.iter().any(|it| !it.is_empty()) {
        eprintln!("{}", alike::how_to_read());
    }
    Ok(true)
}

/// Compiles and runs all files, and says on standard error how far it is.
fn checked(
    desk: &Desk,
    students: &[Student],
    exercises: &[Exercise],
) -> Result<Vec<Row>, String> {
    let library = desk.library()?;
    let count = students.iter().flat_map(|it| &it.files).flatten().count();
    let (columns, done) = (exercises.len(), AtomicUsize::new(0));
    let outcomes = side_by_side(students.len() * columns, |number| {
        let Some(file) = &students[number / columns].files[number % columns] else {
            return Ok(None);
        };
        let name = format!("grade_{number}");
        let mut outcome = try_file(&library, file, &name, desk.seconds(), false)?;
        if hung(&outcome) {
            outcome =
                try_file(&library, file, &name, desk.seconds().max(PATIENT), false)?;
        }
        let done = done.fetch_add(1, Relaxed) + 1;
        if done == count || done % (count / 10).max(1) == 0 {
            eprintln!("{done} of {count} files are checked");
        }
        Ok(Some(outcome))
    });
    let mut outcomes =
        outcomes.into_iter().collect::<Result<Vec<_>, String>>()?.into_iter();
    Ok(students.iter().map(|_| outcomes.by_ref().take(columns).collect()).collect())
}

/// How many seconds a case has that seemed to hang: the machine may be busy.
const PATIENT: u64 = 60;

fn hung(outcome: &Outcome) -> bool {
    let Outcome::Ran(verdict, _) = outcome else { return false };
    verdict.failure.as_ref().is_some_and(|it| it.how == How::Hung)
}

/// Returns the state of a solution in a few words.
fn cell(outcome: Option<&Outcome>) -> String {
    match outcome {
        None => "missing".into(),
        Some(Outcome::Refused(_)) => "does not compile".into(),
        Some(Outcome::Ran(Verdict { held, failure: Some(it), .. }, _)) => {
            let before = format!("fails after {}: {}", held.len(), it.case);
            before.trim_end_matches(": ").into()
        }
        Some(Outcome::Ran(..)) => "holds".into(),
    }
}

/// Returns which level's start a file says it was made from, if that is not the usual one: what
/// that start has is not compared.
fn claim(file: Option<&Path>) -> String {
    let text = file.and_then(|it| material::read(it).ok()).unwrap_or_default();
    match holes::level_of(&text) {
        holes::USUAL => String::new(),
        level => format!(" (level {level})"),
    }
}

/// A line of CSV. A cell that begins like a formula would be computed by a spreadsheet.
fn line(cells: impl Iterator<Item = String>) -> String {
    let cell = |it: String| match it.starts_with(['=', '+', '-', '@']) {
        true => format!("'{it}"),
        false => it,
    };
    let cell = |it: String| format!("\"{}\"", cell(it).replace('"', "\"\""));
    cells.map(cell).collect::<Vec<_>>().join(",") + "\n"
}
