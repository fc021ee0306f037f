//! `cargo book slides` and `cargo book handout`: a deck for a class, and what is printed for
//! it.
//!
//! Both are written by hand, in `slides/NAME.md` and `slides/NAME-handout.md`, beside the plan
//! of the same name: `script` reads a file, `mark` what is between its braces, and `lecture`
//! puts the slides beside the rows of `plans/NAME.toml`. `draft` makes slides of it with what
//! `show` finds in the project. They form a `deck`, with `notes` for the speaker, and `frame`
//! writes the file, which needs nothing beside it. `handout` is for paper.

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

use crate::paper;
use crate::read::book::Book;
use crate::read::place::Place;
use crate::read::problem::Problem;
use lecture::Lecture;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of what is written, below cargo's target folder.
const FOLDER: &str = "slides";

/// What is written: a page for a browser, or a PDF of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// HTML.
    Page,
    /// A PDF, which Chromium prints.
    Pdf,
}

/// Writes the deck of a plan. Returns the file.
///
/// # Errors
/// There is no such plan, no slides are written for it, something is wrong with them, or they
/// cannot be printed.
pub fn write(book: &Book, name: &str, form: Form) -> Result<PathBuf, Vec<Problem>> {
    let deck = Lecture::read(book, name)?.deck(book)?;
    match form {
        Form::Page => put(book, name, &frame::page(book, &deck)?),
        Form::Pdf => {
            let page =
                put(book, &format!("{name}-paper"), &frame::paper(book, &deck)?)?;
            print(&page, &page.with_file_name(format!("{name}.pdf")))
        }
    }
}

/// Returns whether a handout is written for a plan.
pub fn has_handout(place: &Place, name: &str) -> bool {
    script::handout(place, name).exists()
}

/// Writes the handout of a plan. Returns the file.
///
/// # Errors
/// As for the deck.
pub fn write_handout(
    book: &Book,
    name: &str,
    form: Form,
) -> Result<PathBuf, Vec<Problem>> {
    let lecture = Lecture::read(book, name)?;
    let html = handout::page(book, &lecture, name)?;
    let page = put(book, &format!("handout-{name}"), &html)?;
    match form {
        Form::Page => Ok(page),
        Form::Pdf => print(&page, &page.with_extension("pdf")),
    }
}

fn print(page: &Path, pdf: &Path) -> Result<PathBuf, Vec<Problem>> {
    let wrong = |why| vec![Problem::new(pdf.display().to_string(), 0, why)];
    paper::pdf::of_page(page, pdf).map_err(wrong)?;
    Ok(pdf.to_path_buf())
}

fn put(book: &Book, name: &str, html: &str) -> Result<PathBuf, Vec<Problem>> {
    let folder = book.place.target.join(FOLDER);
    let file = folder.join(format!("{name}.html"));
    fs::create_dir_all(&folder).and_then(|()| fs::write(&file, html)).map_err(
        |error| vec![Problem::new(file.display().to_string(), 0, error.to_string())],
    )?;
    Ok(file)
}
