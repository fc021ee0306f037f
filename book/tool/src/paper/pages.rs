//! The built pages, in the order of the summary.

use crate::html::site::{Site, selector};
use crate::read::book::{Book, LANDING};
use scraper::{ElementRef, Html};
use std::fs;

/// A page that was built.
pub(super) struct Leaf<'a> {
    /// The name of its file, without `.html`.
    pub slug: String,
    /// Its number, of a chapter that has one.
    pub number: Option<usize>,
    /// Its title in the table of contents.
    pub title: String,
    /// The part that it belongs to, `Part one: callbacks`; empty outside of the parts.
    pub part: String,
    html: &'a Html,
}

/// What the cover and the page after it show.
pub(super) struct Cover {
    /// The book's title.
    pub title: String,
    /// One sentence about the book.
    pub description: String,
    /// The question that the book answers.
    pub question: String,
}

impl Leaf<'_> {
    /// Its title with its number.
    pub(super) fn name(&self) -> String {
        match self.number {
            Some(number) => format!("{number}. {}", self.title),
            None => self.title.clone(),
        }
    }

    /// The element that holds its text.
    pub(super) fn main(&self) -> Option<ElementRef<'_>> {
        self.html.select(&selector("main")).next()
    }

    /// Returns whether it is the landing page.
    pub(super) fn is_landing(&self) -> bool {
        self.slug == LANDING
    }
}

/// Finds the pages of the summary.
///
/// # Errors
/// A page was not built.
pub(super) fn read<'a>(book: &Book, site: &'a Site) -> Result<Vec<Leaf<'a>>, String> {
    let parts = parts(book);
    let mut leaves = Vec::new();
    for entry in &book.summary {
        let page = site.page(&entry.slug);
        let page = page.ok_or(format!("{}.html was not built", entry.slug))?;
        let is_it =
            |part: &&String| !entry.part.is_empty() && part.starts_with(&entry.part);
        leaves.push(Leaf {
            number: entry.role.number(),
            part: parts.iter().find(is_it).cloned().unwrap_or_default(),
            title: entry.title.clone(),
            slug: entry.slug.clone(),
            html: &page.html,
        });
    }
    Ok(leaves)
}

/// The whole names of the parts: the summary's entries have only their beginnings.
fn parts(book: &Book) -> Vec<String> {
    let text =
        fs::read_to_string(book.place.book.join("src/SUMMARY.md")).unwrap_or_default();
    let titles = text.lines().filter_map(|line| line.strip_prefix("# "));
    titles.map(|title| title.trim().to_string()).collect()
}

/// Reads the cover's texts from the landing page.
///
/// # Errors
/// The landing page lacks one of them.
pub(super) fn cover(leaves: &[Leaf<'_>]) -> Result<Cover, String> {
    let text = |what: &str| {
        let main = leaves.iter().find(|leaf| leaf.is_landing()).and_then(Leaf::main);
        let found = main.and_then(|main| main.select(&selector(what)).next());
        let text: String =
            found.ok_or(format!("{LANDING}.html has no {what}"))?.text().collect();
        Ok::<_, String>(text.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    Ok(Cover {
        title: text("main > h1")?,
        description: text("main > h1 + p")?,
        question: text("main > blockquote")?,
    })
}
