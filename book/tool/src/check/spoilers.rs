//! The code of a question does not give the answer away above the fold.

use super::anatomy::{CHECKPOINT, PREDICT};
use crate::read::book::Book;
use crate::read::page::Page;
use crate::read::problem::Problem;
use crate::read::text::Fence;

/// The line above a code block whose comments are not the answer. A reason may follow:
/// `<!-- no spoiler: the question says so -->`.
const MARK: &str = "<!-- no spoiler";

// Words by which a comment says what goes wrong.
pattern!(
    WORDS,
    r"(?i)\b(mistakes?|bugs?|broken|wrong|lost|too late|it is gone|E[0-9]{4})\b"
);

/// Finds assertions and telling comments in the code of predictions and checkpoints,
/// outside of folded answers. Hidden lines count: a button shows them.
pub fn check(book: &Book, page: &Page) -> Vec<Problem> {
    let is_asked = |fence: &&Fence| {
        fence.is_rust()
            && [PREDICT, CHECKPOINT].contains(&fence.section.as_str())
            && is_above_the_fold(page, fence)
    };
    page.fences.iter().filter(is_asked).flat_map(|it| one(book, page, it)).collect()
}

fn is_above_the_fold(page: &Page, fence: &Fence) -> bool {
    let line = |number: usize| page.lines.iter().find(|line| line.number == number);
    let is_marked =
        line(fence.line - 1).is_some_and(|line| line.text.starts_with(MARK));
    !is_marked && line(fence.line).is_some_and(|line| line.folded == 0)
}

fn one(book: &Book, page: &Page, fence: &Fence) -> Vec<Problem> {
    if let Some(include) = fence.only_include(&book.place) {
        // Another rule reports that it cannot be read.
        let lines = include.lines().unwrap_or_default();
        let told = lines.iter().filter_map(|line| tells(line));
        return told.map(|text| page.problem(fence.line_of(0), text)).collect();
    }
    let lines = fence.body.iter().enumerate();
    let told = lines.filter_map(|(index, line)| Some((index, asserts(line)?)));
    told.map(|(index, text)| page.problem(fence.line_of(index), text)).collect()
}

/// What is wrong with a line of a short program.
fn asserts(line: &str) -> Option<String> {
    let text = "an assertion gives the answer away: print the value here, and assert it \
                in the folded answer";
    let code = &line[..comment_in(line).unwrap_or(line.len())];
    if code.contains("assert") { Some(text.to_string()) } else { tells(line) }
}

/// What is wrong with the comment of a line.
fn tells(line: &str) -> Option<String> {
    let word = WORDS.find(&line[comment_in(line)?..])?.as_str();
    Some(format!(
        "the comment says `{word}`: move it into the folded answer or out of the anchor, \
         or if it is not the answer, write {MARK} --> above the code"
    ))
}

/// Where a comment begins. The two slashes of a URL do not begin one.
fn comment_in(line: &str) -> Option<usize> {
    let mut slashes = line.match_indices("//").map(|(index, _)| index);
    slashes.find(|index| !line[..*index].ends_with(':'))
}
