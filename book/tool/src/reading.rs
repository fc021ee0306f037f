//! Cuts the text of a page into its header, its lines and its code blocks.

use crate::include::Include;
use crate::place::Place;
use regex::Regex;
use std::sync::LazyLock;

/// The comment below the title: `<!-- id: pin; covers: C27; … -->`.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// The number of the line where it begins; 0 if the page has none.
    pub line: usize,
    fields: Vec<(String, String)>,
}

impl Header {
    /// Returns the value of a field; `None` if the header does not have it.
    pub fn field(&self, name: &str) -> Option<&str> {
        let found = self.fields.iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the values of a field that is a list with commas; `none` means
    /// an empty list.
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
    /// Its text, without the line end.
    pub text: String,
    /// The text of the last heading (`##`) before it; empty before the first heading.
    pub section: String,
    /// Whether it belongs to a code block; the lines with the backticks do, too.
    pub is_code: bool,
    /// Whether it belongs to a comment.
    pub is_comment: bool,
    /// How many `<details>` are open.
    pub folded: usize,
}

/// A code block of a page.
#[derive(Clone, Debug)]
pub struct Fence {
    /// The line that opens it.
    pub line: usize,
    /// The text after the opening backticks, such as `rust,ignore`.
    pub info: String,
    /// Its lines, without the indentation of the block.
    pub body: Vec<String>,
    /// The text of the last heading (`##`) before it.
    pub section: String,
}

impl Fence {
    /// Returns the page's line number of a line of the body.
    pub fn line_of(&self, index: usize) -> usize {
        self.line + 1 + index
    }

    /// Returns the include if the block has one line and that is an include.
    pub fn only_include(&self, place: &Place) -> Option<Include> {
        let [line] = &self.body[..] else { return None };
        Include::parse(place, line)
    }

    /// Returns whether it is Rust from a file of the project.
    pub fn is_listing(&self) -> bool {
        self.info == "rust,ignore"
    }

    /// Returns whether it is Rust, from a file or written in the page.
    pub fn is_rust(&self) -> bool {
        self.info.split(',').next() == Some("rust")
    }

    /// Returns the commands of a `console` or `sh` block, without the `$`, with their
    /// lines.
    pub fn commands(&self) -> Vec<(usize, &str)> {
        let is_sh = self.info == "sh";
        let commands = self.body.iter().enumerate().filter_map(|(index, line)| {
            let command = line.strip_prefix("$ ").or(is_sh.then_some(line.as_str()))?;
            Some((self.line_of(index), command.trim()))
        });
        if is_sh || self.info == "console" { commands.collect() } else { Vec::new() }
    }
}

/// Finds the header; an empty one if there is none.
pub(crate) fn header(text: &str) -> Header {
    static HEADER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?s)<!--\s*(id:.*?)-->").expect("it is constant")
    });
    let Some(found) = HEADER.captures(text) else { return Header::default() };
    let begin = found.get(0).expect("it is the whole").start();
    let fields = found[1].split(';').filter_map(|field| {
        let (name, value) = field.split_once(':')?;
        Some((name.trim().to_string(), value.trim().to_string()))
    });
    Header { line: text[..begin].matches('\n').count() + 1, fields: fields.collect() }
}

/// Cuts the text into lines, each with what it belongs to.
pub(crate) fn lines(text: &str) -> Vec<Line> {
    let mut reading = Reading::default();
    (1..).zip(text.lines()).map(|(number, text)| reading.line(number, text)).collect()
}

/// What is open where a line begins.
#[derive(Default)]
struct Reading {
    /// The number of backticks that opened the current code block; `None` outside of
    /// one.
    fence: Option<usize>,
    is_comment: bool,
    folded: usize,
    section: String,
}

impl Reading {
    fn line(&mut self, number: usize, text: &str) -> Line {
        let is_code = self.is_code(text);
        self.is_comment |= !is_code && text.trim_start().starts_with("<!--");
        let is_comment = self.is_comment;
        let is_prose = !is_code && !is_comment;
        if is_prose {
            self.folded += text.matches("<details").count();
            if let Some(title) = text.strip_prefix("## ") {
                self.section = title.trim().to_string();
            }
        }
        let (section, folded) = (self.section.clone(), self.folded);
        if is_prose {
            self.folded = folded.saturating_sub(text.matches("</details>").count());
        }
        self.is_comment &= !text.contains("-->");
        Line { number, text: text.to_string(), section, is_code, is_comment, folded }
    }

    /// Returns whether this line belongs to a code block, and notes whether the block
    /// is open after it.
    fn is_code(&mut self, text: &str) -> bool {
        let was_open = self.fence.is_some();
        self.fence = match (self.fence, ticks(text)) {
            (None, count @ 3..) => Some(count),
            (Some(opened), count) if closes(text, opened, count) => None,
            (fence, _) => fence,
        };
        was_open || self.fence.is_some()
    }
}

/// Returns how many backticks the line begins with.
fn ticks(text: &str) -> usize {
    text.trim_start().chars().take_while(|it| *it == '`').count()
}

fn closes(text: &str, opened: usize, count: usize) -> bool {
    count >= opened && text.trim().len() == count
}

/// Collects the code blocks.
pub(crate) fn fences(lines: &[Line]) -> Vec<Fence> {
    let mut fences = Vec::new();
    let mut open: Option<(usize, usize, Fence)> = None;
    for line in lines.iter().filter(|line| line.is_code) {
        let (text, count) = (line.text.trim_start(), ticks(&line.text));
        match &mut open {
            None => {
                let (info, section) = (text[count..].trim(), line.section.clone());
                let info = info.to_string();
                let fence =
                    Fence { line: line.number, info, body: Vec::new(), section };
                open = Some((count, line.text.len() - text.len(), fence));
            }
            Some((opened, ..)) if closes(text, *opened, count) => {
                fences.extend(open.take().map(|(.., fence)| fence));
            }
            Some((_, indent, fence)) => {
                let body = line.text.split_at_checked(*indent);
                let body = body.filter(|(before, _)| before.trim().is_empty());
                fence.body.push(body.map_or(text, |(_, body)| body).to_string());
            }
        }
    }
    // One that is never closed goes to the end of the page.
    fences.extend(open.map(|(.., fence)| fence));
    fences
}
