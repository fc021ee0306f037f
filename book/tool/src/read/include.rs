//! `{{#include file:anchor}}`: what mdBook would put there, and why it would put nothing.

use crate::read::place::Place;
use runner::material;
use std::path::{Path, PathBuf};

pattern!(INCLUDE, r"^\s*\{\{#include\s+([^\s:{}]+)(?::([^\s{}]*))?\s*\}\}\s*$");
pattern!(ANCHOR, r"ANCHOR(_END)?:\s*([\w_-]+)");

/// What a page takes from a file.
#[derive(Clone, Debug)]
pub struct Include {
    /// The path, as the page has it.
    pub path: String,
    /// What of the file.
    pub part: Part,
    file: PathBuf,
}

/// Which lines of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// All of them.
    Whole,
    /// From this line, counted from 1, to that one; no end: to the last.
    Lines(usize, Option<usize>),
    /// Those between two comments with this name.
    Anchor(String),
}

impl Include {
    /// Reads a line of a page. `None`: it includes nothing.
    pub fn parse(place: &Place, line: &str) -> Option<Include> {
        let found = INCLUDE.captures(line)?;
        let part = part(found.get(2).map(|part| part.as_str()));
        let file = place.file_of(&found[1]);
        Some(Include { path: found[1].to_string(), part, file })
    }

    /// The file that it names.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Returns whether it is a listing of Rust.
    pub fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Its lines, as the book prints them.
    ///
    /// # Errors
    /// What is wrong with the file, the anchor or the range.
    pub fn lines(&self) -> Result<Vec<String>, String> {
        Ok(self.numbered()?.into_iter().map(|(_, line)| line).collect())
    }

    /// Its lines, as the book prints them, each with its number in the file, from 1.
    ///
    /// # Errors
    /// What is wrong with the file, the anchor or the range.
    pub fn numbered(&self) -> Result<Vec<(usize, String)>, String> {
        let path = &self.path;
        let text =
            material::source(&self.file).map_err(|why| match self.file.exists() {
                true => why,
                false => format!("{path} is not there: correct the path"),
            })?;
        let all: Vec<Numbered<'_>> = (1..).zip(text.lines()).collect();
        let lines = match &self.part {
            Part::Whole => all,
            Part::Anchor(name) => anchored(&all, name)
                .ok_or(format!("{path} has no `ANCHOR: {name}`: see `grep ANCHOR`"))?,
            Part::Lines(from, to) => {
                let to = to.unwrap_or(all.len());
                if *from == 0 || *from > to || to > all.len() {
                    let count = all.len();
                    return Err(format!(
                        "{path} has {count} lines, not {from} to {to}"
                    ));
                }
                all[from - 1..to].to_vec()
            }
        };
        let lines = if self.is_rust() { without_observation(&lines) } else { lines };
        if lines.iter().all(|(_, line)| line.trim().is_empty()) {
            return Err(format!("what is included of {path} is empty"));
        }
        Ok(lines.into_iter().map(|(number, line)| (number, line.to_string())).collect())
    }
}

/// A line with its number in its file.
type Numbered<'a> = (usize, &'a str);

fn part(text: Option<&str>) -> Part {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Part::Whole };
    let number = |text: &str| text.parse::<usize>().ok();
    match text.split_once(':') {
        Some((from, to)) => Part::Lines(number(from).unwrap_or(1), number(to)),
        None => match number(text) {
            Some(line) => Part::Lines(line, Some(line)),
            None => Part::Anchor(text.to_string()),
        },
    }
}

/// As mdBook does it: marks of other anchors are left out. `None`: no such anchor.
fn anchored<'a>(lines: &[Numbered<'a>], name: &str) -> Option<Vec<Numbered<'a>>> {
    let mut inside =
        lines.iter().skip_while(|(_, line)| mark(line) != Some((false, name)));
    inside.next()?;
    let inside = inside.take_while(|(_, line)| mark(line) != Some((true, name)));
    Some(inside.copied().filter(|(_, line)| !is_mark(line)).collect())
}

/// Leaves out the marks of anchors, and the lines that serve traces and stuck reports with
/// their documentation.
fn without_observation<'a>(lines: &[Numbered<'a>]) -> Vec<Numbered<'a>> {
    let is_documentation = |line: &str| line.trim_start().starts_with("///");
    let mut kept: Vec<Numbered<'_>> = Vec::new();
    for (number, line) in lines {
        let is_second_blank =
            line.is_empty() && kept.last().is_none_or(|(_, it)| it.is_empty());
        if !is_observed(line) && !is_mark(line) && !is_second_blank {
            kept.push((*number, line));
        } else if is_observed(line) && !line.trim_start().starts_with('#') {
            while kept.pop_if(|(_, above)| is_documentation(above)).is_some() {}
        }
    }
    kept
}

/// A source as the book prints it: what is left out are empty lines, so that each line keeps
/// its number.
pub(crate) fn printed(text: &str) -> String {
    let all: Vec<Numbered<'_>> = (1..).zip(text.lines()).collect();
    let mut lines = vec![""; all.len()];
    for (number, line) in without_observation(&all) {
        lines[number - 1] = line;
    }
    lines.join("\n") + "\n"
}

/// Returns whether a line serves traces and stuck reports: it ends in `// observe`.
pub(crate) fn is_observed(line: &str) -> bool {
    line.trim_end().ends_with("// observe")
}

/// Returns whether a line is the begin or the end of an anchor.
pub(crate) fn is_mark(line: &str) -> bool {
    mark(line).is_some()
}

/// Is this the begin or the end of an anchor, and of which?
fn mark(line: &str) -> Option<(bool, &str)> {
    let found = ANCHOR.captures(line)?;
    Some((found.get(1).is_some(), found.get(2)?.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_as_mdbook_reads_them() {
        assert_eq!(part(None), Part::Whole);
        assert_eq!(part(Some("2:")), Part::Lines(2, None));
        assert_eq!(part(Some(":7")), Part::Lines(1, Some(7)));
        assert_eq!(part(Some("3")), Part::Lines(3, Some(3)));
        assert_eq!(part(Some("wait")), Part::Anchor("wait".to_string()));
    }

    fn numbered(text: &str) -> Vec<Numbered<'_>> {
        (1..).zip(text.lines()).collect()
    }

    #[test]
    fn marks_of_other_anchors_are_left_out() {
        let text =
            "0\n// ANCHOR: a\n1\n// ANCHOR: b\n2\n// ANCHOR_END: b\n// ANCHOR_END: a";
        let lines = numbered(text);
        assert_eq!(anchored(&lines, "a"), Some(vec![(3, "1"), (5, "2")]));
        assert_eq!(anchored(&lines, "c"), None);
    }

    #[test]
    fn observation_is_left_out() {
        let text = "a\n\n    note(); // observe\n\nb // observed\n// ANCHOR: d\nd";
        let kept = [(1, "a"), (2, ""), (5, "b // observed"), (7, "d")];
        assert_eq!(without_observation(&numbered(text)), kept);
    }

    #[test]
    fn documentation_goes_with_its_field_and_stays_with_its_function() {
        let text = "/// A.\na: A,\n/// B.\n/// Of b.\nb: B, // observe\n\
                    /// C.\n#[track_caller] // observe\nfn c() {}";
        assert_eq!(printed(text), "/// A.\na: A,\n\n\n\n/// C.\n\nfn c() {}\n");
    }
}
