//! The questions of the bank have their parts, ask about what the book teaches, and do not
//! give their keys away. What proves the keys is looked at, or compiled and run.

use super::{commands, listings};
use crate::check::fine::Fine;
use crate::check::proof::prove_once;
use crate::read::bank::{self, Bank, Question, folder, letter, program, programs};
use crate::read::book::Book;
use crate::read::page::Role;
use crate::read::place::{files, stem};
use crate::read::problem::Problem;
use std::collections::BTreeSet;

/// How many options a question has.
const OPTIONS: usize = 4;

/// How many questions the test has.
const TEST: usize = 20;

/// How often a concept comes back in a semester.
const AGAIN: usize = 3;

/// How many questions may have no check.
const UNCHECKED: usize = 3;

pattern!(LINK, r"\]\(([^)#]*)\.md[)#]");

/// What is wrong with the bank. A book without one needs none.
pub fn check(book: &Book) -> Vec<Problem> {
    let (bank, mut problems) = bank::read_all(&book.place);
    if bank.questions.is_empty() {
        return problems;
    }
    let mut fine = Fine::read(&book.place);
    for question in &bank.questions {
        let file = folder(&book.place).join(&question.id).with_extension("toml");
        let file = book.place.shown(&file);
        let of_it = one(book, &bank, question).into_iter();
        let proofs =
            question.checks.iter().map(|it| prove_once(book, question, it, &mut fine));
        let of_it = of_it.chain(proofs.filter_map(Result::err));
        problems.extend(of_it.map(|why| Problem::new(&file, 0, why)));
    }
    let file = book.place.shown(&folder(&book.place));
    let whole = all(book, &bank).into_iter().chain(keys(&bank.questions));
    problems.extend(whole.map(|why| Problem::new(&file, 0, why)));
    problems
}

fn one(book: &Book, bank: &Bank, question: &Question) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut hold = |holds: bool, why: String| wrong.extend((!holds).then_some(why));
    let concept = &question.concept;
    hold(
        bank.concepts.concepts.contains_key(concept),
        format!("no concept `{concept}`"),
    );
    for tag in question.options.iter().filter_map(|it| it.tag.as_ref()) {
        let is_known = bank.concepts.misconceptions.contains_key(tag);
        hold(is_known, format!("no misconception `{tag}`"));
    }
    let mut tags = question.options.iter().filter_map(|it| it.tag.as_ref());
    let first = tags.next();
    let differ = tags.any(|tag| Some(tag) != first);
    hold(differ || first.is_none(), "all wrong options have the same tag".to_string());
    let slug = &question.chapter;
    let is_chapter = book.page(slug).is_some_and(|page| page.role != Role::Appendix);
    hold(is_chapter, format!("`{slug}` is no chapter"));
    let texts: BTreeSet<&str> =
        question.options.iter().map(|it| it.text.trim()).collect();
    let are_four = question.options.len() == OPTIONS && texts.len() == OPTIONS;
    hold(are_four && !texts.contains(""), format!("write {OPTIONS} different options"));
    for (name, text) in [("stem", &question.stem), ("explain", &question.explain)] {
        hold(!text.is_empty(), format!("`{name}` is empty"));
        for link in LINK.captures_iter(text) {
            let is_there = book.page(&link[1]).is_some();
            hold(
                is_there,
                format!("`{name}` links to {}.md, which is no page", &link[1]),
            );
        }
    }
    let has_reason = question.unchecked.as_ref().is_some_and(|it| !it.is_empty());
    let is_one = question.checks.is_empty() == has_reason;
    hold(is_one, "write a [[check]], or why there is none in `unchecked`".to_string());
    wrong.extend(command(book, question));
    wrong.extend(listing(book, question));
    wrong
}

