//! The book as a PDF: Chromium prints mdBook's page of all pages, with an outline of its
//! headings. How it looks on paper is in the style sheets of the theme, which open all folds.

use super::{about, chromium, pack};
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

/// Returns the file. If it cannot be packed, because this Chromium writes it in another way, it
/// stays as it was printed.
fn print(book: &Book, edition: Edition, browser: &Path) -> Result<PathBuf, String> {
    let built = edition.built(&book.place);
    let pdf = edition.pdf(&book.place);
    chromium::print(browser, &built.join(html::PRINTED), &pdf)?;
    let printed = fs::read(&pdf).map_err(about(&pdf))?;
    match pack::pack(&printed) {
        Ok(packed) => fs::write(&pdf, packed).map_err(about(&pdf))?,
        Err(why) => {
            let pdf = pdf.display();
            eprintln!("warning: {pdf} stays as large as it was printed: {why}");
        }
    }
    Ok(pdf)
}

/// Prints a page of its own.
///
/// # Errors
/// There is no Chromium, or it does not print.
pub(crate) fn of_page(page: &Path, pdf: &Path) -> Result<(), String> {
    chromium::print(&chromium::find()?, page, pdf)
}

/// The file is to be sent by mail, and to open on a phone.
const LARGEST: usize = 10_000_000;

/// Prints the built book, and looks whether it is small, and whether the outline has the title of
/// each page and the answers of each chapter.
pub fn check(book: &Book) -> Vec<Problem> {
    let problem = |why| Problem::new("target/book.pdf", 0, why);
    let printed = chromium::find().and_then(|it| print(book, Edition::All, &it));
    let read = printed.and_then(|file| {
        let packed = fs::read(&file).map_err(about(&file))?;
        Ok((packed.len(), pack::unpack(&packed)?))
    });
    let (size, pdf) = match read {
        Ok(read) => read,
        Err(why) => return vec![problem(why)],
    };
    let mut problems = Vec::new();
    if size > LARGEST {
        problems.push(problem(format!("it has {size} bytes, and may have {LARGEST}")));
    }
    // `reading.js` puts them there, when Chromium says that it prints.
    let page = Edition::All.built(&book.place).join(html::PRINTED);
    let page = fs::read_to_string(page).unwrap_or_default();
    let chapters = page.split("style=\"break-before: page");
    let expected = chapters.filter(|it| it.contains("class=\"answer")).count();
    let found = pdf.matches("/Title (Answers)").count();
    if found != expected || expected == 0 {
        let why =
            format!("{found} chapters have their answers at the end, of {expected}");
        problems.push(problem(why));
    }
    let is_missing = |page: &&Page| {
        page.title().is_some_and(|title| !pdf.contains(&bookmark(&title)))
    };
    let missing = book.pages.iter().filter(is_missing);
    let why = "the outline of the PDF does not have its title";
    problems.extend(missing.map(|page| page.problem(1, why)));
    problems
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
