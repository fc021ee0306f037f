//! What the book owes to the texts that it follows, what its chapters add, and which page
//! says that it explains each point.

use crate::read::book::Book;
use crate::read::page::{Page, Role};
use crate::read::place::Place;
use crate::read::problem::Problem;
use std::fs;
use std::path::PathBuf;

/// The file with the list, in the book's folder.
pub(crate) const LIST: &str = "coverage.txt";

/// Something that has to be explained: a line `C1 I/O-bound against CPU-bound`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its id.
    pub id: String,
    /// What it is about.
    pub title: String,
}

/// The list, from `coverage.txt`; without one, from that of our own book.
///
/// # Errors
/// It cannot be read.
pub fn items(place: &Place) -> Result<Vec<Item>, Problem> {
    let file = list(place);
    let text = fs::read_to_string(&file)
        .or_else(|_| fs::read_to_string(list(&Place::new(None, None))))
        .map_err(|error| Problem::new(place.shown(&file), 0, error.to_string()))?;
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let item = |line: &str| {
        let (id, title) = line.split_once(' ').unwrap_or((line, ""));
        Item { id: id.to_string(), title: title.trim().to_string() }
    };
    Ok(lines.map(item).collect())
}

fn list(place: &Place) -> PathBuf {
    place.book.join(LIST)
}

/// The pages that say that they cover this.
pub fn pages<'a>(book: &'a Book, id: &str) -> Vec<&'a Page> {
    let covers = |page: &&Page| page.header.list("covers").iter().any(|it| it == id);
    book.pages.iter().filter(covers).collect()
}

/// The table: a row for each item, with links to where it is explained. What the chapters
/// add to the texts comes last, with numbers of its own.
///
/// # Errors
/// There is no list.
pub fn table(book: &Book) -> Result<String, Problem> {
    let mut text = "| id | what | where |\n|---|---|---|\n".to_string();
    for Item { id, title } in items(&book.place)? {
        let links: Vec<String> = pages(book, &id).into_iter().map(link).collect();
        text += &format!("| {id} | {title} | {} |\n", links.join(", "));
    }
    let added = book
        .pages
        .iter()
        .flat_map(|page| page.header.adds.iter().map(move |it| (page, it)));
    for (number, (page, title)) in (1..).zip(added) {
        text += &format!("| P{number} | {title} | {} |\n", link(page));
    }
    Ok(text)
}

fn link(page: &Page) -> String {
    let name = match page.role {
        Role::Introduction => "introduction".to_string(),
        Role::Chapter(number) | Role::Last(number) => number.to_string(),
        Role::Appendix => page.slug.clone(),
    };
    format!("[{name}]({}.md)", page.slug)
}