/// The command that settles a question is one that there is.
fn command(book: &Book, question: &Question) -> Option<String> {
    let (command, id) = (&question.settled_by, &question.id);
    if let Some(named) = command.strip_prefix("cargo book settle ") {
        let is_own = named == id && program(&book.place, id).is_file();
        return (!is_own)
            .then(|| format!("`{command}`: it runs no program of this one"));
    }
    let is_ours = command.starts_with("cargo ");
    let is_ours = is_ours.then(|| commands::unknown(book, command));
    is_ours.unwrap_or(Some(format!("`{command}` is no command of cargo")))
}

fn listing(book: &Book, question: &Question) -> Option<String> {
    let code = bank::code(question, &book.place);
    // `cargo exercise review` shows it, too.
    let has_anchor = question.listing.as_ref().is_none_or(|it| it.contains(':'));
    if question.listing.is_some() && code.is_none() || !has_anchor {
        return Some("`listing` is a path and an anchor, `PATH:ANCHOR`".to_string());
    }
    let lines = match code?.lines() {
        Ok(lines) => lines,
        Err(why) => return Some(why),
    };
    let (count, most) = (lines.len(), listings::LONGEST);
    if count > most {
        return Some(format!("`listing` has {count} lines: at most {most}"));
    }
    let wide = lines.iter().find(|line| line.chars().count() > listings::WIDEST)?;
    Some(format!("wider than {} columns: {}", listings::WIDEST, wide.trim()))
}

/// What holds for the bank as a whole.
fn all(book: &Book, bank: &Bank) -> Vec<String> {
    let mut wrong = Vec::new();
    let questions = &bank.questions;
    let asked: BTreeSet<&str> =
        questions.iter().map(|it| it.concept.as_str()).collect();
    let tested = questions.iter().filter(|it| it.test.is_some());
    let tested: BTreeSet<&str> = tested.map(|it| it.concept.as_str()).collect();
    for concept in bank.concepts.concepts.keys() {
        if !asked.contains(concept.as_str()) {
            wrong.push(format!("no question asks about {concept}"));
        } else if !tested.is_empty() && !tested.contains(concept.as_str()) {
            wrong.push(format!("the test does not ask about {concept}"));
        }
    }
    let options = questions.iter().flat_map(|it| &it.options);
    let used: BTreeSet<&str> = options.filter_map(|it| it.tag.as_deref()).collect();
    let known = bank.concepts.misconceptions.keys();
    let unused = known.filter(|tag| !used.contains(tag.as_str()));
    wrong.extend(unused.map(|tag| format!("no option has the misconception {tag}")));
    let numbers = questions.iter().filter_map(|it| it.test);
    if numbers.zip(1..).any(|(number, place)| number != place) {
        wrong.push("`test` numbers the questions from 1, each number once".to_string());
    }
    let count = questions.iter().filter(|it| it.test.is_some()).count();
    if count > 0 && count != TEST {
        wrong.push(format!("the test has {count} questions, and its page says {TEST}"));
    }
    let without = questions.iter().filter(|it| it.checks.is_empty()).count();
    if without > UNCHECKED {
        wrong.push(format!("{without} questions have no check: at most {UNCHECKED}"));
    }
    wrong.extend(again(book, bank));
    let programs = files(&programs(&book.place), "rs");
    let stray = programs.iter().map(|file| stem(file));
    let stray = stray.filter(|id| bank.question(id).is_none());
    wrong.extend(stray.map(|id| format!("programs/{id}.rs belongs to no question")));
    wrong
}

