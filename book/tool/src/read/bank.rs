//! The question bank in the folder of the book. Its files are read by the reader of `cargo
//! exercise review`.

use crate::read::include::Include;
use crate::read::place::Place;
use crate::read::problem::Problem;
pub use runner::bank::{Bank, Check, Choice, Level, Question, Source};
use std::path::PathBuf;

/// Reads the bank. A book without one has no questions.
///
/// # Errors
/// A file is not as it should be: all problems, one a line.
pub fn read(place: &Place) -> Result<Bank, String> {
    let (bank, problems) = read_all(place);
    if problems.is_empty() {
        return Ok(bank);
    }
    let problems = problems.iter().map(Problem::to_string);
    Err(problems.collect::<Vec<_>>().join("\n"))
}

/// Reads what can be read, and says what is wrong with the other files.
pub fn read_all(place: &Place) -> (Bank, Vec<Problem>) {
    let (bank, problems) = Bank::read(&folder(place));
    let problem =
        |(file, why): (PathBuf, String)| Problem::new(place.shown(&file), 0, why);
    (bank, problems.into_iter().map(problem).collect())
}

/// The folder of the questions.
pub fn folder(place: &Place) -> PathBuf {
    place.book.join("bank")
}

/// The folder of the programs.
pub fn programs(place: &Place) -> PathBuf {
    folder(place).join("programs")
}

/// The program of a question.
pub fn program(place: &Place, id: &str) -> PathBuf {
    programs(place).join(id).with_extension("rs")
}

/// The letter of an option, by its place.
pub(crate) fn letter(place: usize) -> char {
    ('A'..='Z').nth(place).unwrap_or('?')
}

/// The code below the stem of a question. `None`: it has none.
pub(crate) fn code(question: &Question, place: &Place) -> Option<Include> {
    let listing = question.listing.as_ref()?;
    // A page would write it so; `../` leads to the book, `../../` to the project.
    let path = match listing.strip_prefix("book/") {
        Some(own) => format!("../{own}"),
        None => format!("../../{listing}"),
    };
    Include::parse(place, &format!("{{{{#include {path}}}}}"))
}
