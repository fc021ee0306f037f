//! A chapter has its parts, in order, and its size.

use super::counts::{listings, runs, words};
use super::{images, steps};
use crate::book::Book;
use crate::page::{Page, Role};
use crate::problem::Problem;

/// The parts of a chapter that have a heading, in their order; is it required?
const PARTS: &[(&str, bool)] = &[
    ("Where we are", true),
    ("The idea", true),
    ("Step", true),
    ("Predict, then run", false),
    ("Python ↔ Rust", false),
    ("Where it breaks", true),
    ("Checkpoint", false),
    ("Recap", true),
];

/// Holds a chapter to the plan of `CONTRIBUTING.md`. Of the first and the last one only
/// the header is asked; the rest is told as a warning.
pub fn check(book: &Book, page: &Page) -> Vec<Problem> {
    if page.role == Role::Appendix {
        return Vec::new();
    }
    let mut problems = header(book, page);
    let mut plan = parts(page);
    plan.extend(sizes(book, page));
    let is_free = !matches!(page.role, Role::Chapter(_));
    plan.iter_mut().for_each(|problem| problem.is_warning |= is_free);
    problems.extend(plan);
    problems
}

fn header(book: &Book, page: &Page) -> Vec<Problem> {
    let line = page.header.line;
    if line == 0 {
        let text = "no header: below the title write <!-- id: …; covers: …; minutes: …; \
                    steps: …; trace: … -->";
        return vec![page.problem(1, text)];
    }
    let mut wrong = Vec::new();
    for field in ["id", "covers", "minutes", "steps", "trace"] {
        if page.header.field(field).is_none() {
            wrong.push(format!("the header has no `{field}:`"));
        }
    }
    if page.header.field("id").is_some_and(|id| id != page.slug) {
        wrong.push(format!("the id is not {}", page.slug));
    }
    let run = steps::run_in(page);
    for step in page.header.list("steps") {
        if !book.project.examples.contains_key(&step) {
            wrong.push(format!("there is no step `{step}`"));
        } else if !run.contains(&step) {
            wrong.push(format!("the step `{step}` is not run: add a console block"));
        }
    }
    for trace in page.header.list("trace") {
        let path = format!("../traces/{trace}.md");
        let includes = page.includes(&book.place);
        if !includes.iter().any(|(_, include)| include.path == path) {
            wrong.push(format!("the trace is not shown: include {path}"));
        }
    }
    wrong.into_iter().map(|text| page.problem(line, text)).collect()
}

fn parts(page: &Page) -> Vec<Problem> {
    let mut problems = Vec::new();
    let sections = page.sections();
    let is_part = |title: &str, part: &str| {
        title == part || (part == "Step" && title.starts_with("Step "))
    };
    for (part, is_required) in PARTS {
        let found = sections.iter().any(|(_, title)| is_part(title, part));
        if *is_required && !found {
            problems.push(page.problem(1, format!("there is no part `## {part}`")));
        }
    }
    let mut before = 0;
    for (line, title) in sections {
        let place = PARTS.iter().position(|(part, _)| is_part(title, part));
        let Some(place) = place else { continue };
        if place < before {
            let text = format!("`{title}` comes after `{}`: move it", PARTS[before].0);
            problems.push(page.problem(line, text));
        }
        before = before.max(place);
    }
    problems
}

fn sizes(book: &Book, page: &Page) -> Vec<Problem> {
    let (words, listings, runs) = (words(page), listings(page), runs(page));
    let mut wrong = Vec::new();
    if !(900..=1700).contains(&words) {
        wrong.push(format!("{words} words teach: write 900 to 1,700"));
    }
    if !(5..=9).contains(&listings) {
        wrong.push(format!("{listings} listings: show 5 to 9"));
    }
    if runs < 3 {
        wrong.push(format!("{runs} runs: show three at least"));
    }
    if images::figures(book, page).is_empty() {
        wrong.push("there is no figure: include one below `The idea`".to_string());
    }
    wrong.into_iter().map(|text| page.problem(1, text)).collect()
}
