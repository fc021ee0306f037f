//! A chapter has its parts, in order, and its size.

use super::images;
use crate::read::book::Book;
use crate::read::page::{Page, Role};
use crate::read::problem::Problem;

/// The parts of a chapter that have the same heading in each chapter, in their order. A
/// heading of a step goes on after these letters.
const PARTS: &[&str] = &[STEP, PREDICT, "Python ↔ Rust", CHECKPOINT, RECAP];
const STEP: &str = "Step ";
/// The part with the predictions.
pub(super) const PREDICT: &str = "Predict, then run";
/// The part with the questions at the end.
pub(super) const CHECKPOINT: &str = "Checkpoint";
const RECAP: &str = "Recap";

/// Holds a chapter to the plan of `book/README.md`. Of the first and the last one only
/// the header is required; the rest gives warnings.
pub fn check(book: &Book, page: &Page) -> Vec<Problem> {
    if page.role == Role::Appendix {
        return Vec::new();
    }
    let mut problems: Vec<Problem> = header(page).into_iter().collect();
    let mut plan = parts(page);
    plan.extend(beginning(page));
    plan.extend(steps_in_order(page));
    plan.extend([PREDICT, CHECKPOINT].iter().flat_map(|part| questions(page, part)));
    plan.extend(sizes(book, page));
    let is_free = !matches!(page.role, Role::Chapter(_));
    plan.iter_mut().for_each(|problem| problem.is_warning |= is_free);
    problems.extend(plan);
    problems
}

/// A chapter names the earlier chapters that it builds on. What it runs, shows and takes is
/// counted, and not repeated.
fn header(page: &Page) -> Option<Problem> {
    let text =
        "no header: below the title write <!-- needs: …; covers: …; names: … -->";
    page.header.field("needs").is_none().then(|| page.problem(1, text))
}

/// Returns the place of a heading in the order of `PARTS`; `None` for a free title.
fn place_of(title: &str) -> Option<usize> {
    let is_it = |part: &&str| title == *part || (*part == STEP && is_step(title));
    PARTS.iter().position(is_it)
}

fn is_step(title: &str) -> bool {
    title.starts_with(STEP) || title == STEP.trim_end()
}

/// The fixed parts come in their order, a free one with the reason for the next chapter
/// follows the steps, and the recap is the last.
fn parts(page: &Page) -> Vec<Problem> {
    let mut problems = Vec::new();
    let sections = page.sections();
    let mut before = 0;
    for (line, title) in &sections {
        let Some(place) = place_of(title) else { continue };
        if place < before {
            let text = format!("`{title}` comes after `{}`: move it", PARTS[before]);
            problems.push(page.problem(*line, text));
        }
        before = before.max(place);
    }
    match sections.last() {
        Some((_, title)) if *title == RECAP => {}
        Some((line, title)) if sections.iter().any(|(_, title)| *title == RECAP) => {
            let text = format!("`{title}` comes after `{RECAP}`: end with the recap");
            problems.push(page.problem(*line, text));
        }
        _ => problems.push(page.problem(1, "there is no part `## Recap`")),
    }
    let mut titles = sections.iter().map(|(_, title)| title).rev();
    if titles.any(|title| is_step(title))
        && !after_the_last_step(&sections).any(|title| place_of(title).is_none())
    {
        let text = "no part leads on to the next chapter: after the last step write one, \
                    `## Where it breaks` or under a title of its own";
        problems.push(page.problem(1, text));
    }
    problems
}

fn after_the_last_step<'a>(
    sections: &'a [(usize, &str)],
) -> impl Iterator<Item = &'a str> {
    let last = sections.iter().rposition(|(_, title)| is_step(title));
    sections[last.unwrap_or(0)..].iter().skip(1).map(|(_, title)| *title)
}

/// Something comes before the first step: where we are, and the idea.
fn beginning(page: &Page) -> Option<Problem> {
    let before = page.prose().take_while(|line| !is_step(&line.section));
    let mut text = before
        .filter(|line| !line.text.trim().is_empty() && !line.text.starts_with("# "));
    let is_there = text.any(|line| !line.text.starts_with("## "));
    let problem =
        || page.problem(1, "step 1 comes first: say where we are, and the idea");
    (!is_there).then(problem)
}

/// `Step 1: …`, `Step 2: …`, at least one.
fn steps_in_order(page: &Page) -> Vec<Problem> {
    let (mut problems, mut count) = (Vec::new(), 0);
    for (line, title) in page.sections() {
        if is_step(title) {
            count += 1;
            let begin = format!("{STEP}{count}: ");
            if !title.starts_with(&begin) {
                let text = format!("`{title}` should begin with `{begin}`");
                problems.push(page.problem(line, text));
            }
        }
    }
    if count == 0 {
        problems.push(page.problem(1, "there is no part `## Step 1: …`"));
    }
    problems
}

/// The questions of a section are numbered, so that a class can name them: `**1.** Why?`,
/// or with a title `**2. Broken on purpose.** Why?`, each before its folded answer.
fn questions(page: &Page, section: &str) -> Vec<Problem> {
    pattern!(NUMBER, r"^\*\*(\d+)\.(?:\*\*)? ");
    let (mut problems, mut count, mut is_asked) = (Vec::new(), 0, false);
    for line in page.prose().filter(|line| line.section == section) {
        if let Some(found) = NUMBER.captures(&line.text).filter(|_| line.folded == 0) {
            count += 1;
            is_asked = true;
            if found[1] != count.to_string() {
                let text = format!("question {} should be number {count}", &found[1]);
                problems.push(page.problem(line.number, text));
            }
        } else if line.text.contains("<details") && !std::mem::take(&mut is_asked) {
            count += 1;
            let text = format!("this question should begin with `**{count}.** `");
            problems.push(page.problem(line.number, text));
        }
    }
    problems
}

fn sizes(book: &Book, page: &Page) -> Vec<Problem> {
    let (words, listings, runs) = (page.words(), page.listings(), page.runs());
    let mut wrong = Vec::new();
    if !(900..=1800).contains(&words) {
        wrong.push(format!("{words} words teach: write 900 to 1,800"));
    }
    if !(3..=10).contains(&listings) {
        wrong.push(format!("{listings} listings: show some 5 to 9"));
    }
    if runs < 3 {
        wrong.push(format!("{runs} runs: show three at least"));
    }
    if images::figures(book, page).is_empty() {
        wrong.push("there is no figure: include one".to_string());
    }
    wrong.into_iter().map(|text| page.problem(1, text)).collect()
}
