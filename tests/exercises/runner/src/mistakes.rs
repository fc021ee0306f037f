//! `mistakes.txt`: what the check says about each recorded mistake. The book prints it, and
//! `cargo exercise prove` keeps it up to date.
//!
//! ```text
//! == the waker is forgotten
//! case: a task that waits is woken and finds the number
//! `Pending` is a promise: a waker must be kept and called
//!   found: 0
//!   right: 1
//! ```

use crate::run::{Failure, How};

/// The name of the file.
pub const FILE: &str = "mistakes.txt";

/// The most characters of a line that are kept.
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

fn shortened(line: &str) -> String {
    let short: String = line.chars().take(LONGEST).collect();
    if short.len() < line.len() { short + "…" } else { short }
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
            _ => last.says.push(line.into()),
        }
    }
    Ok(all)
}
