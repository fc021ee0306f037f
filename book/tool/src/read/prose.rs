//! The prose of the project: pages, documents, figures, and the comments and texts of
//! sources, without code. Here is where it is; `pieces` cuts a file.

use crate::read::bank;
use crate::read::book::Book;
use crate::read::place::{files, files_below, folders};
use crate::read::plan;
use pieces::{Piece, figure, hints, markdown, mistakes, plan_texts, question, source};
use regex::{Captures, Regex};
use runner::material;
use std::path::PathBuf;

mod pieces;

/// What kind of text a passage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file in Markdown.
    Markdown,
    /// A documentation comment, in Markdown.
    Documentation,
    /// Another comment, or a text that a program prints, or a figure shows.
    Text,
}

/// A piece of prose. Its lines are those of the file, and what is not prose is blank. Lines of a
/// `solution.rs` are counted without the marks of its holes, as it is shown and compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Its file.
    pub path: PathBuf,
    /// The file as a person would write its path.
    pub file: String,
    /// The number of its first line.
    pub line: usize,
    /// What it is.
    pub kind: Kind,
    /// The text, in which inline code and links are as they were written.
    pub text: String,
}

pattern!(
    NOT_WORDS,
    r"``[^`]+(?:`[^`]+)*``|`[^`]*`|\]\([^)]*\)|\bhttps?://[^\s>)]+|\{[a-z_]+\}|english: .*"
);

/// Returns all prose of the project.
pub fn all(book: &Book) -> Vec<Passage> {
    let place = &book.place;
    let mut all = Vec::new();
    let mut add = |paths: &[PathBuf], read: fn(&str) -> Vec<Piece>| {
        for path in paths {
            let text = material::source(path).unwrap_or_default();
            let file = place.shown(path);
            let passage = |(line, kind, text): Piece| Passage {
                path: path.clone(),
                file: file.clone(),
                line,
                kind,
                text,
            };
            all.extend(read(&text).into_iter().map(passage));
        }
    };
    add(&files(&place.book.join("src"), "md"), markdown);
    add(&plan::all(place), plan_texts);
    add(&files(&place.book.join("teaching"), "md"), markdown);
    add(&files(&place.book.join("slides"), "md"), markdown);
    add(&files(&place.book.join("figures"), "fig"), figure);
    add(&files(&place.root, "md"), markdown);
    for above in [place.root.clone(), place.root.join("tests")] {
        for folder in folders(&above) {
            add(&files(&folder, "md"), markdown);
        }
    }
    let exercises = book.files_of_exercises();
    let named = |end: &str| -> Vec<PathBuf> {
        exercises.iter().filter(|file| file.ends_with(end)).cloned().collect()
    };
    let sources =
        exercises.iter().filter(|it| it.extension().is_some_and(|it| it == "rs"));
    add(&sources.cloned().collect::<Vec<_>>(), source);
    add(&named("hints.md"), hints);
    add(&named("wrong.txt"), mistakes);
    let questions = bank::folder(place);
    add(&files(&questions, "toml"), question);
    add(&files(&questions, "md"), markdown);
    add(&files(&bank::programs(place), "rs"), source);
    for folder in book.project.packages.values() {
        add(&files_below(&folder.join("examples"), "rs"), source);
        add(&files_below(&folder.join("src"), "rs"), source);
    }
    all
}

/// Returns a text without inline code and targets of links.
pub fn words(text: &str) -> String {
    blank(&NOT_WORDS, text)
}

/// Replaces what a pattern finds by a space and the line ends in it.
pub(crate) fn blank(pattern: &Regex, text: &str) -> String {
    let blank = |found: &Captures<'_>| {
        format!(" {}", "\n".repeat(found[0].matches('\n').count()))
    };
    pattern.replace_all(text, blank).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_code_and_targets_are_no_words() {
        assert_eq!(words("a `b` [c](d.md) ``e`f`` g"), "a   [c    g");
    }
}
