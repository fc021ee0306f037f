//! A coroutine: a function that can pause, and that is resumed from outside.
//!
//! It pauses at a `yield`, and is *parked* there until the [`Loop`] resumes it. A
//! [`Future`] is not std's here: it is one event that a coroutine can wait for.

use crate::{Future, Loop};
use shared::FetchError;

/// The result of a coroutine.
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
    /// It has returned. (`return value`, which Python raises as StopIteration)
    Return(T),
}

/// A function that can pause. Its frame is a value: an enum with a variant for each
/// `yield`, which holds the local variables that are alive there. (A struct is enough
/// for a coroutine in which the same variables are alive at every `yield`.)
///
/// ```
/// use shared::{FetchError, Stop, Trace};
/// use stage2_generators::{Coroutine, Loop, RESOLVED, Result, Resume, Step};
///
/// /// Lets the other tasks run twice, then returns.
/// enum Twice { Start, First, Second }
///
/// impl Coroutine for Twice {
///     type Return = Result<&'static str>;
///
///     fn resume(&mut self, _: &mut Loop, resume: Resume) -> Step<Self::Return> {
///         if let Resume::Throw(error) = resume {
///             return Step::Return(Err(error));
///         }
///         *self = match self {
///             Twice::Start => Twice::First,
///             Twice::First => Twice::Second,
///             Twice::Second => return Step::Return(Ok("done")),
///         };
///         Step::Yield(RESOLVED)
///     }
/// }
///
/// let mut event_loop = Loop::new(&Stop::new(), Trace::off())?;
/// let task = event_loop.spawn(Twice::Start);
/// assert_eq!(event_loop.run_until_complete(task)?, Ok("done"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Coroutine {
    /// What it returns at its end.
    type Return;

    /// Runs the coroutine to its next `yield`, or to its end. After its end it must not
    /// be resumed.
    ///
    /// It may be resumed too early, if it runs inside a coroutine that has two children
    /// and waits for only one: then it finds its future unresolved and yields again.
    ///
    /// Pass a `Throw` on to the child, which then gives up its wait. If a coroutine is
    /// dropped while it waits for a socket, the wait stays in the loop's tables, and
    /// the loop never counts as stuck.
    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return>;
}

/// A closure is a coroutine, too. Its frame is what it has captured.
impl<T, F: FnMut(&mut Loop, Resume) -> Step<T>> Coroutine for F {
    type Return = T;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<T> {
        self(event_loop, resume)
    }
}

/// Runs a coroutine inside another one, as if its code were here. What the inner
/// coroutine yields, the outer one yields. What is thrown into the outer one is thrown
/// into the inner one. What the inner one returns is the value of the expression.
#[macro_export]
macro_rules! yield_from {
    ($coroutine:expr, $event_loop:expr, $resume:expr) => {
        match $coroutine.resume($event_loop, $resume) {
            $crate::Step::Yield(future) => return $crate::Step::Yield(future),
            $crate::Step::Return(value) => value,
        }
    };
}
