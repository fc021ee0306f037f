//! A page of the book, read line by line as far as the rules need it.

use crate::include::Include;
use crate::place::Place;
use crate::problem::Problem;
use crate::reading::{fences, header, lines};
use std::fs;

/// Where in the book a page stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Before the first part: chapter 0.
    Introduction,
    /// A chapter with its number.
    Chapter(usize),
    /// The last chapter.
    Last(usize),
    /// Behind the chapters.
    Appendix,
}

/// A page.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its file's name, without `.md`.
    pub slug: String,
    /// Its file, as a person would write the path.
    pub file: String,
    /// Where it stands.
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

/// The comment below the title: `<!-- id: pin; covers: C27; … -->`.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// The line where it begins; 0: there is none.
    pub line: usize,
    pub(crate) fields: Vec<(String, String)>,
}

impl Header {
    /// What a field says; `None` if it is not there.
    pub fn field(&self, name: &str) -> Option<&str> {
        let found = self.fields.iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value.as_str())
    }

    /// What a field lists, with commas.
    pub fn list(&self, name: &str) -> Vec<String> {
        let parts = self.field(name).unwrap_or("").split(',').map(str::trim);
        let is_one = |part: &&str| !part.is_empty() && *part != "none";
        parts.filter(is_one).map(String::from).collect()
    }
}

/// A line of a page.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its number, from 1.
    pub number: usize,
    /// What it says.
    pub text: String,
    /// The heading (`##`) that it stands below; empty before the first.
    pub section: String,
    /// Is it in a code block, its first and last lines included?
    pub is_code: bool,
    /// Is it in a comment?
    pub is_comment: bool,
    /// How many `<details>` are open.
    pub folded: usize,
}

/// A code block.
#[derive(Clone, Debug)]
pub struct Fence {
    /// The line that opens it.
    pub line: usize,
    /// What stands behind the backticks.
    pub info: String,
    /// Its lines, without what indents the block.
    pub body: Vec<String>,
    /// The heading (`##`) that it stands below.
    pub section: String,
}

impl Fence {
    /// The number of a line of the body.
    pub fn line_of(&self, index: usize) -> usize {
        self.line + 1 + index
    }

    /// Its only line, if that is an include.
    pub fn only_include(&self, place: &Place) -> Option<Include> {
        let [line] = &self.body[..] else { return None };
        Include::parse(place, line)
    }

    /// Is it Rust from a file of the project?
    pub fn is_listing(&self) -> bool {
        self.info == "rust,ignore"
    }

    /// Is it any Rust?
    pub fn is_rust(&self) -> bool {
        self.info.split(',').next() == Some("rust")
    }

    /// The commands of a `console` or `sh` block, without the `$`, with their lines.
    pub fn commands(&self) -> Vec<(usize, &str)> {
        let is_sh = self.info == "sh";
        let commands = self.body.iter().enumerate().filter_map(|(index, line)| {
            let command = line.strip_prefix("$ ").or(is_sh.then_some(line.as_str()))?;
            Some((self.line_of(index), command.trim()))
        });
        if is_sh || self.info == "console" { commands.collect() } else { Vec::new() }
    }
}

impl Page {
    /// Reads a page. `None`: its file is not there.
    pub fn read(place: &Place, slug: &str, role: Role) -> Option<Page> {
        let file = place.page(slug);
        let text = fs::read_to_string(&file).ok()?;
        let lines = lines(&text);
        let fences = fences(&lines);
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
