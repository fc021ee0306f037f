//! The book as a PDF: Chromium prints mdBook's page of all pages, with an outline of its
//! headings. How it looks on paper is in the style sheets of the theme, which open all folds.

use super::{about, chromium};
use crate::html;
use crate::read::book::Book;
use crate::read::edition::Edition;
use crate::read::page::Page;
use crate::read::problem::Problem;
use std::fs;
use std::path::{Path, PathBuf};

/// Builds the book, and prints it into `target/book.pdf`, or an edition of another
/// name. Returns the file.
///
/// # Errors
/// The book cannot be built, there is no Chromium, or it does not print.
pub fn pdf(book: &Book, edition: Edition) -> Result<PathBuf, String> {
    let browser = chromium::find()?;
    html::build(book, edition)?;
    print(book, edition, &browser)
}

fn print(book: &Book, edition: Edition, browser: &Path) -> Result<PathBuf, String> {
    let built = edition.built(&book.place);
    let pdf = edition.pdf(&book.place);
    chromium::print(browser, &built.join(html::PRINTED), &pdf)?;
    Ok(pdf)
}

/// Prints a page of its own.
///
/// # Errors
/// There is no Chromium, or it does not print.
pub(crate) fn of_page(page: &Path, pdf: &Path) -> Result<(), String> {
    chromium::print(&chromium::find()?, page, pdf)
}

/// Prints the built book, and looks whether the outline has the title of each page.
pub fn check(book: &Book) -> Vec<Problem> {
    let outlined = || -> Result<String, String> {
        let pdf = print(book, Edition::All, &chromium::find()?)?;
        let bytes = fs::read(&pdf).map_err(about(&pdf))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let pdf = match outlined() {
        Ok(pdf) => pdf,
        Err(why) => return vec![Problem::new("target/book.pdf", 0, why)],
    };
    let is_missing = |page: &&Page| {
        page.title().is_some_and(|title| !pdf.contains(&bookmark(&title)))
    };
    let missing = book.pages.iter().filter(is_missing);
    let why = "the outline of the PDF does not have its title";
    missing.map(|page| page.problem(1, why)).collect()
}

/// A title in an outline: text in parentheses, or the digits of UTF-16.
fn bookmark(title: &str) -> String {
    if title.is_ascii() {
        let safe = title.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
        return format!("/Title ({safe})");
    }
    let digits = title.encode_utf16().map(|unit| format!("{unit:04X}"));
    format!("/Title <FEFF{}>", digits.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_found_as_chromium_writes_it() {
        assert_eq!(bookmark("`a` (b)").replace('`', ""), "/Title (a \\(b\\))");
        assert_eq!(bookmark("↔"), "/Title <FEFF2194>");
    }
}
