//! What is included is there, and is not empty.

use crate::read::book::Book;
use crate::read::page::Page;
use crate::read::problem::Problem;
use crate::read::text::Line;

/// mdBook leaves a missing anchor empty, and prints a missing file's include as it is.
pub fn check(book: &Book, page: &Page) -> Vec<Problem> {
    let includes = page.includes(&book.place).into_iter();
    let empty = includes
        .filter_map(|(line, include)| Some(page.problem(line, include.lines().err()?)));
    let readable = |line: &Line| {
        page.includes(&book.place).iter().any(|(number, _)| *number == line.number)
    };
    let other = page.lines.iter().filter(|line| line.text.contains("{{#"));
    let other = other.filter(|line| !line.is_comment && !readable(line));
    let why = "write {{#include FILE:ANCHOR}}, alone in its line";
    let other = other.map(|line| page.problem(line.number, why));
    empty.chain(other).collect()
}
