//! How much there is of everything.

use super::folded;
use crate::book::Book;
use crate::page::{Page, Role};
use crate::place::files;
use crate::reading::Line;
use regex::Regex;
use std::fmt::{self, Display, Formatter};
use std::sync::LazyLock;

/// Parts that do not count as teaching.
const ASIDE: &[&str] = &["Predict, then run", "Python ↔ Rust", "Checkpoint", "Recap"];

/// What a book holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pages with a number, and the introduction.
    pub chapters: usize,
    /// Words that teach, in all chapters.
    pub words: usize,
    /// Listings from our sources, and short programs.
    pub listings: usize,
    /// Commands with their outputs.
    pub outputs: usize,
    /// Figures.
    pub figures: usize,
    /// Links that were followed or looked at.
    pub links: usize,
    /// Predictions and checkpoints.
    pub questions: usize,
    /// Exercises with a check.
    pub exercises: usize,
}

impl Counts {
    /// Counts all but the links.
    pub fn of(book: &Book) -> Counts {
        let chapters: Vec<&Page> =
            book.pages.iter().filter(|page| page.role != Role::Appendix).collect();
        let is_question = |id: &str| id.contains("-predict-") || id.contains("-check-");
        let questions = |page: &Page| {
            folded::ids(page).iter().filter(|(_, id)| is_question(id)).count()
        };
        let fences = || book.pages.iter().flat_map(|page| &page.fences);
        let is_output =
            |info: &str, body: &[String]| info == "console" && body.len() > 1;
        Counts {
            chapters: chapters.len(),
            words: chapters.iter().map(|page| words(page)).sum(),
            listings: fences().filter(|fence| fence.is_rust()).count(),
            outputs: fences().filter(|it| is_output(&it.info, &it.body)).count(),
            figures: files(&book.place.book.join("figures"), "fig").len(),
            links: 0,
            questions: book.pages.iter().map(questions).sum(),
            exercises: book.exercises().len(),
        }
    }
}

impl Display for Counts {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Counts { chapters, words, listings, outputs, figures, .. } = self;
        let Counts { links, questions, exercises, .. } = self;
        write!(
            out,
            "{chapters} chapters, {words} words, {listings} listings, {outputs} outputs, \
             {figures} figures, {links} links, {questions} questions, {exercises} \
             exercises"
        )
    }
}

/// Does this line teach?
fn teaches(line: &Line) -> bool {
    !ASIDE.contains(&line.section.as_str()) && line.folded == 0
}

/// The words that teach: neither code nor tables, nor what is folded away.
pub fn words(page: &Page) -> usize {
    static MARKS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"<[^>]*>|\]\([^)]*\)|\{\{[^}]*\}\}").expect("it is constant")
    });
    let lines = page.prose().filter(|line| teaches(line));
    let lines = lines.filter(|line| !line.text.trim_start().starts_with(['|', '#']));
    let count = |line: &Line| {
        let text = MARKS.replace_all(&line.text, " ");
        let is_word = |word: &&str| word.chars().any(char::is_alphanumeric);
        text.split_whitespace().filter(is_word).count()
    };
    lines.map(count).sum()
}

/// The listings of the parts that teach.
pub fn listings(page: &Page) -> usize {
    let is_counted = |section: &str| !ASIDE.contains(&section);
    let fences = page.fences.iter().filter(|fence| fence.is_rust());
    fences.filter(|fence| is_counted(&fence.section)).count()
}

/// The runs that a reader is shown.
pub fn runs(page: &Page) -> usize {
    page.fences.iter().filter(|fence| fence.info == "console").count()
}
