//! All that the book owes is explained somewhere.

use crate::read::book::Book;
use crate::read::coverage;
use crate::read::problem::Problem;

/// Each id is covered by a page, and no page covers what is not in the list.
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
    problems
}
