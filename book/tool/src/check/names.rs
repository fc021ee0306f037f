//! No listing uses a name of ours that was never shown.

use crate::read::book::Book;
use crate::read::names;
use crate::read::page::{Page, Role};
use crate::read::problem::Problem;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Types, traits, macros and functions that a listing of `page` uses have been defined in
/// a listing up to the end of this chapter, or are explained in its prose and named in its
/// header. One finding for each name that was forgotten, with all the lines that use it.
pub fn check(book: &Book, page: &Page) -> Vec<Problem> {
    if page.role == Role::Appendix {
        return Vec::new();
    }
    let known = known(book, page);
    let named: BTreeSet<String> = page.header.list("names").into_iter().collect();
    let mut problems = Vec::new();
    let mut unknown: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (line, name) in used(book, page) {
        if !known.contains(&name) && !named.contains(&name) {
            unknown.entry(name).or_default().push(line);
        }
    }
    for (name, lines) in unknown {
        let text = format!(
            "`{name}` is ours, and no listing up to here defines it (listings of lines \
             {lines:?}): show it, or add it to `names:` and explain it"
        );
        problems.push(page.problem(page.header.line.max(1), text));
    }
    for name in named.iter().filter(|name| !is_explained(page, name)) {
        let text =
            format!("the header names `{name}`, and no prose has it in backticks");
        problems.push(page.problem(page.header.line, text));
    }
    problems
}

/// What listings and short programs define up to the end of this page, and what the prose
/// of earlier ones has explained.
fn known(book: &Book, page: &Page) -> BTreeSet<String> {
    let end = book.pages.iter().position(|other| other.slug == page.slug);
    let pages = &book.pages[..=end.unwrap_or(0)];
    let earlier = pages.iter().rev().skip(1);
    let mut known: BTreeSet<String> =
        earlier.flat_map(|page| page.header.list("names")).collect();
    for fence in pages.iter().flat_map(|page| &page.fences).filter(|it| it.is_rust()) {
        let include = fence.only_include(&book.place);
        let lines = include.map(|it| it.lines().unwrap_or_default());
        let text = lines.unwrap_or(fence.body.clone()).join("\n");
        known.extend(names::defined(&text));
    }
    known
}

/// The names of ours that listings of this page use, with the lines of the listings.
fn used(book: &Book, page: &Page) -> Vec<(usize, String)> {
    let mut used = Vec::new();
    for fence in page.fences.iter().filter(|fence| fence.is_listing()) {
        let Some(include) = fence.only_include(&book.place) else { continue };
        let Ok(lines) = include.lines() else { continue };
        let Ok(file) = fs::read_to_string(include.file()) else { continue };
        let path = include.file();
        let ours = names::ours(&file, |name| book.project.defined_in(name, path));
        let names = names::used(&lines.join("\n"));
        let names = names.into_iter().filter(|name| ours.contains(name));
        used.extend(names.map(|name| (fence.line, name)));
    }
    used
}

/// Does the prose have this name in backticks, alone or in a path or a call?
fn is_explained(page: &Page, name: &str) -> bool {
    let pattern = format!(r"`[^`]*\b{}\b[^`]*`", regex::escape(name));
    let pattern = Regex::new(&pattern).expect("the name is escaped");
    page.prose().any(|line| pattern.is_match(&line.text))
}
