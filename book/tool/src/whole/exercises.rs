//! The exercises are in the pages of their chapters.

use crate::html::PRINTED;
use crate::html::site::Site;
use crate::read::book::Book;
use crate::read::exercise::id;
use crate::read::problem::Problem;

/// Each exercise is in one page of the built book: that of its chapter.
pub fn check(book: &Book, site: &Site) -> Vec<Problem> {
    let mut problems = Vec::new();
    for exercise in book.exercises() {
        let id = id(exercise);
        // The page of all pages repeats them.
        let pages = site.pages.iter().filter(|page| page.name != PRINTED);
        let found: Vec<&str> = pages
            .filter(|page| page.ids.contains(&id))
            .filter_map(|page| page.slug())
            .collect();
        if found != [&exercise.chapter] {
            let file = book.place.shown(&exercise.folder.join("hints.md"));
            let text =
                format!("it is in these pages: {found:?}, not in its chapter alone");
            problems.push(Problem::new(file, 1, text));
        }
    }
    problems
}
