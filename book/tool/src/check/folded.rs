//! What is folded has an id that never changes, and can be opened.

use crate::read::book::Book;
use crate::read::page::{DETAILS, Page};
use crate::read::problem::Problem;
use crate::read::text::Line;
use std::collections::BTreeMap;

/// Each `<details>` has an id that begins with the page's slug, a summary, and an end.
pub fn check(_: &Book, page: &Page) -> Vec<Problem> {
    let (mut problems, mut open) = (Vec::new(), None);
    let prose: Vec<&Line> = page.prose().collect();
    for (index, line) in prose.iter().enumerate() {
        if line.text.contains("<details") {
            if let Some(before) = open.replace(line.number) {
                let text = "is not closed: write </details> in a line of its own";
                problems.push(page.problem(before, text));
            }
            problems.extend(bad_id(page, line));
            let next = prose.get(index + 1).map_or("", |line| line.text.as_str());
            if !line.text.contains("<summary>") && !next.contains("<summary>") {
                let text = "no <summary> in the next line: what will the reader see?";
                problems.push(page.problem(line.number, text));
            }
        }
        if line.text.contains("</details>") && open.take().is_none() {
            problems.push(page.problem(line.number, "</details> closes nothing"));
        }
    }
    let text = "is not closed: write </details> in a line of its own";
    problems.extend(open.map(|line| page.problem(line, text)));
    problems
}

fn bad_id(page: &Page, line: &Line) -> Option<Problem> {
    let found = DETAILS.captures(&line.text)?;
    let id = found.get(1).map_or("", |id| id.as_str());
    let prefix = format!("{}-", page.slug);
    let text = format!("the id `{id}` of a <details> has to begin with {prefix}");
    (!id.starts_with(&prefix)).then(|| page.problem(line.number, text))
}

/// No id is there twice, in the whole book.
pub fn unique(book: &Book) -> Vec<Problem> {
    let mut seen = BTreeMap::new();
    let mut problems = Vec::new();
    for page in &book.pages {
        for (line, id) in page.folds() {
            if let Some(before) = seen.insert(id.clone(), &page.file) {
                let text = format!("the id `{id}` is in {before} as well: rename one");
                problems.push(page.problem(line, text));
            }
        }
    }
    problems
}
