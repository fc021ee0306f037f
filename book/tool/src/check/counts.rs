//! How much there is of everything.

use super::route::PLACES;
use crate::read::book::Book;
use crate::read::page::{Page, Role};
use crate::read::place::files;
use crate::read::route::{route, words_before};
use std::fmt::{self, Display, Formatter};

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
    /// Pages of the short route.
    pub stops: usize,
    /// Words of the short route.
    pub short: usize,
    /// Words of the short route before each of [`PLACES`].
    pub before: Vec<usize>,
}

impl Counts {
    /// Counts all but the links.
    pub fn of(book: &Book) -> Counts {
        let chapters: Vec<&Page> =
            book.pages.iter().filter(|page| page.role != Role::Appendix).collect();
        let fences = || book.pages.iter().flat_map(|page| &page.fences);
        let is_output =
            |info: &str, body: &[String]| info == "console" && body.len() > 1;
        let stops = route(book);
        let before = |place| words_before(&stops, place).unwrap_or_default();
        Counts {
            stops: stops.len(),
            short: before(None),
            before: PLACES.iter().map(|(place, _)| before(Some(place))).collect(),
            chapters: chapters.len(),
            words: chapters.iter().map(|page| page.words()).sum(),
            listings: fences().filter(|fence| fence.is_rust()).count(),
            outputs: fences().filter(|it| is_output(&it.info, &it.body)).count(),
            figures: files(&book.place.book.join("figures"), "fig").len(),
            links: 0,
            questions: book.pages.iter().map(Page::questions).sum(),
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
        )?;
        let Counts { stops, short, before, .. } = self;
        write!(out, "\nthe short route: {stops} pages, {short} words")?;
        PLACES.iter().zip(before).try_for_each(|((place, _), words)| {
            write!(out, ", {words} before `{place}`")
        })
    }
}
