//! A coroutine: a function that can pause, and that somebody resumes.

use crate::{Future, Futures};
use shared::FetchError;

/// What a coroutine of ours returns: what it was to find out, or why it could not.
pub type Result<T> = std::result::Result<T, FetchError>;

/// How a coroutine is resumed.
#[derive(Debug, PartialEq, Eq)]
pub enum Resume {
    /// It runs on. (`gen.send(None)`)
    Send,
    /// The wait at which it stands fails with this error. (`gen.throw(error)`)
    Throw(FetchError),
}

/// What a coroutine does when it stops running.
#[derive(Debug, PartialEq, Eq)]
pub enum Step<T> {
    /// It waits for this future. (`yield future`)
    Yield(Future),
    /// It has come to its end. (`return value`, which Python raises as StopIteration)
    Return(T),
}

/// A function that can pause. Its frame is a value: an enum with a variant for each
/// `yield`, which holds the local variables that are alive there. (Where there is one
/// `yield` alone, a struct does.)
pub trait Coroutine {
    /// What it returns at its end.
    type Return;

    /// Runs it to its next `yield`, or to its end; after that it is not resumed again.
    /// What it waits for need not have come: it looks, and waits once more. Whether it
    /// runs on, or an error is thrown into it, says `how`.
    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Self::Return>;
}

/// A closure keeps its frame in what it has captured.
impl<T, F: FnMut(&mut Futures, Resume) -> Step<T>> Coroutine for F {
    type Return = T;

    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<T> {
        self(futures, how)
    }
}

/// Runs a coroutine inside of another, as if its code stood here: what it yields, we
/// yield; what is thrown at us, is thrown at it; what it returns is the value.
#[macro_export]
macro_rules! yield_from {
    ($coroutine:expr, $futures:expr, $how:expr) => {
        match $coroutine.resume($futures, $how) {
            $crate::Step::Yield(future) => return $crate::Step::Yield(future),
            $crate::Step::Return(value) => value,
        }
    };
}
