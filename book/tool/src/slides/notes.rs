//! What the speaker reads beside a slide: the row of the plan, and the teaching notes of
//! its chapters.

use super::markdown::{html_of, inline, linked_pages};
use crate::html::highlight::escaped;
use crate::read::bank::{Bank, Question, letter};
use crate::read::book::Book;
use crate::read::plan::Row;
use std::fs;

/// What the speaker reads at the title.
pub(super) const KEYS: &str = "<p><b>Keys.</b> Space or → shows the next line, arrow \
    or slide, ← goes back. S opens this window with notes and a clock, O shows all slides, \
    T changes between light and dark, F fills the screen, B makes it black. Add \
    <code>?print-pdf</code> to the address to print.</p>";

/// The notes of a row: when, what to run, draw and ask, and what to do if it fails.
pub(super) fn of_row(row: &Row) -> String {
    let mut html = format!(
        "<p><b>{} to {} minutes:</b> {}</p>",
        row.from,
        row.to,
        inline(&row.topic)
    );
    for command in row.commands() {
        html += &format!("<p><b>Run:</b> <code>{}</code></p>", escaped(&command));
    }
    let parts = [("Draw", &row.draw), ("Ask", &row.ask), ("If it fails", &row.fails)];
    for (name, text) in parts.into_iter().filter(|(_, text)| !text.is_empty()) {
        html += &format!("<p><b>{name}:</b> {}</p>", inline(text));
    }
    html
}

/// The teaching notes of the chapters of a row.
pub(super) fn of_chapters(book: &Book, row: &Row) -> String {
    linked_pages(&row.topic).iter().map(|slug| of_chapter(book, slug)).collect()
}

/// The teaching notes of a chapter; none for another page.
fn of_chapter(book: &Book, slug: &str) -> String {
    let file = book.place.book.join("teaching").join(format!("{slug}.md"));
    let Ok(text) = fs::read_to_string(file) else { return String::new() };
    let title = book.page(slug).and_then(|page| page.title()).unwrap_or_default();
    format!("<hr><p><b>Notes on “{}”</b></p>{}", escaped(&title), html_of(&text))
}

/// Which misconception each wrong option comes from, and which command settles it.
pub(super) fn of_question(bank: &Bank, question: &Question) -> String {
    let mut html = "<p>Vote, let neighbors talk, and vote again.</p>".to_string();
    for (place, option) in question.options.iter().enumerate() {
        let why = match &option.tag {
            None => "the answer".to_string(),
            Some(tag) => {
                let sentence = bank.concepts.misconceptions.get(tag);
                format!("{tag}: {}", sentence.map_or("", String::as_str))
            }
        };
        html += &format!("<p><b>{}</b> {}</p>", letter(place), inline(&why));
    }
    html + &format!("<p>Settled by: <code>{}</code></p>", escaped(&question.settled_by))
}
