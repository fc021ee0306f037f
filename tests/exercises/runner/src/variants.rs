//! `wrong.txt`: typical wrong solutions and other right ones, as changes of the solution.
//!
//! ```text
//! == the first waker is kept
//! case: the task that polled last is woken
//! ---
//!         slot.waiter = Some(cx.waker().clone());
//! +++
//!         slot.waiter.get_or_insert_with(|| cx.waker().clone());
//! == right: it asks will_wake before it clones
//! ---
//! …
//! ```
//!
//! A line `port: FILE:ANCHOR, …` after the name says which listings of the book it has, with
//! the names of the exercise (`commands/prove/ports.rs`). An entry without changes is the
//! solution.
//!
//! Where there are several files, as in `tests/exercises/capstones`, each change names its
//! own: `--- src/crawler.rs`. A file that does not exist yet is a change of nothing.

use std::collections::BTreeMap;

/// A change of the solution, and what must come of it.
#[derive(Debug, Default)]
pub struct Variant {
    /// What is done differently.
    pub name: String,
    /// The case that rejects it: any of several, if threads decide. Empty: it is right.
    pub cases: Vec<String>,
    /// How the program ends.
    pub ends: Ends,
    /// The listings of the book that it has, as `FILE:ANCHOR`.
    pub ports: Vec<String>,
    /// Whether each of its changes is right by itself. (`each: right`)
    is_each: bool,
    changes: Vec<Change>,
}

/// Lines that are replaced by others.
#[derive(Debug, Default)]
struct Change {
    /// Empty, if there is only one file.
    file: String,
    old: String,
    new: String,
}

impl Change {
    fn apply(&self, text: &str) -> Result<String, String> {
        let Change { file, old, new } = self;
        // Whole lines: before them is nothing, or the end of a line.
        let before = |at: usize| text[..at].bytes().next_back();
        let is_line = |at: &usize| matches!(before(*at), None | Some(b'\n'));
        let places: Vec<usize> =
            text.match_indices(old.as_str()).map(|it| it.0).filter(is_line).collect();
        let [at] = places[..] else {
            let (count, place) =
                (places.len(), if file.is_empty() { "the solution" } else { file });
            return Err(format!("its old text is in {place} {count} times:\n{old}"));
        };
        Ok([&text[..at], new, &text[at + old.len()..]].concat())
    }
}

/// How a wrong solution ends.
#[derive(Debug, Default, PartialEq, Eq, Clone, Copy)]
pub enum Ends {
    /// A case panics.
    #[default]
    Panics,
    /// A case does not end, and meets the watchdog. (`ends: hangs`)
    Hangs,
    /// The whole process dies: a panic during a panic, or no stack is left.
    /// (`ends: aborts`)
    Aborts,
}

impl Variant {
    /// Returns whether it must pass.
    pub fn is_right(&self) -> bool {
        self.name.starts_with("right: ")
    }

    /// Returns whether one of its cases has this name, with blanks or underscores.
    pub fn names(&self, case: &str) -> bool {
        self.cases.iter().any(|it| it.replace(' ', "_") == case)
    }

    /// Returns whether it says that this change is right: it has no other one, or each of its
    /// changes is right by itself.
    pub fn replaces(&self, old: &str, new: &str) -> bool {
        let is_it =
            |it: &Change| plain(&it.old) == plain(old) && plain(&it.new) == plain(new);
        (self.is_each || self.changes.len() == 1) && self.changes.iter().any(is_it)
    }

    /// Returns the old text and the new one, if it changes one place only.
    pub fn only_change(&self) -> Option<(&str, &str)> {
        let [Change { old, new, .. }] = &self.changes[..] else { return None };
        Some((old, new))
    }

    /// Returns the solution with its changes. Each old text must be there exactly once.
    pub fn apply(&self, solution: &str) -> Result<String, String> {
        let apply = |text: String, change: &Change| change.apply(&text);
        self.changes.iter().try_fold(solution.to_string(), apply)
    }

