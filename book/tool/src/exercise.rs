//! The exercises of the chapters, as Markdown for the built pages. The material is that of
//! `cargo exercise`, read by its own reader, so that page and check cannot disagree.
//!
//! A chapter with exercises gets a section before [`BEFORE`]; any other chapter gets a link
//! to the nearest exercise there. In a page, `{{exercise NAME}}` becomes a link to an
//! exercise, and `{{exercises}}` a table of all.

use crate::book::summary;
use crate::place::{Place, files};
use crate::reading::lines;
use regex::Captures;
use runner::material::{self, Exercise};
use std::path::PathBuf;

pub mod mistakes;

/// The heading before which a chapter's exercises come.
pub const BEFORE: &str = "## Python ↔ Rust";

/// The page that says how exercises work.
const HOW: &str = "build-it-yourself.md";

/// The cases of all exercises, below the root.
const CASES: &str = "tests/exercises/checks/src/exercises";

/// The folds of the hints, and what each of them gives away.
const HINTS: [&str; 3] =
    ["First hint: a question", "Second hint: the idea", "Third hint: nearly the code"];

pattern!(MARK, r"\{\{(exercises?)(?: ([a-z0-9_]+))?\}\}");

/// All exercises, in the order of the book.
#[derive(Clone, Debug, Default)]
pub struct Exercises {
    all: Vec<Exercise>,
    /// The pages of the chapters that have a number, in their order.
    chapters: Vec<String>,
}

impl Exercises {
    /// Reads the material.
    ///
    /// # Errors
    /// The first line of a file of hints is not as it should be, or there is no summary.
    pub fn read(place: &Place) -> Result<Exercises, String> {
        let entries = summary(place).map_err(|problem| problem.to_string())?;
        let chapters = entries.into_iter().filter(|it| it.role.number().is_some());
        let chapters = chapters.map(|it| it.slug).collect();
        Ok(Exercises { all: material::exercises(&place.root)?, chapters })
    }

    /// All of them.
    pub fn all(&self) -> &[Exercise] {
        &self.all
    }

