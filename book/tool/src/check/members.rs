//! No listing uses a method or a field of ours that was never shown.

use crate::read::book::Book;
use crate::read::names;
use crate::read::page::Page;
use crate::read::problem::Problem;
use crate::read::text::Fence;
use std::collections::BTreeSet;

/// Methods and fields that a listing of a page uses are in another listing up to the end of
/// this page, which defines them or sets them, or in the prose, in backticks. What an
/// earlier page uses without that is a finding of that page.
///
/// Only names of two words or more are held to this, as `take_due`. A shorter one may be a
/// name of std, too, and tells more by itself.
pub fn check(book: &Book) -> Vec<Problem> {
    let mut shown = BTreeSet::new();
    book.pages.iter().flat_map(|page| of_page(book, page, &mut shown)).collect()
}

/// What is wrong with a page, if these names have been shown up to its beginning. At its end,
/// they include all that it shows and uses.
fn of_page(book: &Book, page: &Page, shown: &mut BTreeSet<String>) -> Vec<Problem> {
    let mut used = BTreeSet::new();
    let mut listings = Vec::new();
    for fence in page.fences.iter().filter(|fence| fence.is_rust()) {
        let text = printed(book, fence);
        shown.extend(names::other_words(&text));
        let members = names::members(&text);
        used.extend(members.clone());
        listings.push((fence, members));
    }
    shown.extend(page.prose().flat_map(|line| names::in_backticks(&line.text)));
    let mut problems = Vec::new();
    for (fence, members) in listings {
        let new: Vec<_> = members.difference(shown).cloned().collect();
        let include = fence.only_include(&book.place).filter(|_| fence.is_listing());
        let Some(include) = include.filter(|_| !new.is_empty()) else { continue };
        let ours = book.project.members_for(include.file());
        for name in new.into_iter().filter(|name| ours.contains(name)) {
            let text = format!(
                "`.{name}` is ours, and no page up to here shows it: say in a few \
                 words what it is, with its name in backticks"
            );
            problems.push(page.problem(fence.line, text));
            shown.insert(name);
        }
    }
    shown.append(&mut used);
    problems
}

/// The code of a fence, as the book prints it.
fn printed(book: &Book, fence: &Fence) -> String {
    let include = fence.only_include(&book.place);
    let lines = include.and_then(|include| include.lines().ok());
    lines.unwrap_or_else(|| fence.body.clone()).join("\n")
}
