//! The question bank: multiple-choice questions in `bank/ID.toml`, the concepts and
//! misconceptions that they ask about in `bank/concepts.toml`.
//!
//! The bank is no part of the book: no page includes a question or a key.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

mod written;

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
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The name of its file, without `.toml`.
    #[serde(skip)]
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
    /// Code that is shown below the stem: `PATH:ANCHOR`, with a path in the project.
    pub listing: Option<String>,
    /// The possible answers.
    #[serde(rename = "option")]
    pub options: Vec<Choice>,
    /// The place of the right one in `options`.
    #[serde(skip)]
    pub key: usize,
    /// Why the key is right, and the others are not; in Markdown.
    pub explain: String,
    /// The command that shows it.
    pub settled_by: String,
    /// What a test looks at to prove the key.
    #[serde(default, rename = "check")]
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
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// What proves a key: an output, and texts in it.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "written::WrittenCheck")]
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
    /// Reads what can be read in a folder, and says what is wrong with the other files. A
    /// folder that is not there has no questions.
    pub fn read(folder: &Path) -> (Bank, Vec<(PathBuf, String)>) {
        let (mut bank, mut problems) = (Bank::default(), Vec::new());
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        for file in entries.map(|it| it.path()) {
            let id = file.file_stem().and_then(|it| it.to_str()).unwrap_or_default();
            let read = match id {
                _ if file.extension().is_none_or(|it| it != "toml") => continue,
                CONCEPTS => {
                    written::parsed(&file).map(|concepts| bank.concepts = concepts)
                }
                id => Question::read(&file, id).map(|it| bank.questions.push(it)),
            };
            problems.extend(read.err().map(|why| (file.clone(), why)));
        }
        let order = |it: &Question| (it.test.unwrap_or(usize::MAX), it.id.clone());
        bank.questions.sort_by_key(order);
        problems.sort();
        (bank, problems)
    }

    /// A question by its id.
    pub fn question(&self, id: &str) -> Option<&Question> {
        self.questions.iter().find(|it| it.id == id)
    }
}

impl Question {
    /// The right option.
    pub fn right(&self) -> &Choice {
        &self.options[self.key]
    }
}
