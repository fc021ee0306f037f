//! A chapter names the earlier chapters that it needs, and its minutes.

use crate::book::Book;
use crate::page::{Page, Role};
use crate::problem::Problem;

/// What the top of a page shows has to be true: `needs` are chapters with a number, before
/// this one, each once and in order; `minutes` are two numbers.
pub fn check(book: &Book, page: &Page) -> Vec<Problem> {
    if page.role == Role::Appendix {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    if page.header.field("minutes").is_some() && page.minutes().is_none() {
        wrong.push("write `minutes: 25+30`, to read and to work".to_string());
    }
    let own = page.role.number().unwrap_or(0);
    let mut before = 0;
    for need in page.header.list("needs") {
        match book.page(&need).and_then(|page| page.role.number()) {
            None => wrong.push(format!("needs `{need}`, which is no chapter")),
            Some(number) if number >= own => {
                wrong.push(format!("needs `{need}`, which does not come before it"));
            }
            Some(number) if number <= before => {
                wrong.push(format!("needs `{need}`: write each once, and in order"));
            }
            Some(number) => before = number,
        }
    }
    wrong.into_iter().map(|text| page.problem(page.header.line, text)).collect()
}