/// In the semester of the teaching guide, each concept comes back in the column `again`, after
/// a chapter for which the bank has a question about it that is not in the test.
fn again(book: &Book, bank: &Bank) -> Vec<String> {
    let lines = book.page("teaching").into_iter().flat_map(|page| &page.lines);
    let lines =
        lines.filter(|it| it.section == "A semester" && it.text.starts_with('|'));
    let mut rows =
        lines.map(|it| it.text.split('|').map(str::trim).collect::<Vec<_>>());
    let Some(head) = rows.next() else { return Vec::new() };
    let column = head.iter().position(|it| *it == "again").unwrap_or(0);
    let (mut wrong, mut taught, mut asked) = (Vec::new(), BTreeSet::new(), Vec::new());
    for row in rows.filter(|row| row.len() == head.len()) {
        for id in row[column].split(", ").filter(|it| it.starts_with('K')) {
            asked.push(id);
            if !taught.contains(id) {
                wrong.push(format!(
                    "week {}: no question about {id} comes before",
                    row[1]
                ));
            }
        }
        for slug in LINK.captures_iter(row[2]) {
            let of_it = bank.questions.iter().filter(|it| it.chapter == slug[1]);
            taught.extend(of_it.filter(|it| it.test.is_none()).map(|it| &*it.concept));
        }
    }
    for concept in bank.concepts.concepts.keys() {
        let count = asked.iter().filter(|it| *it == concept).count();
        if count < AGAIN {
            wrong.push(format!(
                "{concept} is asked again {count} times: {AGAIN} at least"
            ));
        }
    }
    wrong.iter().map(|it| format!("the semester in teaching.md: {it}")).collect()
}

/// Neither its length nor its place tells which option is the key: if the place did not
/// matter, a quarter of the keys would be in each, and a quarter would be the longest.
fn keys(questions: &[Question]) -> Vec<String> {
    let count = questions.len();
    let length = |it: &Question, place: usize| it.options[place].text.chars().count();
    let lengths = |it: &Question| -> Vec<usize> {
        (0..it.options.len()).map(|place| length(it, place)).collect()
    };
    let is_longest =
        |it: &&Question| lengths(it).iter().max() == Some(&length(it, it.key));
    let is_shortest =
        |it: &&Question| lengths(it).iter().min() == Some(&length(it, it.key));
    let longest = questions.iter().filter(is_longest).count();
    let shortest = questions.iter().filter(is_shortest).count();
    let mut wrong = Vec::new();
    for (number, what) in [(longest, "longest"), (shortest, "shortest")] {
        if number * 3 > count {
            let most = count / 3;
            let why =
                format!("the key is the {what} option of {number}: at most {most}");
            wrong.push(why);
        }
    }
    for place in 0..OPTIONS {
        let number = questions.iter().filter(|it| it.key == place).count();
        let letter = letter(place);
        // A third at most, and an eighth at least.
        if number * 3 > count + 2 || (number + 1) * 8 < count {
            wrong.push(format!("{number} of {count} keys are {letter}: spread them"));
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::bank::{Choice, Level};

    /// A question with options of these lengths.
    fn question(key: usize, lengths: [usize; OPTIONS]) -> Question {
        let option = |length| Choice { text: "a".repeat(length), tag: None };
        Question {
            id: "a".to_string(),
            test: None,
            concept: "K1".to_string(),
            chapter: "pin".to_string(),
            level: Level::Apply,
            seen: true,
            stem: "What?".to_string(),
            listing: None,
            options: lengths.map(option).into(),
            key,
            explain: "Because.".to_string(),
            settled_by: "cargo step ch18_pin".to_string(),
            checks: Vec::new(),
            unchecked: None,
        }
    }

    #[test]
    fn neither_length_nor_place_gives_a_key_away() {
        let spread = |lengths| -> Vec<Question> {
            (0..OPTIONS * 2).map(|it| question(it % OPTIONS, lengths)).collect()
        };
        assert_eq!(keys(&spread([4, 5, 6, 7])), [""; 0]);
        let mut all = spread([4, 5, 6, 7]);
        all.iter_mut().for_each(|it| it.options.swap(it.key, 3));
        let says = "the key is the longest option of 8: at most 2";
        assert_eq!(keys(&all), [says]);
        all.iter_mut().for_each(|it| {
            it.options.swap(it.key, 3);
            it.options.swap(it.key, 0);
        });
        let says = "the key is the shortest option of 8: at most 2";
        assert_eq!(keys(&all), [says]);
        let same: Vec<Question> = (0..8).map(|_| question(1, [4, 5, 6, 7])).collect();
        assert!(keys(&same).contains(&"8 of 8 keys are B: spread them".to_string()));
    }
}
