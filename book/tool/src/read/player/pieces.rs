//! The parts of the sources that a player shows: the functions in which a trace's events were
//! recorded, without the lines that only record.

use crate::read::include::{is_mark, is_observed};
use serde_json::{Value, json};
use std::collections::BTreeMap;

// Where a token ends with the line before.
pattern!(EMPTY, r#"<span class="[^"]*"></span>"#);

/// As many lines are shown around one that is in no function.
const AROUND: usize = 6;

/// Where sources are read.
pub(crate) trait Lines {
    /// The lines of a file of the project: as HTML with colors, and as they are.
    fn lines(&mut self, path: &str) -> Option<(&[String], &[String])>;

    /// The page of a file, and what is around one of its lines: `fn wait of impl Reactor`.
    fn about(&self, path: &str, number: usize) -> (String, Option<String>);
}

/// The parts, each once.
#[derive(Debug, Default)]
pub(crate) struct Pieces {
    pieces: Vec<Piece>,
    /// For `src/machine/net.rs:60` its part, and the place in it of the line to be lit.
    places: BTreeMap<String, (usize, usize)>,
}

#[derive(Debug)]
struct Piece {
    path: String,
    page: String,
    around: Option<String>,
    /// Each line's number, and its HTML without the indentation that all lines have.
    lines: Vec<(usize, String)>,
}

impl Pieces {
    /// Adds the function that this line of a file is in.
    ///
    /// # Errors
    /// The file has no such line.
    pub(super) fn add(
        &mut self,
        sources: &mut dyn Lines,
        file: &str,
        path: &str,
        recorded: usize,
    ) -> Result<(), String> {
        let number = recorded;
        let gone = || format!("{path} has no line {number}: record the traces again");
        let (html, text) = sources.lines(path).ok_or_else(gone)?;
        if number == 0 || number > text.len() {
            return Err(gone());
        }
        let is_outside = function(text, number).is_none();
        let below = (number..=text.len()).find(|it| is_function(&text[it - 1]));
        // What only records, outside of any function, stands for the function below it.
        let number =
            match below.filter(|_| is_outside && is_observed(&text[number - 1])) {
                Some(below) => below,
                None => number,
            };
        let around = || {
            (number.saturating_sub(AROUND).max(1), (number + AROUND).min(text.len()))
        };
        let (from, to) = function(text, number).unwrap_or_else(around);
        let shown = shown(html, text, from, to);
        let lit = lit(&shown, number, &text[number - 1]);
        let first = shown.first().map_or(from, |(line, _)| *line);
        let (page, around) = sources.about(path, first);
        let is_it = |piece: &Piece| {
            piece.path == path && piece.lines.first().is_some_and(|it| it.0 == first)
        };
        let at = self.pieces.iter().position(is_it).unwrap_or_else(|| {
            let path = path.to_string();
            self.pieces.push(Piece { path, page, around, lines: shown });
            self.pieces.len() - 1
        });
        self.places.insert(format!("{file}:{recorded}"), (at, lit));
        Ok(())
    }

    /// For the player.
    pub(super) fn data(&self) -> Value {
        let piece = |it: &Piece| json!({"path": it.path, "page": it.page, "around": it.around, "lines": it.lines});
        self.pieces.iter().map(piece).collect()
    }

    /// For the player: where each line is.
    pub(super) fn places(&self) -> Value {
        json!(self.places)
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The lines of the function that a line is in, counted from 1. They are found by indentation,
/// which is enough for files that a formatter has laid out.
fn function(text: &[String], number: usize) -> Option<(usize, usize)> {
    let line = |number: usize| text[number - 1].as_str();
    let mut within = indent(line(number)) + 1;
    for head in (1..=number).rev().filter(|it| !line(*it).trim().is_empty()) {
        if indent(line(head)) >= within {
            continue;
        }
        within = indent(line(head));
        if is_function(line(head)) {
            let ends =
                |it: &usize| indent(line(*it)) <= within && line(*it).trim() == "}";
            if let Some(to) = (head..=text.len()).find(ends).filter(|to| *to >= number)
            {
                return Some((head, to));
            }
        }
        // The end of a head that goes over several lines.
        within += usize::from(line(head).trim_start().starts_with([')', '{']));
    }
    None
}

/// The place of the line to be lit. Most lines that only record come after what they record,
/// and a few before it.
fn lit(shown: &[(usize, String)], number: usize, text: &str) -> usize {
    const AHEAD: [&str; 6] =
        [".slept(", ".created(", ".parked(", ".park_at(", "observe::", "threads::"];
    const AFTER: [&str; 2] = ["::finished(", "::has_fetched("];
    let is_text = |html: &str| html.contains(|it: char| it.is_alphanumeric());
    let has = |names: &[&str]| names.iter().any(|it| text.contains(it));
    let is_ahead = is_observed(text) && has(&AHEAD) && !has(&AFTER);
    let next = shown.iter().position(|(line, html)| *line > number && is_text(html));
    let last = shown.iter().rposition(|(line, html)| *line <= number && is_text(html));
    next.filter(|_| is_ahead).or(last).unwrap_or(0)
}

fn is_function(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_before =
        |it: &&str| it.starts_with("pub") || ["const", "async", "unsafe"].contains(it);
    words.find(|word| !is_before(word)) == Some("fn")
}

/// The lines of a part as a page shows them: without those that only record, and without the
/// indentation that they have in common.
fn shown(
    html: &[String],
    text: &[String],
    from: usize,
    to: usize,
) -> Vec<(usize, String)> {
    let lines =
        (from..=to).map(|number| (number, &html[number - 1], &text[number - 1]));
    let lines = lines.filter(|(_, _, text)| !is_mark(text) && !is_observed(text));
    let lines: Vec<_> = lines.collect();
    let full = lines.iter().filter(|(_, _, text)| !text.trim().is_empty());
    let common = full.map(|(_, _, text)| indent(text)).min().unwrap_or(0);
    let spaces = " ".repeat(common);
    let mut shown: Vec<(usize, String)> = Vec::new();
    for (number, html, text) in lines {
        let is_blank =
            |it: Option<&(usize, String)>| it.is_none_or(|it| it.1.is_empty());
        if text.trim().is_empty() && is_blank(shown.last()) {
            continue;
        }
        let html = EMPTY.replace_all(html, "");
        let html = html.strip_prefix(&spaces).unwrap_or(html.trim_start());
        shown.push((number, html.to_string()));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "static A: u8 = 1;\n\nimpl B {\n    /// Waits.\n    pub(crate) fn wait(\n        \
        &self,\n    ) -> u8 {\n        if x {\n            y(); // observe\n        }\n\n        \
        note(); // observe\n\n        1\n    }\n\n    fn z() {}\n}\n";

    fn lines() -> Vec<String> {
        FILE.lines().map(String::from).collect()
    }

    #[test]
    fn a_line_is_in_its_function() {
        for number in [5, 6, 9] {
            assert_eq!(function(&lines(), number), Some((5, 15)));
        }
        assert_eq!(function(&lines(), 1), None);
    }

    #[test]
    fn what_only_records_is_left_out() {
        let shown = shown(&lines(), &lines(), 5, 15);
        let numbers: Vec<usize> = shown.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [5, 6, 7, 8, 10, 11, 14, 15]);
        assert_eq!(shown[0].1, "pub(crate) fn wait(");
        assert_eq!(shown[4].1, "    }");
        let lit = |number| shown[lit(&shown, number, "x.slept(a); // observe")].0;
        assert_eq!((lit(9), lit(15)), (14, 14));
        let lit = |number| shown[super::lit(&shown, number, "y();")].0;
        assert_eq!((lit(9), lit(10), lit(14)), (8, 8, 14));
    }
}
