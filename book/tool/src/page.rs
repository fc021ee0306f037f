//! A page of the book: its file, its role, and what `reading` finds in its text.

use crate::include::Include;
use crate::place::Place;
use crate::problem::Problem;
use crate::reading::{Fence, Header, Line, fences, header, lines};
use std::fs;

/// The part of the book that a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Before the first part: chapter 0.
    Introduction,
    /// A chapter with its number.
    Chapter(usize),
    /// The last chapter.
    Last(usize),
    /// Not a chapter: the landing page, or a page after the chapters.
    Appendix,
}

impl Role {
    /// Its number, of a chapter that has one.
    pub fn number(self) -> Option<usize> {
        match self {
            Role::Chapter(number) | Role::Last(number) => Some(number),
            Role::Introduction | Role::Appendix => None,
        }
    }
}

/// A page.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its file's name, without `.md`.
    pub slug: String,
    /// Its file, as a person would write the path.
    pub file: String,
    /// Which part of the book it is.
    pub role: Role,
    /// All of it.
    pub text: String,
    /// What its opening comment says.
    pub header: Header,
    /// Its lines, each with what it belongs to.
    pub lines: Vec<Line>,
    /// Its code blocks.
    pub fences: Vec<Fence>,
}

impl Page {
    /// Reads a page. `None`: its file is not there.
    pub fn read(place: &Place, slug: &str, role: Role) -> Option<Page> {
        let file = place.page(slug);
        let text = fs::read_to_string(&file).ok()?;
        let lines = lines(&text);
        let fences = fences(&text, &lines);
        Some(Page {
            slug: slug.to_string(),
            file: place.shown(&file),
            role,
            header: header(&text),
            lines,
            fences,
            text,
        })
    }

    /// Something wrong in this page.
    pub fn problem(&self, line: usize, text: impl Into<String>) -> Problem {
        Problem::new(&self.file, line, text)
    }

    /// Its title: the text of its heading, without marks.
    pub fn title(&self) -> Option<String> {
        let heading = self.prose().find_map(|line| line.text.strip_prefix("# "))?;
        Some(heading.trim().replace('`', ""))
    }

    /// The minutes that it takes to read it, and then to work through it.
    pub fn minutes(&self) -> Option<(usize, usize)> {
        let (read, work) = self.header.field("minutes")?.split_once('+')?;
        Some((read.parse().ok()?, work.parse().ok()?))
    }

    /// Its headings of the second level, with their lines.
    pub fn sections(&self) -> Vec<(usize, &str)> {
        let headings = self.lines.iter().filter(|line| !line.is_code);
        headings
            .filter_map(|line| {
                Some((line.number, line.text.strip_prefix("## ")?.trim()))
            })
            .collect()
    }

    /// The prose: lines that are neither code nor comment.
    pub fn prose(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| !line.is_code && !line.is_comment)
    }

    /// What it includes outside of code, with the lines.
    pub fn includes(&self, place: &Place) -> Vec<(usize, Include)> {
        let include =
            |line: &Line| Some((line.number, Include::parse(place, &line.text)?));
        self.lines.iter().filter(|line| !line.is_comment).filter_map(include).collect()
    }
}
