//! A chapter names the earlier chapters that it needs, and links call chapters by their numbers.

use crate::read::book::Book;
use crate::read::page::{Page, Role};
use crate::read::problem::Problem;
use crate::read::text::Line;

pattern!(NUMBERED, r"\[(?:[Cc]hapters? )?(\d+)\]\(([a-z0-9-]+)\.md[)#]");

/// The numbers follow from the summary: `[chapter 18](pin.md)` leads to chapter 18.
pub fn numbers(book: &Book, page: &Page) -> Vec<Problem> {
    let of_line = |line: &Line| -> Vec<Problem> {
        let links = NUMBERED.captures_iter(&line.text);
        let wrong = links.filter_map(|link| {
            let number = book.page(&link[2])?.role.number();
            let number = number.map_or("no number".to_string(), |it| it.to_string());
            let text = format!("`{}.md` has {number}, not {}", &link[2], &link[1]);
            (number != link[1]).then(|| page.problem(line.number, text))
        });
        wrong.collect()
    };
    page.prose().flat_map(of_line).collect()
}

/// What the top of a page shows has to be true: `needs` are chapters with a number, before
/// this one, each once and in order.
pub fn check(book: &Book, page: &Page) -> Vec<Problem> {
    if page.role == Role::Appendix {
        return Vec::new();
    }
    let mut wrong = Vec::new();
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
