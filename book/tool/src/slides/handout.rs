//! The handout of a plan, for paper: questions with room to write, figures to complete, and
//! words.

use super::draft::{asked, sentence};
use super::lecture::Lecture;
use super::markdown::{html_of, inline, plain};
use super::script::Row as Written;
use super::{frame, show};
use crate::html::highlight::escaped;
use crate::html::terms::Glossary;
use crate::read::book::Book;
use crate::read::plan::Row;
use crate::read::problem::Problem;

/// The handout of a plan as a page.
///
/// # Errors
/// All that is wrong with its slides, its figures or its words.
pub(super) fn page(book: &Book, lecture: &Lecture) -> Result<String, Vec<Problem>> {
    let numbers = lecture.deck(book)?.numbers();
    let glossary = Glossary::read(&book.place);
    let (mut questions, mut words) = (String::new(), Words::new(&glossary));
    for ((row, written), slides) in lecture.rows().zip(numbers) {
        let Some(written) = written.filter(|_| !row.pause) else { continue };
        let wrong = |why| vec![Problem::new(&lecture.script.file, written.line, why)];
        questions += &question(book, row, written, slides).map_err(wrong)?;
        words.add(written).map_err(wrong)?;
    }
    let styles = frame::styles(book, &["figures.css", "handout.css"])?;
    let title = escaped(&plain(&lecture.plan.title));
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{title}: handout</title>\n<style>\n{styles}</style>\n</head>\n<body>\n<main>\n\
         <h1>{title}</h1>\n<div class=\"rows\">\n{questions}</div>\n\
         <section class=\"words\"><h2>Words</h2>\n<dl>\n{}</dl></section>\n</main>\n\
         </body>\n</html>\n",
        words.html,
    ))
}

/// The question of a row, with room to write, and its figure to complete.
fn question(
    book: &Book,
    row: &Row,
    written: &Written,
    (first, last): (usize, usize),
) -> Result<String, String> {
    let figure =
        written.figure.as_ref().map_or(Ok(String::new()), |(name, look)| {
            show::figure(&book.place, name, *look, &format!("{name}-out"))
        })?;
    let ask = html_of(&asked(&row.ask));
    let topic = sentence(&inline(&row.topic));
    let room = "<i></i>".repeat(if figure.is_empty() { 4 } else { 3 });
    Ok(format!(
        "<section class=\"row\"><h2>{topic} <small>slides {first}–{last}</small></h2>\n\
         {ask}\n<div class=\"room\">{room}</div>\n{figure}</section>\n"
    ))
}

/// The words that are explained, each once.
struct Words<'a> {
    glossary: &'a Glossary,
    known: Vec<String>,
    html: String,
}

impl<'a> Words<'a> {
    fn new(glossary: &'a Glossary) -> Words<'a> {
        Words { glossary, known: Vec::new(), html: String::new() }
    }

    /// Adds the words of a row.
    fn add(&mut self, written: &Written) -> Result<(), String> {
        for term in &written.terms {
            let why = || format!("`{term}` is not in the glossary");
            let (id, meaning) = self.glossary.entry(term).ok_or_else(why)?;
            if self.known.iter().any(|known| known == id) {
                continue;
            }
            self.known.push(id.to_string());
            let (term, meaning) = (inline(term), inline(meaning));
            self.html += &format!("<div><dt>{term}</dt> <dd>{meaning}</dd></div>\n");
        }
        Ok(())
    }
}
