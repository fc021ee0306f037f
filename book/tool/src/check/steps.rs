//! Every step of the project is run somewhere in the book.

use crate::read::book::Book;
use crate::read::page::Page;
use crate::read::problem::Problem;
use crate::read::project::Run;
use std::collections::BTreeSet;

/// An example that no page runs is one that no reader will find.
pub fn check(book: &Book) -> Vec<Problem> {
    let run: BTreeSet<String> = book.pages.iter().flat_map(run_in).collect();
    let missing = book.project.examples.iter().filter(|(name, _)| !run.contains(*name));
    missing
        .map(|(name, package)| {
            let folder = &book.project.packages[package];
            let folder = folder.strip_prefix(&book.place.root).unwrap_or(folder);
            let file = format!("{}/examples/{name}.rs", folder.display());
            Problem::new(file, 0, "no chapter runs it: let one do so")
        })
        .collect()
}

/// The examples that a page runs.
pub fn run_in(page: &Page) -> BTreeSet<String> {
    let commands = page.fences.iter().flat_map(|fence| fence.commands());
    commands.filter_map(|(_, command)| Run::parse(command)?.example).collect()
}
