//! What is between double braces in a file of slides.

use figure::Look;

/// Something that is put on a slide or on the handout.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mark {
    /// The question of the plan's row, large.
    Ask,
    /// What follows appears at the next key press.
    Next,
    /// A figure of `figures`: arrow by arrow, or at once.
    Figure(String, Look),
    /// A part of a file, `PATH:ANCHOR`, and which of its lines are lit at each key press.
    Listing(String, Vec<Span>),
    /// The stored output of a step, or some of its lines.
    Output(String, Option<Span>),
    /// A stored run of `runs`, or some of its lines.
    Run(String, Option<Span>),
    /// A question of the bank.
    Vote(String),
    /// Where the book is.
    Address,
    /// On the handout: boxes to tick for the votes of the deck.
    Votes,
    /// On the handout: what is typed for the exercises of the plan.
    Commands,
    /// On the handout: lines to write on.
    Lines(usize),
}

/// Lines from one to another, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// The first.
    pub(super) from: usize,
    /// The last.
    pub(super) to: usize,
}

impl Span {
    /// Returns the things that the span covers.
    ///
    /// # Errors
    /// There are not so many.
    pub(super) fn of<T>(self, things: &[T]) -> Result<&[T], String> {
        let count = things.len();
        let why =
            || format!("{} to {} of {count}: there are no such", self.from, self.to);
        things.get(self.from.wrapping_sub(1)..self.to).ok_or_else(why)
    }

    /// Returns whether it covers a line.
    pub(super) fn has(self, line: usize) -> bool {
        (self.from..=self.to).contains(&line)
    }

    fn parse(text: &str) -> Result<Span, String> {
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        match (from.parse(), to.parse()) {
            (Ok(from), Ok(to)) if from <= to && from > 0 => Ok(Span { from, to }),
            _ => Err(format!("`{text}`: write lines as 4 or 4-9")),
        }
    }
}

pattern!(MARK, r"^\{\{([a-z]+)(?: (.*?))?\}\}$");

/// How each mark is written.
const FORMS: &str = "{{ask}}, {{next}}, \
    {{figure NAME [whole|without labels|without arrows]}}, \
    {{listing PATH:ANCHOR [1-4|6]}}, {{output STEP [1-5]}}, {{run NAME [1-5]}}, \
    {{vote ID}}, {{address}}; on a handout {{votes}}, {{commands}}, {{lines 3}}";

impl Mark {
    /// Reads a line. `None`: it is no mark.
    ///
    /// # Errors
    /// It is one that we do not know.
    pub(super) fn parse(line: &str) -> Option<Result<Mark, String>> {
        let line = line.trim();
        if !line.starts_with("{{") {
            return None;
        }
        let unknown = || Err(format!("`{line}`: write one of {FORMS}"));
        let Some(found) = MARK.captures(line) else { return Some(unknown()) };
        let rest = found.get(2).map_or("", |rest| rest.as_str().trim());
        let (name, more) = rest.split_once(' ').unwrap_or((rest, ""));
        let (name, more) = (name.to_string(), more.trim());
        let span = || match more {
            "" => Ok(None),
            more => Span::parse(more).map(Some),
        };
        Some(match (&found[1], name.is_empty(), more) {
            ("ask", true, _) => Ok(Mark::Ask),
            ("next", true, _) => Ok(Mark::Next),
            ("address", true, _) => Ok(Mark::Address),
            ("votes", true, _) => Ok(Mark::Votes),
            ("commands", true, _) => Ok(Mark::Commands),
            ("lines", false, "") => match name.parse() {
                Ok(count @ 1..=20) => Ok(Mark::Lines(count)),
                _ => unknown(),
            },
            ("figure", false, "") => Ok(Mark::Figure(name, Look::InSteps)),
            ("figure", false, "whole") => Ok(Mark::Figure(name, Look::Whole)),
            ("figure", false, "without labels") => {
                Ok(Mark::Figure(name, Look::WithoutLabels))
            }
            ("figure", false, "without arrows") => {
                Ok(Mark::Figure(name, Look::WithoutArrows))
            }
            ("listing", false, _) => {
                steps(more).map(|steps| Mark::Listing(name, steps))
            }
            ("output", false, _) => span().map(|span| Mark::Output(name, span)),
            ("run", false, _) => span().map(|span| Mark::Run(name, span)),
            ("vote", false, "") => Ok(Mark::Vote(name)),
            _ => unknown(),
        })
    }
}

fn steps(text: &str) -> Result<Vec<Span>, String> {
    text.split('|')
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .map(Span::parse)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<Mark> {
        Mark::parse(line).and_then(Result::ok)
    }

    #[test]
    fn marks_have_names_lines_and_looks() {
        let span = |from, to| Span { from, to };
        let listing = Mark::Listing("a.rs:b".to_string(), vec![span(1, 4), span(6, 6)]);
        assert_eq!(read("{{listing a.rs:b 1-4|6}}"), Some(listing));
        let output = Mark::Output("ch19_executor".to_string(), Some(span(2, 5)));
        assert_eq!(read("{{output ch19_executor 2-5}}"), Some(output));
        let figure = Mark::Figure("a".to_string(), Look::InSteps);
        assert_eq!(read("{{figure a}}"), Some(figure));
    }

    #[test]
    fn what_is_no_mark_is_text_and_an_unknown_mark_is_refused() {
        assert!(Mark::parse("a {{figure b}}").is_none());
        for wrong in [
            "{{figure}}",
            "{{video a}}",
            "{{output a 5-2}}",
            "{{ask me}}",
            "{{lines 99}}",
        ] {
            assert!(matches!(Mark::parse(wrong), Some(Err(_))), "{wrong}");
        }
    }

    #[test]
    fn a_span_stays_within_what_there_is() {
        assert_eq!(Span { from: 2, to: 3 }.of(&[1, 2, 3]), Ok(&[2, 3][..]));
        assert!(Span { from: 2, to: 4 }.of(&[1, 2, 3]).is_err());
    }
}
