//! All that the book owes is explained somewhere.

use crate::book::Book;
use crate::coverage;
use crate::problem::Problem;
use std::fs;

/// Each id is covered by a page, no page covers what is not in the list, and the table is
/// the one that follows from it.
pub fn check(book: &Book) -> Vec<Problem> {
    let items = match coverage::items(&book.place) {
        Ok(items) => items,
        Err(problem) => return vec![problem],
    };
    let list = "book/coverage.txt";
    let mut problems = Vec::new();
    for (line, item) in (1..).zip(&items) {
        if coverage::pages(book, &item.id).is_empty() {
            let text = format!(
                "no page covers {} ({}): write it, and add it to `covers:`",
                item.id, item.title
            );
            problems.push(Problem::new(list, line, text));
        }
    }
    for page in &book.pages {
        for id in page.header.list("covers") {
            if !items.iter().any(|item| item.id == id) {
                let text = format!("covers `{id}`, which {list} does not know");
                problems.push(page.problem(page.header.line, text));
            }
        }
    }
    let file = coverage::file(&book.place);
    let stored = fs::read_to_string(&file).unwrap_or_default();
    if coverage::table(book).is_ok_and(|table| table != stored) {
        let text =
            "is not the table that follows from the headers: `cargo book matrix`";
        problems.push(Problem::new(book.place.shown(&file), 0, text));
    }
    problems
}
