//! The rules for what is written, one module for each.
//!
//! | module | what has to be so |
//! |---|---|
//! | `includes` | what is included is there, and is not empty |
//! | `fences` | each code block has a language that we know |
//! | `listings` | listings come from compiled code, and fit the page |
//! | `names` | no listing uses a name of ours that was never shown |
//! | `members` | no listing uses a method or a field of ours that was never shown |
//! | `runs` | outputs are stored ones, below the command that printed them |
//! | `commands` | commands name packages and examples that exist |
//! | `snippets` | short programs in the pages compile, or are refused as they say |
//! | `images` | pictures have alt text |
//! | `folded` | what is folded has an id that never changes, and can be opened |
//! | `pointers` | lines that a sentence points at are there |
//! | `spoilers` | the code of a question does not give the answer away |
//! | `anatomy` | a chapter has its parts, in order, and its size |
//! | `titles` | a page has one title, in the summary and above its text; so do steps |
//! | `needs` | a chapter names the earlier chapters that it needs, and links have their numbers |
//! | `route` | the short route comes to its places before its reader is tired |
//! | `exercises` | an exercise has its parts, and its chapter a place for them |
//! | `bank` | a question has its parts, and its key is not recognized by length or place |
//! | `plans` | a plan for a class fills its minutes, with slack, and its commands exist |
//! | `notes` | a chapter has teaching notes of one form, and leads to them |
//! | `english` | old words are replaced, and tasks and sockets are things |
//! | `players` | what is written for the player of a trace fits the trace |
//! | `typed` | what the book prints of the packages compiles, without the lines that it leaves out |
//! | `steps` | every step of the project is run somewhere |
//! | `covered` | all that the book owes is explained somewhere |
//! | `summary` | the summary lists every page, and nothing else |
//!
//! Figures are held to theirs by [`crate::check::drawing`].

pub mod anatomy;
pub mod bank;
pub mod commands;
pub mod counts;
pub mod covered;
pub mod drawing;
pub mod english;
pub mod exercises;
pub mod fences;
mod fine;
pub mod folded;
pub mod images;
pub mod includes;
pub mod lint;
pub mod listings;
pub mod members;
pub mod names;
pub mod needs;
pub mod notes;
pub mod plans;
pub mod players;
pub mod pointers;
pub mod proof;
pub mod route;
pub mod runs;
pub mod snippets;
pub mod spoilers;
pub mod steps;
pub mod summary;
pub mod titles;
pub mod typed;
mod waits;

use crate::read::book::Book;
use crate::read::page::Page;
use crate::read::problem::Problem;
use std::path::Path;

/// What a rule says of a page.
pub type Rule = fn(&Book, &Page) -> Vec<Problem>;

/// Returns the pages that a person names: `pin`, `pin.md` or `book/src/pin.md`, as a shell
/// completes it.
///
/// # Errors
/// There is no such page.
pub fn named<'a>(book: &'a Book, names: &[String]) -> Result<Vec<&'a Page>, String> {
    let page = |name: &String| {
        let slug = Path::new(name).file_stem().and_then(|stem| stem.to_str());
        let page = slug.and_then(|slug| book.page(slug));
        page.ok_or_else(|| format!("no page is called {name:?}; book/src has all"))
    };
    names.iter().map(page).collect()
}

/// The rules for a page by itself, and the pages before it.
pub const RULES: &[Rule] = &[
    includes::check,
    fences::check,
    listings::check,
    names::check,
    runs::check,
    commands::check,
    images::check,
    folded::check,
    pointers::check,
    spoilers::check,
    anatomy::check,
    needs::check,
    needs::numbers,
    titles::steps,
    notes::check,
    exercises::check,
];

/// What is wrong with these pages but for their English, without building the book.
pub fn pages(book: &Book, pages: &[&Page]) -> Vec<Problem> {
    let mut problems = members::check(book);
    problems.retain(|problem| pages.iter().any(|page| problem.file == page.file));
    for page in pages {
        problems.extend(of_page(book, page));
        let figures = images::figures(book, page);
        problems.extend(drawing::check(&book.place, Some(&figures)));
        problems.extend(snippets::check(book, &[page]));
    }
    problems
}

fn of_page(book: &Book, page: &Page) -> Vec<Problem> {
    let mut problems: Vec<Problem> =
        RULES.iter().flat_map(|rule| rule(book, page)).collect();
    problems.sort();
    problems
}

/// What is wrong with all that is written, but for its English: [`english::check`] asks the
/// linter.
pub fn written(book: &Book) -> Vec<Problem> {
    let mut problems = summary::check(book);
    problems.extend(titles::check(book));
    problems.extend(book.pages.iter().flat_map(|page| of_page(book, page)));
    problems.extend(members::check(book));
    problems.extend(folded::unique(book));
    problems.extend(steps::check(book));
    problems.extend(typed::check(book));
    problems.extend(exercises::read(book));
    problems.extend(notes::without_chapter(book));
    problems.extend(bank::check(book));
    problems.extend(plans::check(book));
    problems.extend(covered::check(book));
    problems.extend(route::check(book));
    problems.extend(players::check(book));
    problems.extend(drawing::check(&book.place, None));
    problems.extend(snippets::check(book, &book.pages.iter().collect::<Vec<_>>()));
    problems
}