    /// Those of a chapter, in their order.
    pub fn of<'a>(&'a self, slug: &str) -> impl Iterator<Item = &'a Exercise> {
        self.all.iter().filter(move |it| it.chapter == slug)
    }

    /// The files that the pages are made from.
    pub fn files(&self, place: &Place) -> Vec<PathBuf> {
        let own = |it: &Exercise| {
            ["rs", "md", "txt"]
                .iter()
                .flat_map(|kind| files(&it.folder, kind))
                .collect()
        };
        let mut all: Vec<PathBuf> =
            self.all.iter().flat_map::<Vec<_>, _>(own).collect();
        all.extend(files(&place.root.join(CASES), "rs"));
        all
    }

    /// A page with its exercises, and with what its marks stand for.
    ///
    /// # Errors
    /// A mark names no exercise, or a file cannot be read.
    pub fn put_into(
        &self,
        place: &Place,
        slug: &str,
        page: &str,
    ) -> Result<String, String> {
        let section = self.section(place, slug)?;
        let mut out = String::new();
        let mut is_open = true;
        for line in lines(page) {
            if is_open && !line.is_code && line.text.trim_end() == BEFORE {
                out += &section;
                is_open = false;
            }
            out += &self.filled(slug, &line.text)?;
            out.push('\n');
        }
        if is_open && self.of(slug).next().is_some() {
            return Err(format!("{slug}.md has exercises, and no `{BEFORE}`"));
        }
        Ok(out)
    }

    /// A line with its marks replaced.
    fn filled(&self, slug: &str, line: &str) -> Result<String, String> {
        let mut wrong = None;
        let value = |found: &Captures<'_>| {
            let named = found.get(2).map(|name| name.as_str());
            match (&found[1], named, named.and_then(|name| self.find(name))) {
                ("exercises", None, _) => self.table(),
                ("exercise", _, Some(exercise)) => link(exercise),
                _ => {
                    let text = format!("{slug}.md: `{}` is no exercise", &found[0]);
                    wrong = Some(text);
                    String::new()
                }
            }
        };
        let filled = MARK.replace_all(line, value).into_owned();
        wrong.map_or(Ok(filled), Err)
    }

    /// An exercise by its name.
    pub fn find(&self, name: &str) -> Option<&Exercise> {
        self.all.iter().find(|it| it.name == name)
    }

    /// The section of a chapter. Empty if the page is no chapter.
    fn section(&self, place: &Place, slug: &str) -> Result<String, String> {
        let own: Vec<&Exercise> = self.of(slug).collect();
        if own.is_empty() {
            let nearest = self.nearest(slug).map(|it| {
                let number = it.number;
                format!(
                    "**An exercise near here:** {}, in chapter {number}.\n\n",
                    link(it)
                )
            });
            return Ok(nearest.unwrap_or_default());
        }
        let heading = if own.len() == 1 { "Exercise" } else { "Exercises" };
        let mut text = format!(
            "## {heading}\n\nYou write the code, and a check runs it \
             ([how this works]({HOW})).\n\n"
        );
        for exercise in own {
            text += &self.one(place, exercise)?;
        }
        Ok(text)
    }

    /// The exercise of the nearest chapter; of two that are equally near, the one of the
    /// earlier chapter, because its reader knows what it needs.
    fn nearest(&self, slug: &str) -> Option<&Exercise> {
        let number = self.chapters.iter().position(|it| it == slug)? + 1;
        let far = |it: &&Exercise| (it.number.abs_diff(number), it.number, it.place);
        self.all.iter().min_by_key(far)
    }

    fn one(&self, place: &Place, exercise: &Exercise) -> Result<String, String> {
        let Exercise { name, title, minutes, lines, .. } = exercise;
        let (id, path) = (id(exercise), place.shown(&exercise.folder));
        let start = exercise.read("start.rs")?;
        let about = start.lines().next().and_then(|it| it.strip_prefix("//! "));
        let about = about.unwrap_or_default();
        let verb = if start.contains("todo!(") { "complete" } else { "fix" };
        let needs: Vec<String> =
            exercise.needs.iter().filter_map(|it| self.find(it)).map(link).collect();
        let needs = match needs[..] {
            [] => String::new(),
            _ => format!(" It builds on {}.", needs.join(" and ")),
        };
        let mut text = format!(
            "### {title} {{#{id}}}\n\n<!-- also: exercise {name} -->\n\n{about} About \
             {lines} lines, {minutes} minutes.{needs}\n\n\
             This command creates your file, `tests/exercises/checks/src/bin/{name}.rs`, \
             and checks it each time you save it. What your code promises, and the cases of \
             the check below that, are in [`{name}.rs`](../../{CASES}/{name}.rs).\n\n\
             ```sh\ncargo exercise watch {name}\n```\n\n\
             The part that you {verb}:\n\n{}",
            listing(&path, "start.rs:task")
        );
        for (number, (title, hint)) in (1..).zip(HINTS.iter().zip(exercise.hints()?)) {
            text += &fold(&format!("{id}-hint-{number}"), title, &hint);
        }
        if !place.edition.has_answers() {
            return Ok(text);
        }
        let solution = listing(&path, "solution.rs:solution");
        text += &fold(&format!("{id}-solution"), "A solution", &solution);
        let title = "Typical mistakes, and what the check says";
        text += &fold(&format!("{id}-mistakes"), title, &mistakes::table(exercise)?);
        Ok(text)
    }

    /// All exercises, with how much there is of them.
    fn table(&self) -> String {
        let sum = |of: fn(&Exercise) -> usize| self.all.iter().map(of).sum::<usize>();
        let hours = (sum(|it| it.minutes) + 30) / 60;
        let (count, lines) = (self.all.len(), sum(|it| it.lines));
        let mut text = format!(
            "There are {count} exercises, with about {lines} lines to write in {hours} \
             hours.\n\n\
             | chapter | exercise | name | minutes | lines | do first |\n\
             |--:|---|---|--:|--:|---|\n"
        );
        for it in &self.all {
            let Exercise { number, chapter, name, minutes, lines, needs, .. } = it;
            let needs: Vec<String> = needs.iter().map(|it| format!("`{it}`")).collect();
            text += &format!(
                "| [{number}]({chapter}.md) | {} | `{name}` | {minutes} | {lines} | {} |\n",
                link(it),
                needs.join(", ")
            );
        }
        text
    }
}

