//! `mistakes.txt`: what the check says about each recorded mistake. The book prints it, and
//! `cargo exercise prove` keeps it up to date.
//!
//! ```text
//! == the waker is forgotten
//! case: a task that waits is woken and finds the number
//! wakes of the task: `Pending` promises that its waker is kept, and called
//!   found: 0
//!   right: 1
//! ```

use crate::failure::{Failure, How};

/// The name of the file.
pub const FILE: &str = "mistakes.txt";

/// The most characters of a line that are kept, unless its first sentence is longer.
const LONGEST: usize = 120;

/// Begins the line with a value that the solution has returned.
pub const FOUND: &str = "  found: ";

/// Begins the line with what it should have returned.
pub const RIGHT: &str = "  right: ";

/// A mistake, and the end of its program.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// What is done differently, as in `wrong.txt`.
    pub name: String,
    /// The case that rejects it.
    pub case: String,
    /// What the check says, in lines: the same on each machine.
    pub says: Vec<String>,
}

impl Mistake {
    /// Returns what came of a wrong solution. Seconds and the names of signals are left out,
    /// because they differ between machines.
    pub fn new(name: &str, failure: &Failure) -> Mistake {
        let says = match failure.how {
            How::Hung if failure.why.is_empty() => {
                "It hangs: the case is not done in time."
            }
            How::Hung => "A thread panicked, and others wait for it for ever.",
            How::Overflowed | How::OutOfMemory | How::Aborted => {
                "The program is aborted."
            }
            How::Panicked | How::Todo | How::Left | How::Flooded => "",
        };
        let says = match says {
            "" => failure.why.iter().map(|line| shortened(line)).collect(),
            text => vec![text.to_string()],
        };
        Mistake { name: name.into(), case: failure.case.clone(), says }
    }

    /// Returns whether the check says the same, but for the values that were found: those of
    /// a program that goes through a hash table differ from run to run.
    pub fn is_like(&self, other: &Mistake) -> bool {
        let fixed = |it: &Mistake| -> Vec<String> {
            it.says.iter().filter(|line| !line.starts_with(FOUND)).cloned().collect()
        };
        (&self.name, &self.case) == (&other.name, &other.case)
            && fixed(self) == fixed(other)
    }
}

fn is_value(line: &str) -> bool {
    line.starts_with(FOUND) || line.starts_with(RIGHT)
}

/// Returns as many whole sentences of a line as fit, and at least one. A value is cut
/// anywhere, and then ends with `…`.
fn shortened(line: &str) -> String {
    if is_value(line) {
        let short: String = line.chars().take(LONGEST).collect();
        return if short.len() < line.len() { short + "…" } else { short };
    }
    let end_of_sentence = |at: &usize| {
        let (before, after) = line.split_at(*at);
        let next = after.strip_prefix(' ').and_then(|it| it.chars().next());
        before.ends_with(['.', '!', '?', ')'])
            && next.is_some_and(|it| !it.is_lowercase())
    };
    let spaces = line.match_indices(' ').map(|it| it.0);
    let mut ends = spaces.filter(end_of_sentence).chain([line.len()]);
    let fits = |at: &usize| line[..*at].chars().count() <= LONGEST;
    let first = ends.next().expect("the line has an end");
    line[..ends.take_while(fits).last().unwrap_or(first)].to_string()
}

/// Returns the text of the file.
pub fn written(mistakes: &[Mistake]) -> String {
    let one = |it: &Mistake| {
        let says: String = it.says.iter().map(|line| format!("{line}\n")).collect();
        format!("== {}\ncase: {}\n{says}", it.name, it.case)
    };
    mistakes.iter().map(one).collect()
}

/// Reads the file.
pub fn parse(text: &str) -> Result<Vec<Mistake>, String> {
    let mut all: Vec<Mistake> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = |what: &str| format!("{FILE}:{number}: {what}: {line}");
        if let Some(name) = line.strip_prefix("== ") {
            all.push(Mistake { name: name.into(), ..Mistake::default() });
            continue;
        }
        let last = all.last_mut().ok_or_else(|| wrong("before the first `== `"))?;
        match line.strip_prefix("case: ") {
            Some(case) if last.case.is_empty() => last.case = case.into(),
            _ if last.case.is_empty() => return Err(wrong("not a case")),
            _ if line.ends_with('…') && !is_value(line) => {
                return Err(wrong("a sentence that is cut off"));
            }
            _ => last.says.push(line.into()),
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_after_a_whole_sentence() {
        let long = "Word ".repeat(30).trim_end().to_string() + ".";
        assert_eq!(shortened(&format!("One. Two? {long}")), "One. Two?");
        assert_eq!(shortened(&format!("{long} Two.")), long);
        assert_eq!(shortened(&long), long);
        assert_eq!(shortened(&format!("(One.) {long}")), "(One.)");
        let no_sentence = "a, e.g. b ".repeat(20).trim_end().to_string();
        assert_eq!(shortened(&no_sentence), no_sentence);
        let value = format!("{FOUND}{}", "x".repeat(LONGEST));
        assert_eq!(shortened(&value).chars().last(), Some('…'));
    }
}
