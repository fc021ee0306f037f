//! `cargo book slides` and `cargo book handout`: a deck for a class, and what is printed for
//! it.
//!
//! Both are written by hand in `slides/NAME.md`, beside the plan of the same name: `script`
//! reads the file, `mark` what is between its braces, and `lecture` puts it beside the rows
//! of `plans/NAME.toml`. `draft` makes slides of it with what `show` finds in the project.
//! They form a `deck`, with `notes` for the speaker, and `frame` writes the file, which
//! needs nothing beside it. `handout` is for paper.

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

pub mod check;

use crate::read::book::Book;
use crate::read::problem::Problem;
use lecture::Lecture;
use std::fs;
use std::path::PathBuf;

/// The folder of what is written, below cargo's target folder.
const FOLDER: &str = "slides";

/// Writes the deck of a plan. Returns the file.
///
/// # Errors
/// There is no such plan, no slides are written for it, or something is wrong with them.
pub fn write(book: &Book, name: &str) -> Result<PathBuf, Vec<Problem>> {
    let deck = Lecture::read(book, name)?.deck(book)?;
    put(book, name, &frame::page(book, &deck)?)
}

/// Writes the handout of a plan. Returns the file.
///
/// # Errors
/// As for the deck.
pub fn write_handout(book: &Book, name: &str) -> Result<PathBuf, Vec<Problem>> {
    let lecture = Lecture::read(book, name)?;
    put(book, &format!("handout-{name}"), &handout::page(book, &lecture)?)
}

fn put(book: &Book, name: &str, html: &str) -> Result<PathBuf, Vec<Problem>> {
    let folder = book.place.target.join(FOLDER);
    let file = folder.join(format!("{name}.html"));
    fs::create_dir_all(&folder).and_then(|()| fs::write(&file, html)).map_err(
        |error| vec![Problem::new(file.display().to_string(), 0, error.to_string())],
    )?;
    Ok(file)
}
