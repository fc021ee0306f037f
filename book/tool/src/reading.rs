//! Cuts a page into its header, its lines and its code blocks.

use crate::page::{Fence, Header, Line};
use regex::Regex;
use std::sync::LazyLock;

/// The comment that a machine reads.
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

/// Each line with what it belongs to.
pub(crate) fn lines(text: &str) -> Vec<Line> {
    let mut reading = Reading::default();
    (1..).zip(text.lines()).map(|(number, text)| reading.line(number, text)).collect()
}

/// What is open where a line begins.
#[derive(Default)]
struct Reading {
    /// A code block, with so many backticks.
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

    /// Is this line in a code block, or opens or closes one?
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

/// How many backticks the line begins with.
fn ticks(text: &str) -> usize {
    text.trim_start().chars().take_while(|it| *it == '`').count()
}

fn closes(text: &str, opened: usize, count: usize) -> bool {
    count >= opened && text.trim().len() == count
}

/// The code blocks.
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
