//! `cargo book slides` and `cargo book handout`: a deck for a class, and what is printed for
//! it.
//!
//! A deck of a plan has a section for each row of `plans/NAME.toml`. What is on its slides is
//! written in `slides/NAME.md`: `script` reads it, `mark` what is between its braces, and
//! `draft` makes slides of it with what `show` finds in the project. A row for which nothing
//! is written, and a `chapter`, get slides made of what the book has. `lecture` puts the rows
//! into a `deck`, with `notes` for the speaker, and `frame` writes the file, which needs
//! nothing beside it. `handout` and `slips` are for paper.

mod chapter;
mod deck;
mod draft;
mod frame;
mod handout;
mod lecture;
mod mark;
mod markdown;
mod notes;
mod script;
mod show;
mod slips;

pub mod check;

use crate::book::Book;
use crate::page::Role;
use crate::plan;
use crate::problem::Problem;
use deck::Deck;
use std::fs;
use std::path::PathBuf;

/// The folder of what is written, below cargo's target folder.
const FOLDER: &str = "slides";

/// Writes the deck of a plan or a chapter; no name: all of them. Returns the files.
///
/// # Errors
/// There is no such plan or chapter, or something is wrong with its slides.
pub fn write(book: &Book, name: Option<&str>) -> Result<Vec<PathBuf>, Vec<Problem>> {
    let names = name.map_or_else(|| all(book), |name| vec![name.to_string()]);
    let mut files = Vec::new();
    for name in names {
        let deck = deck(book, &name)?;
        files.push(put(book, &name, &frame::page(book, &deck)?)?);
    }
    Ok(files)
}

/// Writes the handout of a plan; no name: of all. Returns the files.
///
/// # Errors
/// There is no such plan, or something is wrong with its slides.
pub fn write_handouts(
    book: &Book,
    name: Option<&str>,
) -> Result<Vec<PathBuf>, Vec<Problem>> {
    let plans = plan::names(&book.place);
    let names = match name {
        None => plans,
        Some(name) if plans.iter().any(|plan| plan == name) => vec![name.to_string()],
        Some(name) => {
            let text =
                format!("`{name}` is no plan: the plans are {}", plans.join(", "));
            return Err(vec![Problem::new("cargo book handout", 0, text)]);
        }
    };
    let write = |name: &String| {
        put(book, &format!("handout-{name}"), &handout::page(book, name)?)
    };
    names.iter().map(write).collect()
}

fn deck(book: &Book, name: &str) -> Result<Deck, Vec<Problem>> {
    let plans = plan::names(&book.place);
    if plans.iter().any(|plan| plan == name) {
        return lecture::deck(book, name);
    }
    match book.page(name).filter(|page| page.role != Role::Appendix) {
        Some(page) => Ok(chapter::deck(book, page)),
        None => {
            let text = format!(
                "`{name}` is no plan and no chapter: the plans are {}, and a chapter is \
                 called like its page",
                plans.join(", ")
            );
            Err(vec![Problem::new("cargo book slides", 0, text)])
        }
    }
}

/// The names of all decks.
fn all(book: &Book) -> Vec<String> {
    let chapters = book.pages.iter().filter(|page| page.role != Role::Appendix);
    let chapters = chapters.map(|page| page.slug.clone());
    plan::names(&book.place).into_iter().chain(chapters).collect()
}

fn put(book: &Book, name: &str, html: &str) -> Result<PathBuf, Vec<Problem>> {
    let folder = book.place.target.join(FOLDER);
    let file = folder.join(format!("{name}.html"));
    fs::create_dir_all(&folder).and_then(|()| fs::write(&file, html)).map_err(
        |error| vec![Problem::new(file.display().to_string(), 0, error.to_string())],
    )?;
    Ok(file)
}
