//! `cargo exercise review`: questions that come back after 1, 3, 7 and 21 days (Leitner).

use super::Desk;
use super::ask::{ask, wrapped};
use crate::bank::{Bank, Choice, Question};
use crate::day::Day;
use crate::material::{Chapter, anchored, chapter, chapters};
use crate::mutants::shuffled;
use crate::progress::Card;
use crate::show::{BAD, GOOD, NAME, TODO};
use anstream::{print, println};
use std::io::BufRead;
use std::process::Stdio;

/// The most questions of one review.
const MOST: usize = 5;

/// Asks what is due on this day. `settle` runs the command that shows why an answer is wrong.
/// Returns whether all questions were answered.
pub fn review(
    desk: &mut Desk,
    today: Day,
    input: &mut dyn BufRead,
    settle: &mut dyn FnMut(&Desk, &str) -> Result<(), String>,
) -> Result<bool, String> {
    if let unread @ [first, ..] = &desk.progress.unread[..] {
        let (count, first) = (unread.len(), first.chars().take(60).collect::<String>());
        println!("progress.txt: lines that cannot be read: {count}, as {first:?}");
    }
    let (bank, problems) = Bank::read(&desk.project.root.join("book/bank"));
    if let Some((file, why)) = problems.first() {
        return Err(format!("{}: {why}", file.display()));
    } else if bank.questions.is_empty() {
        return Err("the tree of a class has no questions: ask your teacher".into());
    }
    let chapters = chapters(&desk.project.root)?;
    let mut known = known(desk, &bank, &chapters);
    known.sort_by_key(|(card, _)| card.due());
    let (due, later): (Vec<_>, Vec<_>) =
        known.into_iter().partition(|(card, _)| card.is_due(today));
    if due.iter().any(|(card, _)| card.day > today) {
        println!("progress.txt has days after {today}: their questions are due, too.");
    }
    let (asked, mut right) = (due.len().min(MOST), 0);
    for (number, (card, question)) in (1..).zip(due.iter().take(MOST)) {
        let of = chapter(&chapters, &question.chapter);
        let of = of.map(|(at, it)| format!("  (chapter {at}: {})", it.title));
        println!("{TODO}{number} of {asked}{TODO:#}{}", of.unwrap_or_default());
        let Some(is_right) = answer(desk, &bank, question, today, input)? else {
            println!("The rest stays due.");
            return Ok(false);
        };
        let card = card.answered(is_right, today);
        desk.progress.put(&question.id, card)?;
        right += usize::from(is_right);
        if !is_right {
            println!("What settles it: {NAME}{}{NAME:#}", question.settled_by);
            settle(desk, &question.settled_by)?;
        }
        let again = card.due().map_or("will not be asked again".into(), |day| {
            format!("is asked again on {day}")
        });
        println!("This question {again}.\n");
    }
    let next = later.first().and_then(|(card, _)| card.due());
    match (due.len(), next) {
        (0, None) => {
            println!("A question is due a day after an exercise of its chapter.")
        }
        (0, Some(day)) => println!("None is due on {today}. The next one is on {day}."),
        (count, _) => {
            println!("{right} of {asked} right. Still due: {}", count - asked)
        }
    }
    Ok(true)
}

/// Returns the questions that may come back: they were answered before, or an exercise of
/// their chapter is done. A chapter without one counts with the next chapter that has any.
fn known<'a>(
    desk: &Desk,
    bank: &'a Bank,
    chapters: &[Chapter],
) -> Vec<(Card, &'a Question)> {
    let first = |question: &Question| {
        let (at, _) = chapter(chapters, &question.chapter)?;
        let next = desk.exercises.iter().find(|it| it.number >= at)?.number;
        let of_it = desk.exercises.iter().filter(|it| it.number == next);
        let done = of_it.map(|it| desk.progress.of(&it.name)).filter(|it| it.is_done);
        // An older file has no day: that was long ago.
        done.map(|it| Card { number: 0, day: it.day.unwrap_or_default() }).min()
    };
    let card = |it: &'a Question| {
        let card = desk.progress.card(&it.id).or_else(|| first(it))?;
        card.due().map(|_| (card, it))
    };
    let asked = bank.questions.iter().filter(|it| it.test.is_none());
    asked.filter_map(card).collect()
}

