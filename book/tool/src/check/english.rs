//! The English is plain: old words are replaced, and tasks and sockets are things.
//!
//! `english/words.txt` has the old words, and pronouns that are right for people and wrong
//! for things, which are counted. The linter in `book/lint` looks for mistakes in
//! spelling and grammar. Of each kind, a part of the project may have as many as
//! `english/allowance.txt` says, and its numbers only fall.

use crate::book::Book;
use crate::lint;
use crate::page::Page;
use crate::place::Place;
use crate::problem::Problem;
use crate::prose::{self, Passage};
use regex::Regex;
use std::collections::BTreeMap;
use std::fs;

const FOR_PEOPLE: &str = "right for people; a task, a socket or code is a thing";

/// Words to look for.
#[derive(Default)]
struct Words {
    pronouns: Vec<Regex>,
    /// Each with what to write instead.
    old: Vec<(Regex, String)>,
    /// Phrases in which the words are right.
    fine: Vec<Regex>,
}

/// What is counted: a column of the allowance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Pronoun,
    OldWord,
    Mistake,
}

/// Something to change, or at least to look at.
struct Found {
    part: String,
    kind: Kind,
    problem: Problem,
}

/// How many of each kind a part has, or may have.
type Counts = BTreeMap<String, [usize; 3]>;

fn pattern(text: &str) -> Option<Regex> {
    Regex::new(&format!(r"(?i)\b(?:{})\b", text.replace(' ', r"\s+"))).ok()
}

impl Words {
    fn read(place: &Place) -> Result<Words, Problem> {
        let file = place.english("words.txt");
        let wrong =
            |line: usize, why: &str| Problem::new(place.shown(&file), line, why);
        let text =
            fs::read_to_string(&file).map_err(|why| wrong(0, &why.to_string()))?;
        let mut words = Words::default();
        for (number, line) in (1..).zip(text.lines()) {
            let no_pattern =
                || wrong(number, "write a pattern, two spaces, better words");
            if let Some(pronoun) = line.strip_prefix("? ") {
                words.pronouns.push(pattern(pronoun).ok_or_else(no_pattern)?);
            } else if let Some(phrase) = line.strip_prefix("- ") {
                words.fine.push(pattern(phrase).ok_or_else(no_pattern)?);
            } else if !line.is_empty() && !line.starts_with('#') {
                let (word, better) = line.split_once("  ").ok_or_else(no_pattern)?;
                let word = pattern(word).ok_or_else(no_pattern)?;
                words.old.push((word, better.trim().to_string()));
            }
        }
        Ok(words)
    }

    fn find(&self, passage: &Passage) -> Vec<Found> {
        let text = prose::words(&passage.text);
        let fine = |text: String, phrase: &Regex| prose::blank(phrase, &text);
        let old = self.fine.iter().fold(text.clone(), fine);
        let pronouns = self.pronouns.iter();
        let mut all: Vec<Found> = pronouns
            .flat_map(|it| find(it, passage, &text, FOR_PEOPLE, Kind::Pronoun))
            .collect();
        for (word, better) in &self.old {
            let better = format!("write {better}");
            all.extend(find(word, passage, &old, &better, Kind::OldWord));
        }
        all
    }
}

fn find(
    word: &Regex,
    passage: &Passage,
    text: &str,
    advice: &str,
    kind: Kind,
) -> Vec<Found> {
    let found = word.find_iter(text).map(|found| {
        let word = found.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
        let line = passage.line + text[..found.start()].matches('\n').count();
        let problem = Problem::new(&passage.file, line, format!("`{word}`: {advice}"));
        Found { part: passage.part.clone(), kind, problem }
    });
    found.collect()
}

fn find_all(book: &Book, with_linter: bool) -> Result<Vec<Found>, Problem> {
    let (words, passages) = (Words::read(&book.place)?, prose::all(book));
    let mut all: Vec<Found> =
        passages.iter().flat_map(|passage| words.find(passage)).collect();
    if with_linter {
        let remarks = lint::ask(&book.place, &passages)
            .map_err(|why| Problem::new("book/lint", 0, why))?;
        all.extend(remarks.into_iter().map(|remark| {
            let Passage { part, file, .. } = &passages[remark.passage];
            let problem = Problem::new(file, remark.line, remark.text);
            Found { part: part.clone(), kind: Kind::Mistake, problem }
        }));
    }
    Ok(all)
}

