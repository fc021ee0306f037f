//! Sentences of chapters that point at lines of a listing, "look at line 4", point at lines
//! that are there.

use crate::read::book::Book;
use crate::read::page::{Page, Role};
use crate::read::pointer::pointers;
use crate::read::problem::Problem;

/// Each part of a sentence that points at lines finds them.
pub fn check(book: &Book, page: &Page) -> Vec<Problem> {
    if page.role == Role::Appendix {
        return Vec::new();
    }
    let problems = page.prose().flat_map(|line| {
        let wrong = pointers(&book.place, &page.fences, line).into_iter();
        wrong.filter_map(|it| Some(page.problem(line.number, it.err()?)))
    });
    problems.collect()
}
