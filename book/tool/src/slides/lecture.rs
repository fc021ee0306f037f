//! The deck of a plan: its rows, each with the slides that are written for it, or with
//! slides made of the row itself.

use super::deck::{Deck, Section, Slide};
use super::draft::{Show, sentence};
use super::markdown::{html_of, inline, linked_pages, plain};
use super::notes;
use super::script::Script;
use crate::bank::Bank;
use crate::book::Book;
use crate::figure::Look;
use crate::plan::{self, Plan, Row};
use crate::problem::Problem;

/// A row of a plan with where it is: its part, from 0, and its minutes.
pub(super) struct At<'a> {
    /// The part, from 0.
    pub(super) part: usize,
    /// The row.
    pub(super) row: &'a Row,
}

/// All rows of a plan, in order.
pub(super) fn rows(plan: &Plan) -> impl Iterator<Item = At<'_>> {
    let parts = plan.parts.iter().enumerate();
    parts.flat_map(|(part, it)| it.rows.iter().map(move |row| At { part, row }))
}

/// The deck of a plan.
///
/// # Errors
/// All that is wrong with the plan and the slides.
pub(super) fn deck(book: &Book, name: &str) -> Result<Deck, Vec<Problem>> {
    let place = &book.place;
    let wrong = |file: String, why: String| vec![Problem::new(file, 0, why)];
    let plan = plan::read(place, name)
        .map_err(|why| wrong(format!("book/plans/{name}.toml"), why.to_string()))?;
    let bank = Bank::read(place).map_err(|why| wrong("book/bank".to_string(), why))?;
    let script = Script::read(place, name)?;
    let mut problems = Vec::new();
    let mut deck = Deck {
        title: plain(&plan.title),
        notes: notes::KEYS.to_string(),
        ..Deck::default()
    };
    let mut show = Show::new(book, &bank);
    for At { part, row } in rows(&plan) {
        let written = script.as_ref().and_then(|it| it.row(part, (row.from, row.to)));
        let mut slides = Vec::new();
        match (written, &script) {
            (Some(written), Some(script)) => {
                for draft in &written.slides {
                    match show.draft(row, draft) {
                        Ok(made) => slides.extend(made),
                        Err((line, why)) => {
                            problems.push(Problem::new(&script.file, line, why));
                        }
                    }
                }
            }
            _ => slides = made_of(&mut show, row),
        }
        if slides.is_empty() {
            slides.push(heading(row));
        }
        let of_row = notes::of_row(row);
        for slide in &mut slides {
            slide.notes += &of_row;
        }
        slides[0].notes += &notes::of_chapters(book, row);
        let plan_part = &plan.parts[part];
        let is_first = plan_part.rows.first().is_some_and(|it| it.from == row.from);
        if is_first && !plan_part.title.is_empty() {
            slides.insert(0, opening(&plan_part.title, &plan_part.day));
        }
        let label = format!("{}–{} · {}", row.from, row.to, plain(&row.topic));
        let seconds = Some(row.length() as usize * 60);
        deck.sections.push(Section { label, seconds, slides });
    }
    if problems.is_empty() { Ok(deck) } else { Err(problems) }
}

/// The slide at the begin of a part.
fn opening(title: &str, day: &str) -> Slide {
    let (title, day) = (inline(title), inline(day));
    let body = format!("<h1>{title}</h1><div class=\"below\">{day}</div>");
    Slide { body, class: "title", ..Slide::default() }
}

/// The topic of a row, large.
fn heading(row: &Row) -> Slide {
    let body = format!("<p>{}</p>", sentence(&inline(&row.topic)));
    Slide { body, class: "question", ..Slide::default() }
}

/// The slides of a row that has none written: its topic, its question, the figures of its
/// chapters, and what its steps print.
fn made_of(show: &mut Show<'_>, row: &Row) -> Vec<Slide> {
    let mut slides = vec![heading(row)];
    if row.pause {
        return slides;
    }
    if !row.ask.is_empty() {
        slides.push(show.question(&row.ask));
    }
    for slug in linked_pages(&row.topic) {
        slides.extend(show.figures_of(&slug, Look::InSteps));
    }
    slides.extend(row.run.iter().flat_map(|command| show.printed(command)));
    slides.extend(exercises(show.book, &row.write));
    slides
}

/// The exercises that the class writes, with the command that checks each.
fn exercises(book: &Book, names: &[String]) -> Option<Slide> {
    let of = |name: &String| book.exercises().iter().find(|it| it.name == *name);
    let rows = names.iter().filter_map(of).map(|it| {
        format!(
            "| {} | `cargo exercise watch {}` | {} |\n",
            it.title, it.name, it.minutes
        )
    });
    let rows: String = rows.collect();
    let table = format!("| exercise | its check | minutes |\n|---|---|--:|\n{rows}");
    let (title, body) = ("Write it".to_string(), html_of(&table));
    (!rows.is_empty()).then(|| Slide { title, body, ..Slide::default() })
}
