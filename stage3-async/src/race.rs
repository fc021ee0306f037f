//! Two futures of which the first wins, and the loser is dropped: so time-outs are
//! made.

use crate::reactor::Reactor;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};

/// Which of two it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Either<A, B> {
    /// The first.
    First(A),
    /// The second.
    Second(B),
}

/// What a clock cannot add is as good as this.
const NEVER: Duration = Duration::from_secs(60 * 60 * 24 * 365);

/// The time was over before the future was ready. The future is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the time is over")]
pub struct Elapsed;

/// The output of whichever is ready first; of the first, if both are. The other one is
/// dropped where it stands.
pub async fn race<A: Future, B: Future>(a: A, b: B) -> Either<A::Output, B::Output> {
    let (mut a, mut b) = (pin!(a), pin!(b));
    poll_fn(|cx| {
        if let Poll::Ready(output) = a.as_mut().poll(cx) {
            return Poll::Ready(Either::First(output));
        }
        b.as_mut().poll(cx).map(Either::Second)
    })
    .await
}

/// The output of `future`, if it is ready within this time.
///
/// # Errors
/// The time was over first.
pub async fn timeout<F: Future>(
    time: Duration,
    future: F,
    reactor: &Reactor,
) -> Result<F::Output, Elapsed> {
    // An answer that is there when the time is over is an answer: so it is asked first.
    let now = Instant::now();
    let when = now.checked_add(time).unwrap_or(now + NEVER);
    match race(future, reactor.sleep_until(when)).await {
        Either::First(output) => Ok(output),
        Either::Second(()) => Err(Elapsed),
    }
}
