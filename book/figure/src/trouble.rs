//! What a figure can lack.

/// What is wrong with a figure, and in which line.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub text: String,
}
