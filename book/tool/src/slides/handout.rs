//! The handout of a plan, for paper: questions with room to write, figures to complete,
//! words, and slips for the role play.

use super::draft::{asked, sentence};
use super::lecture::{self, At, rows};
use super::markdown::{html_of, inline, linked_pages, plain};
use super::script::{Row as Written, Script};
use super::{frame, show, slips};
use crate::book::Book;
use crate::check::images;
use crate::figure::Look;
use crate::html::highlight::escaped;
use crate::html::terms::Glossary;
use crate::plan::{self, Row};
use crate::problem::Problem;

/// So many words of a chapter are explained, if the slides name none.
const WORDS: usize = 2;

/// The handout of a plan as a page.
///
/// # Errors
/// All that is wrong with the plan, its slides, or the words.
pub(super) fn page(book: &Book, name: &str) -> Result<String, Vec<Problem>> {
    let file = format!("book/plans/{name}.toml");
    let plan = plan::read(&book.place, name)
        .map_err(|why| vec![Problem::new(file, 0, why.to_string())])?;
    let script = Script::read(&book.place, name)?.unwrap_or_default();
    let numbers = lecture::deck(book, name)?.numbers();
    let glossary = Glossary::read(&book.place);
    let (mut questions, mut words) = (String::new(), Words::new(&glossary));
    for (At { part, row }, slides) in rows(&plan).zip(numbers) {
        if row.pause {
            continue;
        }
        let written = script.row(part, (row.from, row.to));
        let wrong = |why| {
            let line = written.map_or(0, |it| it.line);
            vec![Problem::new(&script.file, line, why)]
        };
        questions += &question(book, row, written, slides).map_err(wrong)?;
        words.add(book, row, written).map_err(wrong)?;
    }
    let styles = frame::styles(book, &["figures.css", "handout.css"])?;
    let title = escaped(&plain(&plan.title));
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{title}: handout</title>\n<style>\n{styles}</style>\n</head>\n<body>\n<main>\n\
         <h1>{title}</h1>\n<div class=\"rows\">\n{questions}</div>\n\
         <section class=\"words\"><h2>Words</h2>\n<dl>\n{}</dl></section>\n{}</main>\n\
         </body>\n</html>\n",
        words.html,
        slips::page()
    ))
}

/// The question of a row, with room to write, and its figure to complete.
fn question(
    book: &Book,
    row: &Row,
    written: Option<&Written>,
    (first, last): (usize, usize),
) -> Result<String, String> {
    let figure = match written {
        Some(written) => written.figure.clone(),
        None => first_figure(book, row),
    };
    let figure = match &figure {
        Some((name, look)) => {
            show::figure(&book.place, name, *look, &format!("{name}-out"))?
        }
        None => String::new(),
    };
    let ask = html_of(&asked(&row.ask));
    let topic = sentence(&inline(&row.topic));
    let room = "<i></i>".repeat(if figure.is_empty() { 4 } else { 3 });
    Ok(format!(
        "<section class=\"row\"><h2>{topic} <small>slides {first}–{last}</small></h2>\n\
         {ask}\n<div class=\"room\">{room}</div>\n{figure}</section>\n"
    ))
}

/// The first figure of a row's chapters that has something to complete: numbers, or arrows.
fn first_figure(book: &Book, row: &Row) -> Option<(String, Look)> {
    let pages =
        linked_pages(&row.topic).into_iter().filter_map(|slug| book.page(&slug));
    let names = pages.flat_map(|page| images::figures(book, page));
    names.into_iter().find_map(|name| {
        let draw = |look| show::figure(&book.place, &name, look, "").ok();
        let whole = draw(Look::Whole)?;
        let looks = [Look::WithoutLabels, Look::WithoutArrows];
        let look =
            looks.into_iter().find(|look| draw(*look).is_some_and(|it| it != whole))?;
        Some((name.clone(), look))
    })
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

    /// The words of a row, or the first ones of its chapters.
    fn add(
        &mut self,
        book: &Book,
        row: &Row,
        written: Option<&Written>,
    ) -> Result<(), String> {
        if let Some(written) = written.filter(|it| !it.terms.is_empty()) {
            for term in &written.terms {
                let why = || format!("`{term}` is not in the glossary");
                let (id, meaning) = self.glossary.entry(term).ok_or_else(why)?;
                self.put(term, id, meaning);
            }
            return Ok(());
        }
        for slug in linked_pages(&row.topic) {
            let terms =
                book.page(&slug).map(|page| terms(&page.text)).unwrap_or_default();
            let known = |term: &String| self.glossary.entry(term).is_some();
            let terms: Vec<String> =
                terms.into_iter().filter(known).take(WORDS).collect();
            for term in &terms {
                if let Some((id, meaning)) = self.glossary.entry(term) {
                    self.put(term, id, meaning);
                }
            }
        }
        Ok(())
    }

    fn put(&mut self, term: &str, id: &str, meaning: &str) {
        if self.known.iter().any(|known| known == id) {
            return;
        }
        self.known.push(id.to_string());
        let (term, meaning) = (inline(term), inline(meaning));
        self.html += &format!("<div><dt>{term}</dt> <dd>{meaning}</dd></div>\n");
    }
}

/// The words of a chapter's line `**Terms:**`.
fn terms(page: &str) -> Vec<String> {
    let line = page.lines().find_map(|line| line.strip_prefix("**Terms:** "));
    let line = line.unwrap_or_default().trim_end_matches('.');
    line.split(", ").map(String::from).collect()
}
