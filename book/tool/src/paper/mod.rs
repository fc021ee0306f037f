//! The book on paper and in an e-reader: one PDF and one EPUB, made from the built pages.
//!
//! `pdf` has `chromium` print the page that has all others, and `pack` makes the file small. For
//! the EPUB, `pages` reads what mdBook has built, `write` turns a page into XHTML without what
//! only a browser needs, and `epub` packs them.

mod chromium;
pub(crate) mod epub;
mod pack;
mod pages;
pub mod pdf;
mod write;

pub use epub::epub;
pub use pdf::pdf;

use std::fmt::Display;
use std::path::Path;

/// The pages' language.
const LANGUAGE: &str = "en";

/// A message about a file.
fn about(file: &Path) -> impl FnOnce(std::io::Error) -> String {
    move |error| format!("{}: {error}", file.display())
}

/// Escapes text for XML, also inside an attribute.
fn escaped(text: impl Display) -> String {
    let is_allowed = |it: &char| !it.is_control() || matches!(it, '\n' | '\t' | '\r');
    let mut safe = String::new();
    for character in text.to_string().chars().filter(is_allowed) {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            other => safe.push(other),
        }
    }
    safe
}

/// A whole XHTML document.
fn document(title: &str, head: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n\
         <html xmlns=\"http://www.w3.org/1999/xhtml\" \
         xmlns:epub=\"http://www.idpf.org/2007/ops\" \
         lang=\"{LANGUAGE}\" xml:lang=\"{LANGUAGE}\">\n\
         <head>\n<title>{title}</title>\n{head}\n</head>\n\
         <body>\n{body}\n</body>\n</html>\n"
    )
}
