//! No listing uses a method or a field of ours that was never shown.

use crate::read::book::Book;
use crate::read::names;
use crate::read::page::Page;
use crate::read::problem::Problem;
use crate::read::text::Fence;
use std::collections::BTreeSet;

/// Methods and fields that a listing of `page` uses are in another listing up to the end of
/// this page, which defines them or sets them, or in the prose, in backticks. What an
/// earlier page uses without that is a finding of that page.
///
/// Only names of two words or more are held to this, as `take_due`. A shorter one may be a
/// name of std, too, and tells more by itself.
pub fn check(book: &Book, page: &Page) -> Vec<Problem> {
    let end = book.pages.iter().position(|other| other.slug == page.slug);
    let pages = &book.pages[..end.map_or(0, |end| end + 1)];
    let (mut shown, mut used) = (BTreeSet::new(), BTreeSet::new());
    for page in pages {
        shown.append(&mut used);
        for fence in page.fences.iter().filter(|fence| fence.is_rust()) {
            let text = printed(book, fence);
            used.extend(names::members(&text));
            shown.extend(names::other_words(&text));
        }
        shown.extend(page.prose().flat_map(|line| names::in_backticks(&line.text)));
    }
    let mut problems = Vec::new();
    for fence in page.fences.iter().filter(|fence| fence.is_listing()) {
        let Some(include) = fence.only_include(&book.place) else { continue };
        let ours = book.project.members_for(include.file());
        for name in names::members(&printed(book, fence)) {
            if ours.contains(&name) && shown.insert(name.clone()) {
                let text = format!(
                    "`.{name}` is ours, and no page up to here shows it: say in a few \
                     words what it is, with its name in backticks"
                );
                problems.push(page.problem(fence.line, text));
            }
        }
    }
    problems
}

/// The code of a fence, as the book prints it.
fn printed(book: &Book, fence: &Fence) -> String {
    let include = fence.only_include(&book.place);
    let lines = include.and_then(|include| include.lines().ok());
    lines.unwrap_or_else(|| fence.body.clone()).join("\n")
}
