//! What a learner has done: `progress.txt`, beside the learner's files. It is a comfort and
//! no proof: without it the ticks of `list` are gone, and nothing else.

use crate::material::{Project, read};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The progress of all exercises that were begun.
pub struct Progress {
    file: PathBuf,
    entries: BTreeMap<String, Entry>,
}

/// The progress of one exercise.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Whether all cases have held once.
    pub is_done: bool,
    /// How often the solution was checked.
    pub tries: usize,
    /// How many hints were read.
    pub hints: usize,
    /// Whether the solution was read before all cases held.
    pub has_peeked: bool,
}

impl Progress {
    /// Reads the file. A line that cannot be read counts as none.
    pub fn load(project: &Project) -> Progress {
        let file = project.answers.join("progress.txt");
        let entries = entries(&file);
        Progress { file, entries }
    }

    /// Returns the progress of an exercise.
    pub fn of(&self, name: &str) -> Entry {
        self.entries.get(name).cloned().unwrap_or_default()
    }

    /// Changes the progress of an exercise, and writes the file. It is read again before:
    /// while one terminal watches, another may have noted a hint.
    pub fn change(
        &mut self,
        name: &str,
        change: impl FnOnce(&mut Entry),
    ) -> Result<(), String> {
        self.entries = entries(&self.file);
        change(self.entries.entry(name.into()).or_default());
        let mut text =
            String::from("# exercise, done, tries, hints, solution read before\n");
        for (name, entry) in &self.entries {
            let Entry { is_done, tries, hints, has_peeked } = entry;
            let (done, peeked) = (yes(*is_done), yes(*has_peeked));
            writeln!(text, "{name} {done} {tries} {hints} {peeked}")
                .expect("a string grows");
        }
        let folder = self.file.parent().expect("it is in a folder");
        let result =
            fs::create_dir_all(folder).and_then(|()| put(folder, &self.file, &text));
        result.map_err(|error| format!("{}: {error}", self.file.display()))
    }
}

fn entries(file: &Path) -> BTreeMap<String, Entry> {
    read(file).unwrap_or_default().lines().filter_map(entry).collect()
}

/// Replaces a file at once: a reader finds either the old text or the new one.
fn put(folder: &Path, file: &Path, text: &str) -> io::Result<()> {
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    new.write_all(text.as_bytes())?;
    new.persist(file)?;
    Ok(())
}

fn yes(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}

fn entry(line: &str) -> Option<(String, Entry)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [name, done, tries, hints, peeked] = words[..] else { return None };
    let (tries, hints) = (tries.parse().ok()?, hints.parse().ok()?);
    let entry =
        Entry { is_done: done == "yes", tries, hints, has_peeked: peeked == "yes" };
    Some((name.into(), entry))
}
