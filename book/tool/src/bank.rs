//! The question bank: multiple-choice questions in `bank/ID.toml`, the concepts and
//! misconceptions that they ask about in `bank/concepts.toml`.
//!
//! The bank is no part of the book: no page includes a question or a key.

use crate::include::Include;
use crate::place::{Place, files, stem};
use crate::problem::Problem;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

pub mod proof;
pub mod quiz;

/// Where the bank is, in the folder of the book.
const FOLDER: &str = "bank";

/// The file of the concepts, without `.toml`. Every other file is a question.
const CONCEPTS: &str = "concepts";

/// All questions, and what they ask about.
#[derive(Clone, Debug, Default)]
pub struct Bank {
    /// The questions, those of the test first, in its order; then by their ids.
    pub questions: Vec<Question>,
    /// The concepts and misconceptions.
    pub concepts: Concepts,
}

/// The concepts, and how they are usually misunderstood: a sentence for each.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Concepts {
    /// By their ids, `K1`.
    #[serde(default, rename = "concept")]
    pub concepts: BTreeMap<String, String>,
    /// By their tags, `M1`.
    #[serde(default, rename = "misconception")]
    pub misconceptions: BTreeMap<String, String>,
}

/// A question, with its options in the order in which they are shown.
#[derive(Clone, Debug)]
pub struct Question {
    /// The name of its file, without `.toml`.
    pub id: String,
    /// Its number in the test that is taken before and after the course.
    pub test: Option<usize>,
    /// The concept that it asks about, `K1`.
    pub concept: String,
    /// The chapter that teaches it: a page, without `.md`.
    pub chapter: String,
    /// What a student has to do with the concept.
    pub level: Level,
    /// Whether the book shows the case that is asked about.
    pub seen: bool,
    /// The question, in Markdown.
    pub stem: String,
    /// Code that is shown below the stem: a path in the project, then perhaps `:anchor`.
    pub listing: Option<String>,
    /// The possible answers.
    pub options: Vec<Choice>,
    /// The place of the right one in `options`.
    pub key: usize,
    /// Why the key is right, and the others are not; in Markdown.
    pub explain: String,
    /// The command that shows it.
    pub settled_by: String,
    /// What a test looks at to prove the key.
    pub checks: Vec<Check>,
    /// Why nothing can be run to prove the key.
    pub unchecked: Option<String>,
}

/// A possible answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// In Markdown.
    pub text: String,
    /// The misconception behind it, `M1`. The key has none.
    pub tag: Option<String>,
}

/// What a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// To know a fact.
    Remember,
    /// To say why something is so.
    Understand,
    /// To use a rule in a new case.
    Apply,
    /// To take a program or an output apart.
    Analyse,
}

impl Level {
    /// Its name, as questions have it.
    pub fn name(self) -> &'static str {
        match self {
            Level::Remember => "remember",
            Level::Understand => "understand",
            Level::Apply => "apply",
            Level::Analyse => "analyse",
        }
    }
}

/// What proves a key: an output, and texts in it.
#[derive(Clone, Debug)]
pub struct Check {
    /// Where the output comes from.
    pub source: Source,
    /// Texts that it contains, in this order.
    pub has: Vec<String>,
    /// Texts that it does not contain.
    pub lacks: Vec<String>,
}

/// Where an output comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The stored output of a step.
    Step(String),
    /// The stored output of a command, in `runs`.
    Run(String),
    /// A recorded trace, in `traces`.
    Trace(String),
    /// The stored output of a Python program, in `probes`.
    Probe(String),
    /// What the program of this name in `bank/programs` prints.
    Program,
    /// What the compiler says about that program, which it must refuse with this error.
    Refused(String),
    /// What the check of an exercise says about its recorded mistakes.
    Mistakes(String),
}

impl Bank {
    /// Reads the bank. A book without one has no questions.
    ///
    /// # Errors
    /// A file is not as it should be: all problems, one a line.
    pub fn read(place: &Place) -> Result<Bank, String> {
        let (bank, problems) = Bank::read_all(place);
        if problems.is_empty() {
            return Ok(bank);
        }
        let problems = problems.iter().map(Problem::to_string);
        Err(problems.collect::<Vec<_>>().join("\n"))
    }

    /// Reads what can be read, and says what is wrong with the other files.
    pub fn read_all(place: &Place) -> (Bank, Vec<Problem>) {
        let (mut bank, mut problems) = (Bank::default(), Vec::new());
        for file in files(&folder(place), "toml") {
            let wrong = |why| Problem::new(place.shown(&file), 0, why);
            let read = match stem(&file) {
                CONCEPTS => parsed(&file).map(|concepts| bank.concepts = concepts),
                id => Question::read(&file, id).map(|it| bank.questions.push(it)),
            };
            problems.extend(read.err().map(wrong));
        }
        let order = |it: &Question| (it.test.unwrap_or(usize::MAX), it.id.clone());
        bank.questions.sort_by_key(order);
        (bank, problems)
    }

    /// A question by its id.
    pub fn question(&self, id: &str) -> Option<&Question> {
        self.questions.iter().find(|it| it.id == id)
    }
}

/// The folder of the questions.
pub fn folder(place: &Place) -> PathBuf {
    place.book.join(FOLDER)
}

/// The folder of the programs.
pub fn programs(place: &Place) -> PathBuf {
    folder(place).join("programs")
}

