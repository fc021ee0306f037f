//! Stage 2's coroutines and futures. The loop that runs them is in `event_loop.rs`.

pub use super::event_loop::{Join, Loop, TaskId, TimerId};

/// Why a fetch has failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FetchError {
    /// The server refuses the connection.
    Refused,
    /// The connection is lost.
    Reset,
    /// It was not done in so much time.
    TimedOut(u64),
}

/// What a coroutine returns: its value, or the error that it ended with.
pub type Result<T> = std::result::Result<T, FetchError>;

/// How a coroutine is resumed.
#[derive(Debug, PartialEq, Eq)]
pub enum Resume {
    /// It continues after its `yield`.
    Send,
    /// The wait at which it is parked fails with this error.
    Throw(FetchError),
}

/// What a coroutine does when it stops running.
#[derive(Debug, PartialEq, Eq)]
pub enum Step<T> {
    /// It waits for this future.
    Yield(Future),
    /// It has come to its end.
    Return(T),
}

/// A function that can pause.
pub trait Coroutine {
    /// What it returns at its end.
    type Return;

    /// Runs the coroutine to its next `yield`, or to its end; after its end it is not
    /// resumed again.
    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return>;
}

/// A closure is a coroutine, too.
impl<T, F: FnMut(&mut Loop, Resume) -> Step<T>> Coroutine for F {
    type Return = T;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<T> {
        self(event_loop, resume)
    }
}

/// Runs a coroutine inside another one: what the inner one yields, the outer one
/// yields; what the inner one returns is the value of the expression.
#[macro_export]
macro_rules! yield_from {
    ($coroutine:expr, $event_loop:expr, $resume:expr) => {
        match $coroutine.resume($event_loop, $resume) {
            $crate::toy::coroutines::Step::Yield(future) => {
                return $crate::toy::coroutines::Step::Yield(future);
            }
            $crate::toy::coroutines::Step::Return(value) => value,
        }
    };
}

/// An event that has not happened yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Future(pub(super) usize);

/// A future that is resolved already.
pub const RESOLVED: Future = Future(0);

/// A future is a coroutine, too: it returns when it is resolved.
impl Coroutine for Future {
    type Return = Result<()>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<()>> {
        match resume {
            Resume::Throw(error) => Step::Return(Err(error)),
            Resume::Send if event_loop.is_pending(*self) => Step::Yield(*self),
            Resume::Send => Step::Return(Ok(())),
        }
    }
}
