//! The English is plain: old words are replaced, and tasks and sockets are things.
//!
//! `english/words.txt` has the old words, and pronouns that are right for people and wrong
//! for things. The linter in `book/lint` looks for mistakes in spelling and grammar. A
//! comment `english: WORD` on the line of a word, or on the line before its line or its
//! passage, says that it is right there.

use crate::check::lint;
use crate::read::book::Book;
use crate::read::page::Page;
use crate::read::place::Place;
use crate::read::problem::Problem;
use crate::read::prose::{self, Passage};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

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

/// Something to change, unless an exception allows it.
struct Found {
    /// The place of its passage among all.
    passage: usize,
    /// The word, in small letters.
    word: String,
    problem: Problem,
}

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

    fn find(&self, number: usize, passage: &Passage) -> Vec<Found> {
        let text = prose::words(&passage.text);
        let fine = |text: String, phrase: &Regex| prose::blank(phrase, &text);
        let text = self.fine.iter().fold(text, fine);
        let old = self.old.iter().map(|(it, better)| (it, format!("write {better}")));
        let pronouns = self.pronouns.iter().map(|it| (it, FOR_PEOPLE.to_string()));
        pronouns
            .chain(old)
            .flat_map(|(word, advice)| find(word, number, passage, &text, &advice))
            .collect()
    }
}

fn find(
    word: &Regex,
    number: usize,
    passage: &Passage,
    text: &str,
    advice: &str,
) -> Vec<Found> {
    let found = word.find_iter(text).map(|found| {
        let word = found.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
        let line = passage.line + text[..found.start()].matches('\n').count();
        let problem = Problem::new(&passage.file, line, format!("`{word}`: {advice}"));
        Found { passage: number, word: word.to_lowercase(), problem }
    });
    found.collect()
}

/// Words that are right where they are: file, line and word.
type Exceptions = BTreeSet<(String, usize, String)>;

/// Reads the exceptions in the files of these passages.
fn exceptions(passages: &[Passage]) -> Exceptions {
    let files: BTreeMap<&String, &PathBuf> =
        passages.iter().map(|it| (&it.file, &it.path)).collect();
    let mut all = Exceptions::new();
    for (file, path) in files {
        let text = fs::read_to_string(path).unwrap_or_default();
        all.extend(excepted(&text).map(|(line, word)| (file.clone(), line, word)));
    }
    all
}

/// The exceptions in a text, each with its line.
fn excepted(text: &str) -> impl Iterator<Item = (usize, String)> {
    pattern!(EXCEPTION, r"(?:<!--|//|#) english: ([A-Za-z' ,]+?)(?: -->)?$");
    (1..).zip(text.lines()).flat_map(|(number, line)| {
        let found = EXCEPTION.captures(line);
        let words = found.map_or(String::new(), |found| found[1].to_lowercase());
        let words = words.split(", ").filter(|word| !word.is_empty());
        words.map(|word| (number, word.to_string())).collect::<Vec<_>>()
    })
}

/// Returns what no exception allows, and exceptions that allow nothing.
fn without(
    exceptions: &Exceptions,
    passages: &[Passage],
    found: Vec<Found>,
) -> (Vec<Problem>, Vec<Problem>) {
    let (mut problems, mut needed) = (Vec::new(), Exceptions::new());
    for Found { passage, word, problem } in found {
        let before = |line: usize| line.saturating_sub(1);
        let lines =
            [problem.line, before(problem.line), before(passages[passage].line)];
        let mut own = lines.map(|line| (problem.file.clone(), line, word.clone()));
        match own.iter_mut().find(|it| exceptions.contains(it)) {
            Some(exception) => drop(needed.insert(std::mem::take(exception))),
            None => problems.push(problem),
        }
    }
    let unused = exceptions.difference(&needed).map(|(file, line, word)| {
        let text = format!("`{word}` is not found here: remove this exception");
        Problem::new(file, *line, text)
    });
    (problems, unused.collect())
}

