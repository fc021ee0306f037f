//! The plans for a class are complete: no minute is missing or planned twice, each command
//! runs something, and there is time left.

use super::commands;
use crate::read::book::Book;
use crate::read::place::stem;
use crate::read::plan::{Command, Plan, Row, all, command, read, shown};
use crate::read::problem::Problem;
use std::collections::BTreeSet;

/// The longest time without a break, in minutes.
const LONGEST: u32 = 100;

/// The least slack of a plan without a break, in minutes.
const SLACK: u32 = 5;

/// At level 1 little is left to write, and it takes this part of the minutes.
const LITTLE: usize = 4;

pattern!(SHOW, r"`(cargo show [^`]*)`");

/// Looks at all plans, and whether a page shows them.
pub fn check(book: &Book) -> Vec<Problem> {
    let named: BTreeSet<String> =
        book.pages.iter().flat_map(|page| shown(&page.text)).collect();
    let mut problems = Vec::new();
    for file in all(&book.place) {
        let name = stem(&file);
        let wrong = match read(&book.place, name) {
            Ok(plan) => of(book, &plan),
            Err(why) => vec![why],
        };
        let no_page = format!(
            "no page shows it: write `{{{{#include ../made/plan-{name}.md}}}}`"
        );
        let wrong = wrong.into_iter().chain((!named.contains(name)).then_some(no_page));
        let path = book.place.shown(&file);
        problems.extend(wrong.map(|text| Problem::new(&path, 0, text)));
    }
    problems
}

fn of(book: &Book, plan: &Plan) -> Vec<String> {
    let mut wrong = times(plan);
    wrong.extend(slack(plan));
    wrong.extend(talk(plan));
    let mut written = BTreeSet::new();
    for row in plan.rows() {
        let what =
            of_row(book, row).into_iter().chain(exercises(book, row, &mut written));
        wrong.extend(
            what.map(|text| format!("{} ({}): {text}", row.minutes(), row.topic)),
        );
    }
    wrong
}

/// The rows follow each other, and fill the plan's minutes.
fn times(plan: &Plan) -> Vec<String> {
    let (mut wrong, mut now, mut sum) = (Vec::new(), 0, 0);
    for part in &plan.parts {
        if plan.has_days() {
            now = 0;
        }
        for row in &part.rows {
            if row.from != now {
                let minutes = row.minutes();
                wrong.push(format!(
                    "{minutes}: it begins at {now}, where the one before ends"
                ));
            }
            if row.to <= row.from {
                wrong.push(format!("{}: it ends before it has begun", row.minutes()));
            }
            sum += row.length();
            now = row.to;
        }
    }
    if sum != plan.minutes {
        wrong
            .push(format!("its rows take {sum} minutes, and it says {}", plan.minutes));
    }
    wrong
}

/// There is a break in time, and in a plan without one some slack.
fn slack(plan: &Plan) -> Vec<String> {
    let (mut wrong, mut since) = (Vec::new(), 0);
    for part in &plan.parts {
        if !part.day.is_empty() {
            since = 0;
        }
        for row in &part.rows {
            since += row.length();
            if is_break(row) {
                since = 0;
            }
            if since > LONGEST {
                let minutes = row.minutes();
                wrong.push(format!("{minutes}: {since} minutes without a break"));
                since = 0;
            }
        }
    }
    let pauses = plan.rows().filter(|row| row.pause);
    let free: u32 = pauses.map(Row::length).sum();
    if free < SLACK {
        wrong.push(format!("{free} minutes of slack and breaks: at least {SLACK}"));
    }
    wrong
}

/// In a plan without a break, the class itself does something in half of the minutes.
fn talk(plan: &Plan) -> Option<String> {
    let talk: u32 = plan.rows().map(Row::talk).sum();
    let is_short = !plan.has_days() && !plan.rows().any(is_break);
    let is_long = is_short && talk * 2 > plan.minutes;
    is_long.then(|| format!("{talk} minutes of talk: at most {}", plan.minutes / 2))
}

/// A pause of ten minutes is a break, and a shorter one is slack.
fn is_break(row: &Row) -> bool {
    row.pause && row.length() >= 10
}

/// The commands exist, and there is something to do if they fail.
fn of_row(book: &Book, row: &Row) -> Vec<String> {
    let mut wrong = Vec::new();
    if row.pause && *row != pause(row) {
        wrong.push("a pause has minutes and a topic alone".to_string());
    }
    if row.class > row.length() {
        wrong.push(format!("`class` is {} minutes, of {}", row.class, row.length()));
    }
    for line in &row.run {
        match command(line) {
            Err(why) => wrong.push(why),
            Ok(Command::Exercise(name)) => wrong.extend(no_exercise(book, name)),
            Ok(Command::Run(..)) => wrong.extend(commands::unknown(book, line)),
        }
    }
    if !row.run.is_empty() && row.fails.is_empty() {
        wrong.push("`fails` says what to do if a command fails: write it".to_string());
    }
    for found in SHOW.captures_iter(&row.fails) {
        wrong.extend(commands::unknown(book, &found[1]));
    }
    wrong
}

fn pause(row: &Row) -> Row {
    let Row { from, to, topic, .. } = row.clone();
    Row { from, to, topic, pause: true, ..Row::default() }
}

fn no_exercise(book: &Book, name: &str) -> Option<String> {
    let is_there = book.exercise(name).is_some();
    (!is_there).then(|| format!("there is no exercise `{name}`"))
}

/// What is written exists, builds on what was written before, and fits into the row.
fn exercises(book: &Book, row: &Row, written: &mut BTreeSet<String>) -> Vec<String> {
    let (mut wrong, mut sum) = (Vec::new(), 0);
    for name in &row.write {
        let Some(exercise) = book.exercise(name) else {
            wrong.extend(no_exercise(book, name));
            continue;
        };
        sum += exercise.minutes;
        let needs = exercise.needs.iter().filter(|_| row.level != Some(1));
        for missing in needs.filter(|it| !written.contains(*it)) {
            wrong.push(format!(
                "`{name}` builds on `{missing}`, which is not written yet"
            ));
        }
        written.insert(name.clone());
    }
    let minutes = row.length();
    if row.level == Some(1) {
        sum /= LITTLE;
    }
    if sum > minutes as usize {
        wrong.push(format!("exercises of {sum} minutes do not fit"));
    }
    wrong
}
