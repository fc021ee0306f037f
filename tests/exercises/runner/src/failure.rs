//! The first case that does not hold, and how it fails.

/// The first case that does not hold.
#[derive(Debug, Default)]
pub struct Failure {
    /// Its name; empty, if the program ended before the first one.
    pub case: String,
    /// What happened to the program.
    pub how: How,
    /// The reason, in lines.
    pub why: Vec<String>,
    /// The place, `FILE:LINE`, if it is in the learner's file.
    pub at: Option<String>,
    /// What happened in the case.
    pub story: Vec<String>,
    /// The last lines that the solution itself has printed in this case.
    pub printed: Vec<String>,
}

/// How a case fails.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// A case, or the learner's code, panics.
    #[default]
    Panicked,
    /// A `todo!()` is reached.
    Todo,
    /// The case does not end.
    Hung,
    /// The process died.
    Aborted,
    /// Calls are nested without end.
    Overflowed,
    /// It wants more memory than it may have.
    OutOfMemory,
    /// The program ended by itself before its last case.
    Left,
    /// It prints without end.
    Flooded,
}