fn find_all(book: &Book, passages: &[Passage]) -> Result<Vec<Found>, Problem> {
    let words = Words::read(&book.place)?;
    let numbered = passages.iter().enumerate();
    Ok(numbered.flat_map(|(number, passage)| words.find(number, passage)).collect())
}

/// What the linter finds.
fn mistakes(book: &Book, passages: &[Passage]) -> Result<Vec<Found>, Problem> {
    let remarks = lint::ask(&book.place, passages)
        .map_err(|why| Problem::new("book/lint", 0, why))?;
    let found = remarks.into_iter().map(|remark| {
        let word = remark.text.split('`').nth(1).unwrap_or_default().to_lowercase();
        let file = &passages[remark.passage].file;
        let problem = Problem::new(file, remark.line, remark.text);
        Found { passage: remark.passage, word, problem }
    });
    Ok(found.collect())
}

/// Returns what has to be changed in these pages and their teaching notes.
pub fn of_pages(book: &Book, pages: &[&Page]) -> Vec<Problem> {
    let own: BTreeSet<String> = pages
        .iter()
        .flat_map(|page| [page.file.clone(), format!("book/teaching/{}.md", page.slug)])
        .collect();
    let mut passages = prose::all(book);
    passages.retain(|passage| own.contains(&passage.file));
    changes(book, &passages)
}

/// Returns what has to be changed in the prose of the project, without asking the linter.
pub fn words(book: &Book) -> Vec<Problem> {
    old_words(book, &prose::all(book))
}

fn old_words(book: &Book, passages: &[Passage]) -> Vec<Problem> {
    match find_all(book, passages) {
        Ok(found) => without(&exceptions(passages), passages, found).0,
        Err(problem) => vec![problem],
    }
}

/// Returns what has to be changed in all prose of the project.
pub fn check(book: &Book) -> Vec<Problem> {
    changes(book, &prose::all(book))
}

/// Returns what has to be changed in these passages, which are whole files.
fn changes(book: &Book, passages: &[Passage]) -> Vec<Problem> {
    let found = find_all(book, passages).and_then(|mut found| {
        found.extend(mistakes(book, passages)?);
        Ok(found)
    });
    match found {
        Ok(found) => {
            let (mut problems, unused) =
                without(&exceptions(passages), passages, found);
            problems.extend(unused);
            problems.sort();
            problems
        }
        Err(problem) => vec![problem],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_is_on_the_line_or_before_it_or_before_the_passage() {
        let text = "a // english: one\n# english: two four, five\nb\n\
                    <!-- english: three -->\n// in English: five\n";
        let found: Vec<(usize, String)> = excepted(text).collect();
        let expected = [(1, "one"), (2, "two four"), (2, "five"), (4, "three")];
        assert_eq!(found, expected.map(|(line, word)| (line, word.to_string())));
        let passage = Passage {
            path: PathBuf::new(),
            file: "a.md".to_string(),
            line: 3,
            kind: prose::Kind::Text,
            text: String::new(),
        };
        let exceptions: Exceptions =
            found.into_iter().map(|(line, word)| ("a.md".into(), line, word)).collect();
        let found = |line, word: &str| Found {
            passage: 0,
            word: word.to_string(),
            problem: Problem::new("a.md", line, word),
        };
        let all = vec![found(1, "one"), found(9, "five"), found(5, "three")];
        let (wrong, unused) = without(&exceptions, std::slice::from_ref(&passage), all);
        assert_eq!(wrong, []);
        let text = "`two four` is not found here: remove this exception";
        assert_eq!(unused, [Problem::new("a.md", 2, text)]);
        let all = vec![found(6, "three"), found(5, "five")];
        let (wrong, _) = without(&exceptions, &[passage], all);
        assert_eq!(wrong, [Problem::new("a.md", 6, "three")]);
    }
}
