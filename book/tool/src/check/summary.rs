//! The summary lists every page, and nothing else.

use crate::read::book::Book;
use crate::read::problem::Problem;
use crate::read::project::pages;
use std::collections::BTreeSet;

/// mdBook leaves out what is not listed, and stops at what is not there.
pub fn check(book: &Book) -> Vec<Problem> {
    let summary = book.place.book.join("src/SUMMARY.md");
    let shown = book.place.shown(&summary);
    let mut problems = Vec::new();
    if !summary.is_file() {
        problems.push(Problem::new(
            &shown,
            0,
            "is not there: copy it from the project",
        ));
    }
    for entry in book.summary.iter().filter(|it| book.page(&it.slug).is_none()) {
        let text = format!("{}.md is not there: write it", entry.slug);
        problems.push(Problem::new(&shown, entry.line, text));
    }
    let listed: BTreeSet<&str> =
        book.pages.iter().map(|page| page.slug.as_str()).collect();
    for slug in pages(&book.place.book.join("src")) {
        if !listed.contains(slug.as_str()) {
            let file = book.place.shown(&book.place.page(&slug));
            problems.push(Problem::new(file, 0, "SUMMARY.md does not list it: add it"));
        }
    }
    problems
}
