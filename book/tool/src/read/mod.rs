//! What the book and the project consist of, as it is written.
//!
//! `place` has the folders. `text` cuts a page, `include` and `page` read it, and `book` has
//! all pages in their order. `project` and `names` read what they show; `exercise`, `plan`,
//! `bank` and `player` what is written beside them. `edition` leaves out what students are to
//! find, `prose` has all texts in English, and `pointer` finds words that point at lines.
//! `route` is the short way through the pages, `colors` takes the colors of figures out of
//! their style sheet, and `problem` is what a rule finds.

pub mod bank;
pub mod book;
pub(crate) mod colors;
pub mod coverage;
pub mod edition;
pub mod exercise;
pub mod include;
pub mod names;
pub mod page;
pub mod place;
pub mod plan;
pub(crate) mod player;
pub mod pointer;
pub mod problem;
pub mod project;
pub mod prose;
pub mod route;
pub mod text;
