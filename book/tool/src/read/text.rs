//! Cuts the text of a page into its header, its lines and its code blocks.

use crate::read::include::Include;
use crate::read::place::Place;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

/// The comment below the title: `<!-- needs: async-fn; covers: C27; … -->`.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// The number of the line where it begins; 0 if the page has none.
    pub line: usize,
    /// What the page adds to the texts that the book follows: a line `adds: …` each.
    pub adds: Vec<String>,
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
    pattern!(HEADER, r"(?s)<!--\s*((?:needs|covers|names|adds|route):.*?)-->");
    pattern!(NAME, r"^(?:needs|covers|names|adds|route):");
    let Some(found) = HEADER.captures(text) else { return Header::default() };
    let begin = found.get(0).expect("it is the whole").start();
    // A line that begins with no name goes on with what is before it.
    let mut parts: Vec<String> = Vec::new();
    for line in found[1].lines().map(str::trim) {
        match parts.last_mut() {
            Some(part) if !NAME.is_match(line) => *part += &format!(" {line}"),
            _ => parts.push(line.to_string()),
        }
    }
    let (mut adds, mut fields) = (Vec::new(), Vec::new());
    for part in parts {
        if let Some(added) = part.strip_prefix("adds:") {
            adds.push(added.trim().to_string());
            continue;
        }
        let named = part.split(';').filter_map(|field| field.split_once(':'));
        fields.extend(
            named.map(|(name, value)| (name.trim().into(), value.trim().into())),
        );
    }
    Header { line: line_of(text, begin), adds, fields }
}

/// Cuts the text into lines, each with what it belongs to.
pub(crate) fn lines(text: &str) -> Vec<Line> {
    let is_code = code(text);
    let mut reading = Reading::default();
    let lines = (1..).zip(text.lines()).zip(is_code);
    lines.map(|((number, text), is_code)| reading.line(number, text, is_code)).collect()
}

/// Returns for each line whether it belongs to a code block with backticks.
pub(crate) fn code(text: &str) -> Vec<bool> {
    let mut is_code = vec![false; text.lines().count()];
    for (event, range) in Parser::new(text).into_offset_iter() {
        if let Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) = event {
            let (first, count) =
                (line_of(text, range.start), text[range].trim_end().lines().count());
            is_code[first - 1..][..count].fill(true);
        }
    }
    is_code
}

/// The number of the line that has this byte.
fn line_of(text: &str, byte: usize) -> usize {
    text[..byte].matches('\n').count() + 1
}

/// What is open where a line begins.
#[derive(Default)]
struct Reading {
    is_comment: bool,
    folded: usize,
    section: String,
}

impl Reading {
    fn line(&mut self, number: usize, text: &str, is_code: bool) -> Line {
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
}

/// Collects the code blocks with backticks of a text, which has these lines.
pub(crate) fn fences(text: &str, lines: &[Line]) -> Vec<Fence> {
    let mut fences: Vec<Fence> = Vec::new();
    for (event, range) in Parser::new(text).into_offset_iter() {
        match (event, fences.last_mut()) {
            (Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))), _) => {
                let line = line_of(text, range.start);
                let (info, section) =
                    (info.trim().to_string(), lines[line - 1].section.clone());
                fences.push(Fence { line, info, body: Vec::new(), section });
            }
            (Event::Text(part), Some(fence))
                if lines[line_of(text, range.start) - 1].is_code =>
            {
                fence.body.extend(part.lines().map(String::from));
            }
            _ => {}
        }
    }
    fences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_header_says_may_go_on_in_the_next_line() {
        let text = "# A\n\n<!-- needs: a,\n  b; covers: C1\nnames: none\nadds: one: a\n\
                    and more\nadds: two\n-->\n";
        let header = header(text);
        assert_eq!(header.line, 3);
        assert_eq!(header.list("needs"), ["a", "b"]);
        assert_eq!(header.list("covers"), ["C1"]);
        assert_eq!(header.field("names"), Some("none"));
        assert_eq!(header.adds, ["one: a and more", "two"]);
    }
}
