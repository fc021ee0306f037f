//! The plans for a class, `book/plans/NAME.toml`: what to run, draw and ask, minute by
//! minute. The teaching guide shows them as tables, `cargo class` builds what they run.

use crate::read::place::{Place, files, stem};
use crate::read::project::Run;
use crate::read::text::lines;
use serde::Deserialize;
use std::fs;
use std::path::PathBuf;

/// How many open files a class needs when its plan does not say.
const DESCRIPTORS: u64 = 256;

/// A plan.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Its title.
    pub title: String,
    /// How long it takes, with its breaks.
    pub minutes: u32,
    /// Markdown before the table.
    #[serde(default)]
    pub intro: String,
    /// How many files and sockets its commands have open at the same time.
    #[serde(default = "descriptors")]
    pub descriptors: u64,
    /// Its parts: one alone, or those between two breaks, or the blocks of its days.
    #[serde(rename = "part", default)]
    pub parts: Vec<Part>,
}

/// A part of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The day that begins with it. In a plan with days the minutes begin again in each
    /// part.
    #[serde(default)]
    pub day: String,
    /// Its title; empty in a plan without parts.
    #[serde(default)]
    pub title: String,
    /// Its rows, in their order.
    #[serde(rename = "row", default)]
    pub rows: Vec<Row>,
}

/// A row: some minutes, and what to do in them. Its texts are Markdown, with links as in
/// the pages of `src`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Its first minute, from the start of the plan or, with days, of its part.
    pub from: u32,
    /// The minute in which it ends.
    pub to: u32,
    /// What it is about.
    pub topic: String,
    /// Whole commands, as they are typed in the project's folder.
    #[serde(default)]
    pub run: Vec<String>,
    /// What to draw or play.
    #[serde(default)]
    pub draw: String,
    /// The question to the class.
    #[serde(default)]
    pub ask: String,
    /// How many of its minutes the class votes, plays or writes.
    #[serde(default)]
    pub class: u32,
    /// The names of the exercises that the class writes.
    #[serde(default)]
    pub write: Vec<String>,
    /// The level at which they begin. `None`: the usual one.
    pub level: Option<u8>,
    /// What to do if a command fails.
    #[serde(default)]
    pub fails: String,
    /// Whether it is a break, or slack.
    #[serde(default)]
    pub pause: bool,
}

fn descriptors() -> u64 {
    DESCRIPTORS
}

impl Plan {
    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.parts.iter().flat_map(|part| &part.rows)
    }

    /// Whether its minutes begin again in each part.
    pub fn has_days(&self) -> bool {
        self.parts.iter().any(|part| !part.day.is_empty())
    }
}

impl Row {
    /// How many minutes it takes; none, if it ends before it has begun.
    pub fn length(&self) -> u32 {
        self.to.saturating_sub(self.from)
    }

    /// Its minutes as in the table.
    pub fn minutes(&self) -> String {
        format!("{}–{}", self.from, self.to)
    }

    /// How many of its minutes the teacher talks or shows something.
    pub fn talk(&self) -> u32 {
        if self.pause { 0 } else { self.length().saturating_sub(self.class) }
    }

    /// What is typed for it: its own commands, and those of its exercises.
    pub fn commands(&self) -> Vec<String> {
        self.run.iter().cloned().chain(self.exercises("watch")).collect()
    }

    /// `cargo exercise VERB` for each exercise, with the level.
    pub fn exercises(&self, verb: &str) -> Vec<String> {
        let level = self.level.map_or(String::new(), |it| format!(" --level {it}"));
        let line = |name| format!("cargo exercise {verb} {name}{level}");
        self.write.iter().map(line).collect()
    }
}

/// What one command of a plan is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// `cargo run`, `cargo step`, `cargo lab` or `cargo show`.
    Run(&'a str, Run),
    /// `cargo exercise … NAME`.
    Exercise(&'a str),
}

/// Reads a command of a plan. What comes after a `|` is no part of it.
///
/// # Errors
/// It is a command that `cargo class` cannot prepare.
pub fn command(line: &str) -> Result<Command<'_>, String> {
    let line = line.split(" | ").next().unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["cargo", "exercise", _, name, ..] => Ok(Command::Exercise(name)),
        ["cargo", verb @ ("run" | "step" | "lab" | "show"), ..]
            if !words.contains(&"--release") =>
        {
            let run = Run::parse(line).ok_or(format!("`{line}` runs nothing"))?;
            Ok(Command::Run(verb, run))
        }
        _ => Err(format!("`{line}` is no command that `cargo class` can prepare")),
    }
}

