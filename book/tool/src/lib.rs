//! Builds, serves and checks the book; draws its figures.
//!
//! `place` has the folders; `page`, `reading`, `include` and `book` read the pages,
//! `project` and `source` what they show, and `prose` all text in English. `pointer` finds
//! words that point at lines of a listing. `check` has the rules, one module for each, and
//! `problem` is what they find. `drawing` has the files of the figures. `coverage` has the table of what is explained where, `html` builds and serves
//! with mdBook. `player` has the traces that can be played in a page. `exercise` writes the
//! exercises of the chapters. `plan` has the plans for a class, `class` prepares one, and
//! `slides` makes its deck and handout. `bank` reads the question bank. `edition` leaves
//! out what students are to find, and `site` reads what was built.
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

pub mod bank;
pub mod book;
pub mod check;
pub mod class;
pub mod coverage;
pub mod drawing;
pub mod edition;
pub mod exercise;
mod fine;
pub mod html;
pub mod include;
pub mod lint;
pub mod page;
pub mod paper;
pub mod place;
pub mod plan;
mod player;
pub mod pointer;
pub mod problem;
pub mod project;
pub mod prose;
pub mod reading;
pub mod site;
pub mod slides;
pub mod source;