/// The program of a question.
pub fn program(place: &Place, id: &str) -> PathBuf {
    programs(place).join(id).with_extension("rs")
}

/// The letter of an option, by its place.
pub(crate) fn letter(place: usize) -> char {
    ('A'..='Z').nth(place).unwrap_or('?')
}

fn parsed<T: DeserializeOwned>(file: &Path) -> Result<T, String> {
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    toml::from_str(&text).map_err(|error| error.to_string().trim_end().to_string())
}

/// A file of a question, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    test: Option<usize>,
    concept: String,
    chapter: String,
    level: Level,
    seen: bool,
    stem: String,
    listing: Option<String>,
    explain: String,
    settled_by: String,
    unchecked: Option<String>,
    #[serde(rename = "option")]
    options: Vec<Choice>,
    #[serde(default, rename = "check")]
    checks: Vec<WrittenCheck>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCheck {
    step: Option<String>,
    run: Option<String>,
    trace: Option<String>,
    probe: Option<String>,
    #[serde(default)]
    program: bool,
    refused: Option<String>,
    mistakes: Option<String>,
    #[serde(default)]
    has: Vec<String>,
    #[serde(default)]
    lacks: Vec<String>,
}

impl Question {
    /// The right option.
    pub fn right(&self) -> &Choice {
        &self.options[self.key]
    }

    /// The code below its stem. `None`: it has none.
    pub fn code(&self, place: &Place) -> Option<Include> {
        let listing = self.listing.as_ref()?;
        // A page would write it so; `../` leads to the book, `../../` to the project.
        let path = match listing.strip_prefix("book/") {
            Some(own) => format!("../{own}"),
            None => format!("../../{listing}"),
        };
        Include::parse(place, &format!("{{{{#include {path}}}}}"))
    }

    fn read(file: &Path, id: &str) -> Result<Question, String> {
        Question::of(parsed(file)?, id)
    }

    fn of(written: Written, id: &str) -> Result<Question, String> {
        let keys = written.options.iter().enumerate().filter(|it| it.1.tag.is_none());
        let keys: Vec<usize> = keys.map(|(place, _)| place).collect();
        let [key] = keys[..] else {
            let count = keys.len();
            return Err(format!(
                "{count} options without a `tag`: one of them, the key, has none"
            ));
        };
        Ok(Question {
            id: id.to_string(),
            test: written.test,
            concept: written.concept,
            chapter: written.chapter,
            level: written.level,
            seen: written.seen,
            stem: written.stem.trim().to_string(),
            listing: written.listing,
            options: written.options,
            key,
            explain: written.explain.trim().to_string(),
            settled_by: written.settled_by,
            checks: written
                .checks
                .into_iter()
                .map(Check::of)
                .collect::<Result<_, _>>()?,
            unchecked: written.unchecked,
        })
    }
}

impl Check {
    fn of(written: WrittenCheck) -> Result<Check, String> {
        let sources = [
            written.step.map(Source::Step),
            written.run.map(Source::Run),
            written.trace.map(Source::Trace),
            written.probe.map(Source::Probe),
            written.program.then_some(Source::Program),
            written.refused.map(Source::Refused),
            written.mistakes.map(Source::Mistakes),
        ];
        let mut sources = sources.into_iter().flatten();
        let (Some(source), None) = (sources.next(), sources.next()) else {
            return Err("[[check]] looks at one output: name exactly one".to_string());
        };
        if written.has.is_empty() && written.lacks.is_empty() {
            return Err("[[check]] needs texts in `has` or `lacks`".to_string());
        }
        Ok(Check { source, has: written.has, lacks: written.lacks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUESTION: &str = r#"
        concept = "K5"
        chapter = "async-fn"
        level = "apply"
        seen = true
        stem = "What?"
        explain = "Because."
        settled_by = "cargo step ch17_async_fn"
        option = [{ text = "a", tag = "M1" }, { text = "b" }]
    "#;

    fn read(text: &str) -> Result<Question, String> {
        let written = toml::from_str(text).map_err(|error| error.to_string())?;
        Question::of(written, "a-question")
    }

    #[test]
    fn the_key_is_the_option_without_a_tag() {
        assert_eq!(read(QUESTION).map(|it| it.key), Ok(1));
        let two = QUESTION.replace(r#", tag = "M1""#, "");
        assert!(read(&two).unwrap_err().starts_with("2 options without"));
        let none = QUESTION.replace(r#""b" }"#, r#""b", tag = "M2" }"#);
        assert!(read(&none).unwrap_err().starts_with("0 options without"));
    }

    #[test]
    fn a_field_that_is_not_known_is_an_error() {
        let text = QUESTION.replace("seen", "shown");
        assert!(read(&text).unwrap_err().contains("unknown field `shown`"));
    }

    #[test]
    fn a_check_looks_at_one_output_for_some_text() {
        let with = |check: &str| read(&format!("{QUESTION}check = [{{ {check} }}]"));
        let question = with(r#"step = "a", has = ["b"]"#).unwrap();
        assert_eq!(question.checks[0].source, Source::Step("a".to_string()));
        assert!(with(r#"step = "a", run = "b", has = ["c"]"#).is_err());
        assert!(with(r#"has = ["c"]"#).is_err());
        assert!(with(r#"step = "a""#).is_err());
    }
}