/// Returns the files of all plans.
pub fn all(place: &Place) -> Vec<PathBuf> {
    files(&place.book.join("plans"), "toml")
}

/// Returns the names of all plans.
pub fn names(place: &Place) -> Vec<String> {
    all(place).iter().map(|file| stem(file).to_string()).collect()
}

/// The names of the plans that a page shows.
pub fn shown(page: &str) -> Vec<String> {
    pattern!(MARK, r"^\{\{#include \.\./made/plan-([a-z0-9]+)\.md\}\}$");
    let marks = lines(page).into_iter().filter(|line| !line.is_code);
    marks.filter_map(|line| Some(MARK.captures(&line.text)?[1].to_string())).collect()
}

/// Reads a plan by its name.
///
/// # Errors
/// There is none, or its file is not as it should be.
pub fn read(place: &Place, name: &str) -> Result<Plan, String> {
    let all = all(place);
    let Some(file) = all.iter().find(|file| stem(file) == name) else {
        return Err(format!(
            "no plan is called {name:?}; there are: {}",
            names(place).join(", ")
        ));
    };
    let shown = place.shown(file);
    let text = fs::read_to_string(file).map_err(|error| format!("{shown}: {error}"))?;
    toml::from_str(&text).map_err(|error| format!("{shown}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_plan_of_the_book_is_read() {
        let place = Place::new(None, None);
        let names = names(&place);
        assert_eq!(names, ["90", "half", "runtimes", "two"]);
        let plans: Vec<Plan> =
            names.iter().map(|name| read(&place, name).expect(name)).collect();
        assert_eq!(
            plans.iter().map(|it| it.minutes).collect::<Vec<_>>(),
            [90, 240, 280, 900]
        );
        assert_eq!(plans[0].descriptors, DESCRIPTORS);
        assert_eq!(
            plans.iter().map(Plan::has_days).collect::<Vec<_>>(),
            [false, false, false, true]
        );
    }

    #[test]
    fn a_plan_is_shown_by_a_line_of_its_own() {
        let plan = |name| format!("{{{{#include ../made/plan-{name}.md}}}}\n");
        let page =
            format!("{}\nSee {}```text\n{}```\n", plan("90"), plan("x"), plan("y"));
        assert_eq!(shown(&page), ["90"]);
    }

    #[test]
    fn a_row_that_ends_before_it_has_begun_takes_no_time() {
        assert_eq!(Row { from: 5, to: 8, ..Row::default() }.length(), 3);
        assert_eq!(Row { from: 8, to: 5, ..Row::default() }.length(), 0);
    }

    #[test]
    fn what_the_class_does_is_no_talk() {
        let row = Row { from: 5, to: 15, class: 4, ..Row::default() };
        assert_eq!(row.talk(), 6);
        assert_eq!(Row { pause: true, ..row.clone() }.talk(), 0);
        let row = Row { write: vec!["leaf".into()], level: Some(1), ..row };
        assert_eq!(row.commands(), ["cargo exercise watch leaf --level 1"]);
    }

    #[test]
    fn a_name_without_a_plan_lists_the_plans() {
        let error = read(&Place::new(None, None), "91").expect_err("it is none");
        assert_eq!(
            error,
            "no plan is called \"91\"; there are: 90, half, runtimes, two"
        );
    }

    #[test]
    fn a_key_that_is_none_is_an_error() {
        let text = "title = \"A\"\nminutes = 1\n\n[[part]]\n[[part.row]]\nfrom = 0\n\
                    to = 1\ntopic = \"B\"\nasks = \"C\"\n";
        let error = toml::from_str::<Plan>(text).expect_err("there is no such key");
        assert!(error.to_string().contains("asks"), "{error}");
        assert!(toml::from_str::<Plan>(&text.replace("asks", "ask")).is_ok());
    }

    #[test]
    fn what_cannot_be_prepared_is_refused() {
        for line in ["cargo compare --quick", "ls", "cargo run --release", "cargo", ""]
        {
            assert!(command(line).is_err(), "{line}");
        }
    }
}
