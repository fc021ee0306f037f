//! The short route through the book, for readers who use async Rust already. A page is on it
//! if its header says so: `route: all` for its text, up to the predictions, or `route: 3` for
//! the part up to the end of step 3.

use crate::read::book::Book;
use crate::read::page::{ASIDE, Page, words_of};
use crate::read::text::Line;

/// A page of the route.
#[derive(Clone, Copy, Debug)]
pub struct Stop<'a> {
    /// The page.
    pub page: &'a Page,
    /// The last step that the route reads. `None` for the page up to its predictions.
    pub until: Option<usize>,
}

/// The pages of the route, in the order of the book.
pub fn route(book: &Book) -> Vec<Stop<'_>> {
    fn stop(page: &Page) -> Option<Stop<'_>> {
        let value = page.header.field("route")?;
        Some(Stop { page, until: value.parse().ok() })
    }
    book.pages.iter().filter_map(stop).collect()
}

/// How many words the route has before a place of one of its pages, `<a id="place">`; of all
/// its pages without a place. `None`: the route does not come to this place.
pub fn words_before(route: &[Stop<'_>], place: Option<&str>) -> Option<usize> {
    let mark = place.map(|place| format!("id=\"{place}\""));
    let mut words = 0;
    for line in route.iter().flat_map(Stop::lines) {
        if mark.as_ref().is_some_and(|mark| line.text.contains(mark)) {
            return Some(words);
        }
        words += words_of(line);
    }
    mark.is_none().then_some(words)
}

impl<'a> Stop<'a> {
    /// The prose that the route reads, with what is folded away.
    fn lines(&self) -> impl Iterator<Item = &'a Line> {
        let end = end_of(&self.page.lines, self.until);
        self.page
            .prose()
            .take_while(move |line| end.is_none_or(|end| line.number < end))
    }
}

/// The number of the line in which the section after a step begins, or without a step the
/// first part that does not teach. `None` if there is no such line.
pub fn end_of(lines: &[Line], until: Option<usize>) -> Option<usize> {
    let next = match until {
        Some(step) => {
            let title = format!("Step {step}: ");
            let is_in = |line: &&Line| line.section.starts_with(&title);
            lines.iter().skip_while(|line| !is_in(line)).find(|line| !is_in(line))
        }
        None => lines.iter().find(|line| ASIDE.contains(&line.section.as_str())),
    };
    next.map(|line| line.number)
}
