//! Slides fit their plan, and all that they name is there.

use super::handout;
use super::lecture::Lecture;
use super::script::names;
use crate::read::book::Book;
use crate::read::problem::Problem;

/// Where slides are written, they make a deck and a handout.
pub fn check(book: &Book) -> Vec<Problem> {
    names(&book.place).iter().flat_map(|name| of_plan(book, name)).collect()
}

fn of_plan(book: &Book, name: &str) -> Vec<Problem> {
    let made = Lecture::read(book, name).and_then(|lecture| {
        lecture.deck(book)?;
        handout::page(book, &lecture, name)
    });
    made.err().unwrap_or_default()
}
