//! A file of slides, `slides/NAME.md`: what is shown in each row of the plan `NAME`.

use super::mark::Mark;
use crate::read::place::{Place, files, stem};
use crate::read::plan;
use crate::read::problem::Problem;
use crate::read::text::lines;
use std::fs;
use std::path::PathBuf;

/// All slides of a plan.
#[derive(Clone, Debug, Default)]
pub(super) struct Script {
    /// The file, as a person would write its path.
    pub(super) file: String,
    /// The slide before all rows.
    pub(super) title: Draft,
    /// What is written for the rows of the plan.
    pub(super) rows: Vec<Row>,
}

/// The slides of a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    /// The line of its heading.
    pub(super) line: usize,
    /// Its minutes, as in the plan.
    pub(super) minutes: (u32, u32),
    /// The slides.
    pub(super) slides: Vec<Draft>,
}

/// A slide as it is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    /// The line of its title.
    pub(super) line: usize,
    /// Its title, in Markdown.
    pub(super) title: String,
    /// What is on it, each with its line.
    pub(super) pieces: Vec<(usize, Piece)>,
    /// What the speaker reads, in Markdown.
    pub(super) notes: String,
}

/// A part of a slide.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    /// Markdown.
    Text(String),
    /// Something from the project.
    Mark(Mark),
}

/// The folder of the slides.
fn folder(place: &Place) -> PathBuf {
    place.book.join("slides")
}

/// The names of the plans for which slides are written.
pub(super) fn names(place: &Place) -> Vec<String> {
    let files = files(&folder(place), "md");
    let names = files.iter().map(|file| stem(file).to_string());
    names.filter(|name| name != "README" && !name.contains('-')).collect()
}

/// The file of the handout of a plan.
pub(super) fn handout(place: &Place, name: &str) -> PathBuf {
    folder(place).join(format!("{name}-handout.md"))
}

impl Script {
    /// Reads a file of slides.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub(super) fn read(place: &Place, name: &str) -> Result<Script, Vec<Problem>> {
        let file = folder(place).join(format!("{name}.md"));
        let shown = place.shown(&file);
        let wrong = |(line, text)| Problem::new(&shown, line, text);
        let text = fs::read_to_string(&file)
            .map_err(|error| vec![wrong((0, error.to_string()))])?;
        match parse(&text) {
            Ok((title, rows)) => Ok(Script { file: shown, title, rows }),
            Err(all) => Err(all.into_iter().map(wrong).collect()),
        }
    }

    /// The slides of a row of the plan.
    pub(super) fn row(&self, row: &plan::Row) -> Option<&Row> {
        self.rows.iter().find(|it| it.minutes == (row.from, row.to))
    }
}

pub(super) type Wrong = (usize, String);

pub(super) fn parse(text: &str) -> Result<(Draft, Vec<Row>), Vec<Wrong>> {
    let (mut rows, mut wrong): (Vec<Row>, Vec<Wrong>) = (Vec::new(), Vec::new());
    let mut title = Draft::default();
    for line in lines(text).iter().filter(|line| !line.is_comment) {
        let number = line.number;
        let done = if line.is_code {
            Err("a listing comes from a file: {{listing PATH:ANCHOR}}".to_string())
        } else if let Some(minutes) = line.text.strip_prefix("## ") {
            heading(minutes).map(|minutes| {
                rows.push(Row { line: number, minutes, ..Row::default() });
            })
        } else if let Some(row) = rows.last_mut() {
            row.add(number, &line.text)
        } else if line.text.starts_with("# ") {
            Ok(())
        } else {
            title.read(number, &line.text)
        };
        wrong.extend(done.err().map(|why| (number, why)));
    }
    if wrong.is_empty() { Ok((title, rows)) } else { Err(wrong) }
}

fn heading(text: &str) -> Result<(u32, u32), String> {
    let minutes = text.trim().split_once(['–', '-']);
    let minutes =
        minutes.and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    minutes.ok_or("write the minutes of a row of the plan: `## 0–8`".to_string())
}

impl Row {
    fn add(&mut self, line: usize, text: &str) -> Result<(), String> {
        if let Some(title) = text.strip_prefix("### ") {
            let title = title.trim().to_string();
            self.slides.push(Draft { line, title, ..Draft::default() });
            return Ok(());
        }
        match self.slides.last_mut() {
            Some(slide) => slide.read(line, text),
            None if text.trim().is_empty() => Ok(()),
            None => Err("write `### Title` above it".to_string()),
        }
    }
}

impl Draft {
    /// Reads a line.
    ///
    /// # Errors
    /// It is a mark that we do not know.
    pub(super) fn read(&mut self, line: usize, text: &str) -> Result<(), String> {
        if let Some(mark) = Mark::parse(text).transpose()? {
            self.pieces.push((line, Piece::Mark(mark)));
        } else if !self.notes.is_empty() {
            self.notes += &format!("\n{text}");
        } else if let Some(notes) = text.strip_prefix("Note:") {
            self.notes = notes.trim().to_string();
        } else if let Some((_, Piece::Text(before))) = self.pieces.last_mut() {
            *before += &format!("\n{text}");
        } else if !text.trim().is_empty() {
            self.pieces.push((line, Piece::Text(text.to_string())));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_rows_and_slides() {
        let text = "# A\n\n{{address}}\n\n## 0–8\n\n### One\n\nText,\nmore.\n\n{{ask}}\n\
                    Note: Wait.\nLonger.\n### Two\n## 8-9\n";
        let (title, rows) = parse(text).expect("it can be read");
        assert_eq!(title.pieces, [(3, Piece::Mark(Mark::Address))]);
        assert_eq!(rows.len(), 2);
        let row = &rows[0];
        assert_eq!((row.minutes, row.slides.len()), ((0, 8), 2));
        let slide = &row.slides[0];
        assert_eq!(slide.title, "One");
        let pieces: Vec<&Piece> = slide.pieces.iter().map(|(_, piece)| piece).collect();
        let text = Piece::Text("Text,\nmore.\n".to_string());
        assert_eq!(pieces, [&text, &Piece::Mark(Mark::Ask)]);
        assert_eq!(slide.notes, "Wait.\nLonger.");
    }

    #[test]
    fn each_mistake_is_reported_with_its_line() {
        let text = "# A\n{{lost}}\n## soon\n## 0–8\n{{ask}}\n### One\n{{video}}\n```rust\na\n```\n";
        let wrong = parse(text).expect_err("it is wrong");
        let lines: Vec<usize> = wrong.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 3, 5, 7, 8, 9, 10]);
    }
}
