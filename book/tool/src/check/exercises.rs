//! An exercise has its parts, and its chapter a place for them. That a solution passes and
//! a mistake does not is what `cargo exercise prove` shows.

use super::listings::{LONGEST, WIDEST};
use crate::read::book::Book;
use crate::read::exercise::BEFORE;
use crate::read::exercise::recorded;
use crate::read::include::Include;
use crate::read::page::Page;
use crate::read::place::Place;
use crate::read::problem::Problem;
use runner::material::Exercise;
use runner::mistakes::FILE;
use runner::variants;
use std::ops::RangeInclusive;

/// How many words a hint has.
const WORDS: RangeInclusive<usize> = 5..=60;

/// The most lines of a solution. It is folded, so it may be longer than a listing.
const LONGEST_SOLUTION: usize = 60;

/// The material can be read.
pub fn read(book: &Book) -> Option<Problem> {
    book.exercises.as_ref().err().map(|why| Problem::new("exercises", 0, why))
}

/// The exercises of a chapter are whole, and only the build writes their section.
pub fn check(book: &Book, page: &Page) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (line, title) in page.sections() {
        if ["Exercise", "Exercises"].contains(&title) {
            let text = "the build writes this section from the exercises: remove it";
            problems.push(page.problem(line, text));
        }
    }
    let own: Vec<&Exercise> = book.exercises_of(&page.slug).collect();
    let is_place = |line: &str| line.trim_end() == BEFORE;
    if !own.is_empty() && !page.prose().any(|line| is_place(&line.text)) {
        let text = format!("it has exercises, which come before `{BEFORE}`: write it");
        problems.push(page.problem(1, text));
    }
    problems.extend(own.iter().flat_map(|it| one(&book.place, it)));
    problems
}

fn one(place: &Place, exercise: &Exercise) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut add = |file: &str, text: String| {
        let file = place.shown(&exercise.folder.join(file));
        problems.push(Problem::new(file, 0, text));
    };
    match exercise.hints() {
        Err(why) => add("hints.md", why),
        Ok(hints) => {
            let counts = hints.iter().map(|hint| hint.split_whitespace().count());
            for count in counts.filter(|count| !WORDS.contains(count)) {
                let (few, many) = (WORDS.start(), WORDS.end());
                add(
                    "hints.md",
                    format!("a hint of {count} words: write {few} to {many}"),
                );
            }
        }
    }
    let begin = exercise.file_of_start();
    for (file, shown, anchor, most) in [
        (begin, "start.rs", "task", LONGEST),
        ("solution.rs", "solution.rs", "solution", LONGEST_SOLUTION),
    ] {
        if let Some(why) = listing(place, exercise, shown, anchor, most) {
            add(file, why);
        }
    }
    let begins = exercise.read("start.rs").is_ok_and(|it| it.starts_with("//! "));
    if !begins {
        add(begin, "it does not begin with `//! ` and a sentence".to_string());
    }
    if let Some(why) = stale(exercise) {
        add(FILE, why);
    }
    problems
}

/// What is wrong with what the page shows of a file.
fn listing(
    place: &Place,
    exercise: &Exercise,
    file: &str,
    anchor: &str,
    most: usize,
) -> Option<String> {
    let folder = place.shown(&exercise.folder);
    let include = format!("{{{{#include ../../{folder}/{file}:{anchor}}}}}");
    let lines = match Include::parse(place, &include)?.lines() {
        Ok(lines) => lines,
        Err(why) => return Some(why),
    };
    if lines.len() > most {
        let count = lines.len();
        return Some(format!("`{anchor}` has {count} lines: at most {most}"));
    }
    let wide = lines.iter().find(|line| line.chars().count() > WIDEST)?;
    Some(format!("wider than {WIDEST} columns: {}", wide.trim()))
}

/// Whether the record of what the check says is about other mistakes than there are.
fn stale(exercise: &Exercise) -> Option<String> {
    let wrong = exercise.read("wrong.txt").and_then(|text| variants::parse(&text));
    let (wrong, recorded) = match (wrong, recorded(exercise)) {
        (Ok(wrong), Ok(recorded)) => (wrong, recorded),
        (Err(why), _) | (_, Err(why)) => return Some(why),
    };
    let wrong: Vec<&str> =
        wrong.iter().filter(|it| !it.is_right()).map(|it| it.name.as_str()).collect();
    let names: Vec<&str> = recorded.iter().map(|it| it.name.as_str()).collect();
    let name = &exercise.name;
    (wrong != names).then(|| {
        format!("not the mistakes of wrong.txt: `cargo exercise prove --update {name}`")
    })
}
