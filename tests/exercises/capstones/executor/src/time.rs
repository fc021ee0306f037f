//! Sleep, race, time-outs. Chapters 20 and 21.

use crate::Reactor;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

/// A future that is ready from a time on. Dropping it clears its timer.
pub struct Sleep {
    // When, the reactor, and which timer it has set.
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        todo!("ready from its time on; until then a timer has the latest waker")
    }
}

/// Which of two futures was ready first.
#[derive(Debug)]
pub enum Either<A, B> {
    /// The first one.
    First(A),
    /// The second one.
    Second(B),
}

/// The time of a time-out was over first.
#[derive(Debug)]
pub struct Elapsed;

/// Awaits the first of two futures, and drops the other one. If both are ready, `a` wins.
pub async fn race<A: Future, B: Future>(a: A, b: B) -> Either<A::Output, B::Output> {
    todo!("pin both, and poll one after the other")
}

/// Awaits a future for so long.
///
/// # Errors
/// The time was over first.
pub async fn timeout<F: Future>(
    time: Duration,
    future: F,
    reactor: &Reactor,
) -> Result<F::Output, Elapsed> {
    todo!("a race with a sleep")
}
