//! A chapter has teaching notes of one form, and leads to them.

use crate::read::book::Book;
use crate::read::page::{Page, Role};
use crate::read::place::{files, stem};
use crate::read::problem::Problem;
use std::fs;
use std::path::PathBuf;

/// The appendix with the notes of all chapters.
const ALL: &str = "teaching-notes";

/// How the paragraphs of a note begin, in their order. Only the first is required.
const PARTS: &[&str] =
    &["**Minutes.**", "**Demo.**", "**Draw.**", "**Misconceptions.**"];

/// The notes of a chapter are in `teaching/SLUG.md`. The build puts them into an appendix,
/// and the recap links to their place there.
pub fn check(book: &Book, page: &Page) -> Vec<Problem> {
    if page.role == Role::Appendix {
        return Vec::new();
    }
    let slug = &page.slug;
    let mut problems = Vec::new();
    let link = format!("]({ALL}.md#{slug})");
    let mut recap = page.prose().filter(|line| line.section == "Recap");
    let has_recap = page.sections().iter().any(|(_, title)| *title == "Recap");
    if has_recap && !recap.any(|line| line.text.contains(&link)) {
        let text =
            format!("write: For a class: [notes on this chapter]({ALL}.md#{slug}).");
        problems.push(page.problem(0, text));
    }
    let old = format!("{slug}-teacher");
    for (line, _) in page.folds().into_iter().filter(|(_, id)| *id == old) {
        let text = format!("move this part to teaching/{slug}.md");
        problems.push(page.problem(line, text));
    }
    problems.extend(form(book, slug));
    problems
}

fn file(book: &Book, slug: &str) -> PathBuf {
    book.place.book.join("teaching").join(format!("{slug}.md"))
}

fn form(book: &Book, slug: &str) -> Vec<Problem> {
    let file = file(book, slug);
    let shown = book.place.shown(&file);
    let Ok(text) = fs::read_to_string(&file) else {
        let text = format!("is not there: write notes, beginning with {}", PARTS[0]);
        return vec![Problem::new(shown, 0, text)];
    };
    let mut problems = Vec::new();
    if !text.starts_with(PARTS[0]) {
        let text = format!("should begin with {}", PARTS[0]);
        problems.push(Problem::new(&shown, 1, text));
    }
    let (mut before, mut is_new) = (0, true);
    for (line, text) in (1..).zip(text.lines()) {
        if is_new && text.starts_with("**") {
            match PARTS.iter().position(|part| text.starts_with(part)) {
                Some(part) if part >= before => before = part,
                _ => {
                    let order = PARTS.join(" ");
                    let text = format!("paragraphs begin, in this order: {order}");
                    problems.push(Problem::new(&shown, line, text));
                }
            }
        }
        is_new = text.trim().is_empty();
    }
    problems
}

/// Notes of a chapter that is not in the summary.
pub fn without_chapter(book: &Book) -> Vec<Problem> {
    let is_stray = |file: &PathBuf| {
        book.page(stem(file)).is_none_or(|page| page.role == Role::Appendix)
    };
    let all = files(&book.place.book.join("teaching"), "md").into_iter();
    all.filter(is_stray)
        .map(|file| {
            let file = book.place.shown(&file);
            Problem::new(file, 0, "there is no chapter of this name")
        })
        .collect()
}