fn counts(found: &[Found]) -> Counts {
    let mut counts = Counts::new();
    for found in found {
        counts.entry(found.part.clone()).or_default()[found.kind as usize] += 1;
    }
    counts
}

/// Reads lines `part pronouns old-words mistakes`.
fn allowance(place: &Place) -> Counts {
    let text = fs::read_to_string(place.english("allowance.txt")).unwrap_or_default();
    let line = |line: &str| {
        let mut fields = line.split_whitespace();
        let part = fields.next()?.to_string();
        let numbers: Vec<usize> = fields.filter_map(|it| it.parse().ok()).collect();
        Some((part, numbers.try_into().ok()?))
    };
    text.lines().filter(|line| !line.starts_with('#')).filter_map(line).collect()
}

/// Returns what a page and its teaching notes have, as warnings; the linter is not asked.
pub fn of_page(book: &Book, page: &Page) -> Vec<Problem> {
    let own = [&page.file, &format!("book/teaching/{}.md", page.slug)];
    let mut problems = match find_all(book, false) {
        Ok(found) => warnings(found),
        Err(problem) => return vec![problem],
    };
    problems.retain(|problem| own.contains(&&problem.file));
    problems
}

fn warnings(found: Vec<Found>) -> Vec<Problem> {
    let warning = |found: Found| Problem { is_warning: true, ..found.problem };
    let mut problems: Vec<Problem> = found.into_iter().map(warning).collect();
    problems.sort();
    problems
}

/// No part has more than it may have. Where there are too many old words or mistakes, each
/// is a problem.
pub fn check(book: &Book, with_linter: bool) -> Vec<Problem> {
    let found = match find_all(book, with_linter) {
        Ok(found) => found,
        Err(problem) => return vec![problem],
    };
    let (counts, allowed) = (counts(&found), allowance(&book.place));
    let list = "book/english/allowance.txt";
    let may =
        |part: &str, kind: Kind| allowed.get(part).map_or(0, |may| may[kind as usize]);
    let mut problems = Vec::new();
    for (part, has) in &counts {
        let (has, may) = (has[Kind::Pronoun as usize], may(part, Kind::Pronoun));
        if has > may {
            let text = format!(
                "{part} has {has} of these pronouns, and {may} are allowed: \
                 `cargo book english` lists them ({FOR_PEOPLE})"
            );
            problems.push(Problem::new(list, 0, text));
        }
    }
    for (part, may) in &allowed {
        let has = counts.get(part).copied().unwrap_or_default();
        let asked = if with_linter { 3 } else { 2 };
        if (0..asked).any(|kind| has[kind] < may[kind]) {
            let text = format!("{part} has fewer: `cargo book english` lowers it");
            let problem = Problem::new(list, 0, text);
            problems.push(Problem { is_warning: true, ..problem });
        }
    }
    let is_too_much = |found: &Found| {
        let has = counts[&found.part][found.kind as usize];
        found.kind != Kind::Pronoun && has > may(&found.part, found.kind)
    };
    problems.extend(found.into_iter().filter(is_too_much).map(|found| found.problem));
    problems
}

/// Lowers the numbers of the allowance to what there is, and returns all that was found,
/// as warnings.
///
/// # Errors
/// The linter cannot be run, or the allowance cannot be read or written.
pub fn lower(book: &Book) -> Result<Vec<Problem>, Problem> {
    let file = book.place.english("allowance.txt");
    let failed = |error: std::io::Error| {
        Problem::new(book.place.shown(&file), 0, error.to_string())
    };
    let text = fs::read_to_string(&file).map_err(failed)?;
    let found = find_all(book, true)?;
    let counts = counts(&found);
    let is_comment = |line: &&str| line.starts_with('#');
    let mut lines: Vec<String> =
        text.lines().filter(is_comment).map(String::from).collect();
    for (part, may) in allowance(&book.place) {
        let has = counts.get(&part).copied().unwrap_or_default();
        let [pronouns, old, mistakes] =
            std::array::from_fn(|kind| may[kind].min(has[kind]));
        if pronouns + old + mistakes > 0 {
            lines.push(format!("{part:<18} {pronouns:>8} {old:>9} {mistakes:>8}"));
        }
    }
    fs::write(&file, lines.join("\n") + "\n").map_err(failed)?;
    Ok(warnings(found))
}