/// The id of an exercise in its page.
pub fn id(exercise: &Exercise) -> String {
    format!("{}-exercise-{}", exercise.chapter, exercise.name)
}

fn link(exercise: &Exercise) -> String {
    format!("[{}]({}.md#{})", exercise.title, exercise.chapter, id(exercise))
}

fn listing(path: &str, part: &str) -> String {
    format!("```rust,ignore\n{{{{#include ../../{path}/{part}}}}}\n```\n\n")
}

fn fold(id: &str, title: &str, text: &str) -> String {
    let text = text.trim_end();
    format!(
        "<details id=\"{id}\">\n<summary>{title}</summary>\n\n{text}\n\n</details>\n\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn exercise(name: &str, number: usize) -> Exercise {
        Exercise {
            name: name.to_string(),
            title: format!("About {name}"),
            chapter: format!("c{number}"),
            number,
            place: 1,
            minutes: 20,
            lines: 10,
            needs: Vec::new(),
            folder: Path::new("none").to_path_buf(),
        }
    }

    fn some() -> Exercises {
        let chapters = (1..=6).map(|number| format!("c{number}")).collect();
        Exercises { all: vec![exercise("a", 2), exercise("b", 6)], chapters }
    }

    fn put(slug: &str, page: &str) -> Result<String, String> {
        some().put_into(&Place::new(None, None), slug, page)
    }

    #[test]
    fn a_chapter_without_an_exercise_leads_to_the_nearest() {
        let page =
            "# C\n\n```text\n## Python ↔ Rust\n```\n\n## Python ↔ Rust\n\nEnd.\n";
        let near = |slug| {
            let text = put(slug, page).unwrap();
            let (before, after) =
                text.split_once("**An exercise near here:** ").unwrap();
            assert!(before.ends_with("```\n\n"), "{before}");
            after.lines().next().unwrap().to_string()
        };
        assert_eq!(near("c1"), "[About a](c2.md#c2-exercise-a), in chapter 2.");
        assert_eq!(near("c4"), "[About a](c2.md#c2-exercise-a), in chapter 2.");
        assert_eq!(near("c5"), "[About b](c6.md#c6-exercise-b), in chapter 6.");
        assert_eq!(put("glossary", page).unwrap(), page);
        assert_eq!(put("c1", "# C\n").unwrap(), "# C\n");
    }

    #[test]
    fn marks_become_links_and_a_table() {
        let text = put("x", "See {{exercise b}}.\n").unwrap();
        assert_eq!(text, "See [About b](c6.md#c6-exercise-b).\n");
        let table = put("x", "{{exercises}}\n").unwrap();
        assert!(
            table.starts_with("There are 2 exercises, with about 20 lines"),
            "{table}"
        );
        let row =
            "| [6](c6.md) | [About b](c6.md#c6-exercise-b) | `b` | 20 | 10 |  |\n";
        assert!(table.contains(row), "{table}");
        let error = put("x", "{{exercise c}}\n").unwrap_err();
        assert_eq!(error, "x.md: `{{exercise c}}` is no exercise");
        assert!(put("x", "{{exercises b}}\n").is_err());
    }
}
