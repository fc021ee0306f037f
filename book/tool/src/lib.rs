//! Builds, serves and checks the book; draws its figures.
//!
//! A pipe, each part of which knows only those before it: `read` reads the book and the project,
//! `check` has the rules for what is written, `html` builds the book with mdBook, and serves
//! it. From both, `paper` makes the PDF and the EPUB, `slides` a deck and its handout, `quiz`
//! sheets of questions, and `class` prepares a class. `whole` checks all of it, and what was
//! built. The language of the figures is a crate of its own.
#![forbid(unsafe_code)]

/// A regular expression that is compiled once.
macro_rules! pattern {
    ($visible:vis $name:ident, $text:expr) => {
        $visible static $name: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| {
                regex::Regex::new($text).expect("it is constant")
            });
    };
}

pub mod check;
pub mod class;
pub mod html;
pub mod paper;
pub mod quiz;
pub mod read;
pub mod slides;
pub mod whole;