    /// Changes several files, by their paths. Each old text must be in its file exactly
    /// once; a file that is not there is made of new text alone.
    pub fn apply_to(&self, files: &mut BTreeMap<String, String>) -> Result<(), String> {
        for change in &self.changes {
            let changed = match files.get(&change.file) {
                Some(text) => change.apply(text)?,
                None if change.old.is_empty() => change.new.clone(),
                None => return Err(format!("there is no {}", change.file)),
            };
            files.insert(change.file.clone(), changed);
        }
        Ok(())
    }
}

/// Returns the text without blanks: how a line is broken makes no other program.
fn plain(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Reads `wrong.txt`.
pub fn parse(text: &str) -> Result<Vec<Variant>, String> {
    let all = parse_any(text)?;
    for variant in &all {
        if variant.is_right() != variant.cases.is_empty() {
            let name = &variant.name;
            return Err(format!(
                "{name}: a wrong one names its case, a right one has none"
            ));
        }
    }
    Ok(all)
}

/// Reads the changes of a file, also of one that has right solutions only.
pub fn parse_any(text: &str) -> Result<Vec<Variant>, String> {
    let mut all: Vec<Variant> = Vec::new();
    let mut part = Part::Head;
    for (number, line) in text.lines().enumerate() {
        let wrong = |what: &str| format!("wrong.txt:{}: {what}: {line}", number + 1);
        if let Some(name) = line.strip_prefix("== ") {
            all.push(Variant { name: name.into(), ..Variant::default() });
            part = Part::Head;
            continue;
        }
        let last = all.last_mut().ok_or_else(|| wrong("before the first `== `"))?;
        match (line, part) {
            _ if line == "---" || line.starts_with("--- ") => {
                part = Part::Old;
                let file = line.strip_prefix("--- ").unwrap_or_default().to_string();
                last.changes.push(Change { file, ..Change::default() });
            }
            ("+++", Part::Old) => part = Part::New,
            (_, Part::Head) => {
                head(last, line).ok_or_else(|| wrong("no such field"))?
            }
            (_, Part::Old) => {
                push(&mut last.changes.last_mut().expect("begun").old, line)
            }
            (_, Part::New) => {
                push(&mut last.changes.last_mut().expect("begun").new, line)
            }
        }
    }
    Ok(all)
}

#[derive(Clone, Copy)]
enum Part {
    Head,
    Old,
    New,
}

fn head(variant: &mut Variant, line: &str) -> Option<()> {
    let (key, value) = line.split_once(": ")?;
    match (key, value) {
        ("case", _) => variant.cases = value.split(" | ").map(String::from).collect(),
        ("port", _) => variant.ports = value.split(", ").map(String::from).collect(),
        ("each", "right") => variant.is_each = true,
        ("ends", "hangs") => variant.ends = Ends::Hangs,
        ("ends", "aborts") => variant.ends = Ends::Aborts,
        _ => return None,
    }
    Some(())
}

fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(all: &[(&str, &str)]) -> BTreeMap<String, String> {
        all.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect()
    }

    fn changed(text: &str) -> Result<BTreeMap<String, String>, String> {
        let mut files = files(&[("a.rs", "one\ntwo\n  two\n"), ("b.rs", "one\n")]);
        parse_any(text)?[0].apply_to(&mut files).map(|()| files)
    }

    #[test]
    fn a_change_names_its_file() {
        let found = changed("== x\n--- b.rs\none\n+++\n1\n--- c.rs\n+++\nnew\n");
        let wanted =
            [("a.rs", "one\ntwo\n  two\n"), ("b.rs", "1\n"), ("c.rs", "new\n")];
        assert_eq!(found, Ok(files(&wanted)));
    }

    #[test]
    fn old_text_is_whole_lines_that_are_there_once() {
        let found = changed("== x\n--- a.rs\ntwo\n+++\n2\n").expect("two is one line");
        assert_eq!(found["a.rs"], "one\n2\n  two\n");
        for wrong in
            ["--- a.rs\nwo\n+++\n", "--- d.rs\none\n+++\n", "--- a.rs\n+++\n2\n"]
        {
            assert!(changed(&format!("== x\n{wrong}")).is_err(), "{wrong}");
        }
    }
}
