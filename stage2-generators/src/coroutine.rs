//! A coroutine: a function that can pause, and that is resumed from outside.

use crate::event_loop::Loop;
use crate::futures::Future;
use shared::FetchError;

/// What a coroutine of ours returns: its value, or the error that it ended with.
pub type Result<T, E = FetchError> = std::result::Result<T, E>;

/// How a coroutine is resumed.
#[derive(Debug, PartialEq, Eq)]
pub enum Resume {
    /// It continues after its `yield`. (`gen.send(None)`)
    Send,
    /// The wait at which it is parked fails with this error. (`gen.throw(error)`)
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
/// `yield`, which holds the local variables that are alive there. (A coroutine with a
/// single `yield` can be a struct.)
pub trait Coroutine {
    /// What it returns at its end.
    type Return;

    /// Runs the coroutine to its next `yield`, or to its end; after its end it is not
    /// resumed again. It may be resumed before its future is resolved: then it looks,
    /// and waits once more. `resume` is either "continue" or an error that is thrown in.
    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return>;
}

/// A closure is a coroutine, too. Its frame is what it has captured.
impl<T, F: FnMut(&mut Loop, Resume) -> Step<T>> Coroutine for F {
    type Return = T;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<T> {
        self(event_loop, resume)
    }
}

/// Runs a coroutine inside another one, as if its code were here: what the inner one
/// yields, the outer one yields; what is thrown into the outer one, is thrown into the
/// inner one; what the inner one returns is the value of the expression.
#[macro_export]
macro_rules! yield_from {
    ($coroutine:expr, $event_loop:expr, $resume:expr) => {
        match $coroutine.resume($event_loop, $resume) {
            $crate::Step::Yield(future) => return $crate::Step::Yield(future),
            $crate::Step::Return(value) => value,
        }
    };
}
