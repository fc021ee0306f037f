//! What is wrong, where, and what to do.

use std::fmt::{self, Display, Formatter};

/// Something wrong in the book, shown as `file:line: what is wrong, what to do`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file, as a person would write its path.
    pub file: String,
    /// The line in it, from 1; 0 for the whole file.
    pub line: usize,
    /// What is wrong, and what to do.
    pub text: String,
    /// Something to look at, which does not fail the check.
    pub is_warning: bool,
}

impl Problem {
    /// A problem that fails the check.
    pub fn new(
        file: impl Into<String>,
        line: usize,
        text: impl Into<String>,
    ) -> Problem {
        Problem { file: file.into(), line, text: text.into(), is_warning: false }
    }
}

impl Display for Problem {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let kind = if self.is_warning { "warning: " } else { "" };
        match self.line {
            0 => write!(out, "{}: {kind}{}", self.file, self.text),
            line => write!(out, "{}:{line}: {kind}{}", self.file, self.text),
        }
    }
}
