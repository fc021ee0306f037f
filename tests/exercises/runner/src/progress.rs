//! What a learner has done: `progress.txt`, beside the learner's files. It is a comfort and
//! no proof: without it the ticks of `list` and the boxes of `review` are gone, and nothing
//! else.

use crate::day::Day;
use crate::material::Project;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// After how many days the questions of each box are asked again. Beyond the last box, they
/// are not.
const DAYS: [u32; 4] = [1, 3, 7, 21];

/// The progress of all exercises that were begun, and of all questions that were answered.
#[derive(Default)]
pub struct Progress {
    file: PathBuf,
    entries: BTreeMap<String, Entry>,
    cards: BTreeMap<String, Card>,
    /// Lines that cannot be read. They stay in the file.
    pub unread: Vec<String>,
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
    /// The day on which all cases held first. `None`: they have not, or the file is older
    /// than this field.
    pub day: Option<Day>,
}

/// The progress of one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card {
    /// Its box: how many right answers in a row it has had.
    pub number: usize,
    /// The day of the last answer.
    pub day: Day,
}

impl Card {
    /// Returns the day on which it is asked again. `None`: it is not.
    pub fn due(self) -> Option<Day> {
        DAYS.get(self.number).map(|days| Day(self.day.0 + days))
    }

    /// Returns whether it is asked on this day. If its own day is still to come, the clock was
    /// wrong once, and it is.
    pub fn is_due(self, today: Day) -> bool {
        self.due().is_some_and(|day| day <= today || self.day > today)
    }

    /// Returns what it becomes by an answer: a wrong one puts it into the first box.
    pub fn answered(self, is_right: bool, day: Day) -> Card {
        Card { number: if is_right { self.number + 1 } else { 0 }, day }
    }
}

impl Progress {
    /// Reads the file, if there is one. A line that cannot be read counts as none.
    ///
    /// # Errors
    /// The file is there, and cannot be read: it would be lost if it counted as empty.
    pub fn load(project: &Project) -> Result<Progress, String> {
        let file = project.answers.join("progress.txt");
        let text = match fs::read(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(format!("{}: {error}", file.display())),
        };
        let mut progress = Progress { file, ..Progress::default() };
        for line in String::from_utf8_lossy(&text).lines() {
            let is_comment = line.trim().is_empty() || line.starts_with('#');
            if !is_comment && progress.line(line).is_none() {
                progress.unread.push(line.into());
            }
        }
        Ok(progress)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["question", id, number, day] = words[..] {
            let number = number.parse().ok().filter(|it| *it <= DAYS.len())?;
            self.cards.insert(id.into(), Card { number, day: day.parse().ok()? });
            return Some(());
        }
        let [name, done, tries, hints, peeked, ref day @ ..] = words[..] else {
            return None;
        };
        let day = match day {
            [] => None,
            [day] => Some(day.parse().ok()?),
            _ => return None,
        };
        let (tries, hints) = (tries.parse().ok()?, hints.parse().ok()?);
        let (is_done, has_peeked) = (is_yes(done)?, is_yes(peeked)?);
        self.entries
            .insert(name.into(), Entry { is_done, tries, hints, has_peeked, day });
        Some(())
    }

    /// Returns the progress of an exercise.
    pub fn of(&self, name: &str) -> Entry {
        self.entries.get(name).cloned().unwrap_or_default()
    }

    /// Returns the progress of a question, if it was ever answered.
    pub fn card(&self, id: &str) -> Option<Card> {
        self.cards.get(id).copied()
    }

    /// Changes the progress of an exercise, and writes the file.
    pub fn change(
        &mut self,
        name: &str,
        change: impl FnOnce(&mut Entry),
    ) -> Result<(), String> {
        self.write(|it| change(it.entries.entry(name.into()).or_default()))
    }

    /// Changes the progress of a question, and writes the file.
    pub fn put(&mut self, id: &str, card: Card) -> Result<(), String> {
        self.write(|it| it.cards.extend([(id.to_string(), card)]))
    }

    /// Writes the file. It is read again before: while one terminal watches, another may have
    /// noted a hint.
    fn write(&mut self, change: impl FnOnce(&mut Progress)) -> Result<(), String> {
        let folder = self.file.parent().expect("it is in a folder").to_path_buf();
        *self =
            Progress::load(&Project { root: PathBuf::new(), answers: folder.clone() })?;
        change(self);
        let mut text = String::from(
            "# exercise, done, tries, hints, solution read before, day; question, box, day\n",
        );
        for (name, entry) in &self.entries {
            let Entry { is_done, tries, hints, has_peeked, day } = entry;
            let (done, peeked) = (yes(*is_done), yes(*has_peeked));
            let day = day.map_or(String::new(), |day| format!(" {day}"));
            writeln!(text, "{name} {done} {tries} {hints} {peeked}{day}")
                .expect("a string grows");
        }
        for (id, Card { number, day }) in &self.cards {
            writeln!(text, "question {id} {number} {day}").expect("a string grows");
        }
        self.unread.iter().for_each(|line| text += &format!("{line}\n"));
        let result =
            fs::create_dir_all(&folder).and_then(|()| put(&folder, &self.file, &text));
        result.map_err(|error| format!("{}: {error}", self.file.display()))
    }
}

/// Replaces a file at once: a reader finds either the old text or the new one.
fn put(folder: &Path, file: &Path, text: &str) -> io::Result<()> {
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    new.write_all(text.as_bytes())?;
    new.persist(file)?;
    Ok(())
}

fn is_yes(word: &str) -> Option<bool> {
    [true, false].into_iter().find(|it| yes(*it) == word)
}

fn yes(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_file_is_read_and_what_cannot_be_read_stays() {
        let folder = tempfile::tempdir().expect("temporary files are possible");
        let file = folder.path().join("progress.txt");
        let broken = "question a 9 2026-11-28\nleaf yes\nleaf yes 1 1 no 2026-02-30\n\
             leaf yes 1 1 no 2026-11-28 and more\nleaf perhaps 1 1 no\n\u{fffd}\n";
        let old = broken.replace('\u{fffd}', "leaf yes 18446744073709551615 2 no\n");
        fs::write(&file, [old.as_bytes(), b"\xff"].concat())
            .expect("it can be written");
        let project = Project { root: PathBuf::new(), answers: folder.path().into() };
        let mut progress = Progress::load(&project).expect("it can be read");
        progress.put("b", Card { number: 3, day: Day(20_785) }).expect("a file");
        progress.change("leaf", |it| it.day = Some(Day(0))).expect("a file");
        let text = fs::read_to_string(&file).expect("a file");
        let read =
            "leaf yes 18446744073709551615 2 no 1970-01-01\nquestion b 3 2026-11-28\n";
        assert!(text.ends_with(&format!("{read}{broken}")), "{text}");
        // What cannot be read is no empty file.
        fs::remove_file(&file).expect("it is there");
        fs::create_dir(&file).expect("a folder");
        assert!(progress.change("leaf", |it| it.tries = 1).is_err() && file.is_dir());
    }

    #[test]
    fn a_question_comes_back_later_each_time_and_a_day_after_a_wrong_answer() {
        let (mut card, mut asked) = (Card { number: 0, day: Day(100) }, Vec::new());
        for day in 100..200 {
            if card.is_due(Day(day)) {
                card = card.answered(day != 104, Day(day));
                asked.push(day - 100);
            }
        }
        assert_eq!(asked, [1, 4, 5, 8, 15, 36]);
    }
}