/// Asks a question, and explains it. Returns whether the answer is right, if there is one.
fn answer(
    desk: &Desk,
    bank: &Bank,
    question: &Question,
    today: Day,
    input: &mut dyn BufRead,
) -> Result<Option<bool>, String> {
    println!("{}", wrapped(&question.stem, ""));
    if let Some(listing) = &question.listing {
        print!("{}", anchored(&desk.project.root, listing)?);
    }
    // In another order on another day: the letter is not what has to be remembered.
    let mut options: Vec<&Choice> = question.options.iter().collect();
    options.sort_by_key(|it| shuffled(&format!("{today} {}", it.text)));
    for (letter, option) in ('A'..='Z').zip(&options) {
        println!("  {NAME}{letter}{NAME:#}  {}", wrapped(&option.text, "     "));
    }
    let chosen = ask(input, "Your answer", |line| {
        let mut all = ('A'..='Z').zip(&options);
        let found = all.find(|it| line.eq_ignore_ascii_case(&it.0.to_string()));
        found.map(|it| it.1).ok_or("Write the letter of an answer.".into())
    });
    let Some(chosen) = chosen else { return Ok(None) };
    match &chosen.tag {
        None => println!("{GOOD}Yes.{GOOD:#}"),
        Some(tag) => {
            println!("{BAD}No.{BAD:#} {}", wrapped(&question.right().text, ""));
            let belief = bank.concepts.misconceptions.get(tag).map_or("", |it| it);
            println!("What may be behind your answer: {}", wrapped(belief, ""));
        }
    }
    println!("{}", wrapped(&question.explain, ""));
    Ok(Some(chosen.tag.is_none()))
}

/// Runs a command of the project, and shows what it prints.
pub fn run(desk: &Desk, command: &str) -> Result<(), String> {
    // Only addresses are in quotes, and they have no blanks.
    let words = command.split_whitespace().skip(1).map(|it| it.trim_matches('\''));
    let mut cargo = step::cargo();
    cargo.current_dir(&desk.project.root).args(words).stdin(Stdio::null());
    // How it ends is a part of what it shows.
    cargo.status().map(drop).map_err(|error| format!("{command}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_due_is_asked_once_and_again_if_the_clock_goes_back() {
        let folder = tempfile::tempdir().expect("temporary files are possible");
        let done = "pool yes 1 0 no 1970-04-11\nleaf yes 1 0 no 1970-04-11\n";
        std::fs::write(folder.path().join("progress.txt"), done).expect("a file");
        let mut desk =
            Desk::new(Some(folder.path().into()), None).expect("it is there");
        let mut reviewed = |day: u32, mut input: &[u8]| {
            let mut settled = 0;
            let mut settle = |_: &Desk, _: &str| {
                settled += 1;
                Ok(())
            };
            let all = review(&mut desk, Day(day), &mut input, &mut settle);
            (all.expect("the bank is there"), settled)
        };
        assert_eq!(reviewed(100, b""), (true, 0), "a day has to pass");
        for nonsense in
            [&b""[..], b"q\na\n", b"e", b"?\n?\n\xff\n?\n?\na\na\na\na\na\n"]
        {
            assert_eq!(reviewed(101, nonsense), (false, 0), "{nonsense:?}");
        }
        const ANSWERS: &[u8] = b"a\nB\nx\n c \nd\na\n";
        let (all, settled) = reviewed(101, ANSWERS);
        assert!(all && (1..=5).contains(&settled), "{settled}");
        while !reviewed(101, b"").0 {
            assert!(reviewed(101, ANSWERS).0, "those after the first five");
        }
        assert_eq!(reviewed(101, b""), (true, 0), "all were answered");
        assert!(!reviewed(50, b"").0, "the clock goes back");
    }
}
