//! Time: a sleep, and a race between two futures, one of which may be a sleep.

use crate::machine::{budget::Draw, executor::Executor, reactor::Reactor};
use crate::observe::Leaf; // observe
use shared::TimerId;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker, ready};
use std::time::{Duration, Instant};

static SLEEP: Leaf = Leaf::timer("sleep"); // observe

// ANCHOR: sleep_until
/// The future of a sleep.
pub struct Sleep {
    reactor: Reactor,
    when: Instant,
    /// The timer that wakes the task. Set by a poll that has to wait, cleared when
    /// this is dropped.
    timer: Option<TimerId>,
    draw: Draw,
}

impl Reactor {
    /// Sleeps for this long. With a zero duration, the reactor usually looks once.
    pub fn sleep(&self, time: Duration) -> Sleep {
        self.sleep_until(after(time))
    }

    /// Sleeps until `when`. It is ready once the reactor has asked for events at that
    /// time, or later.
    pub fn sleep_until(&self, when: Instant) -> Sleep {
        Sleep { reactor: self.clone(), when, timer: None, draw: Draw::default() }
    }
}
// ANCHOR_END: sleep_until

/// Returns when this time is over. Times that overflow `Instant` are cut to a year.
pub(crate) fn after(time: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(60 * 60 * 24 * 365);
    let now = Instant::now();
    now.checked_add(time).unwrap_or(now + YEAR)
}

impl Future for Sleep {
    type Output = ();

    // ANCHOR: sleep
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        ready!(Pin::new(&mut self.draw).poll(cx));
        if self.when <= self.reactor.0.now.get() {
            SLEEP.passed(); // observe
            return Poll::Ready(());
        }
        // Keep the timer if it already wakes this task.
        if !self.would_wake(cx.waker()) {
            self.clear();
            let mut timers = self.reactor.0.timers.borrow_mut();
            let timer = timers.set(self.when, cx.waker().clone());
            drop(timers);
            self.timer = Some(timer);
        }
        SLEEP.parked(); // observe
        Poll::Pending
    }
    // ANCHOR_END: sleep
}

// ANCHOR: clear
impl Sleep {
    /// Returns whether a timer is set that wakes the same task as `waker`.
    fn would_wake(&self, waker: &Waker) -> bool {
        let timers = self.reactor.0.timers.borrow();
        let set = self.timer.and_then(|timer| timers.get(timer));
        set.is_some_and(|set| set.will_wake(waker))
    }

    fn clear(&mut self) {
        if let Some(timer) = self.timer.take() {
            let waker = self.reactor.0.timers.borrow_mut().clear(timer);
            drop(waker); // with nothing borrowed
        }
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        self.clear();
    }
}
// ANCHOR_END: clear

impl Executor {
    /// Like [`block_on`](Self::block_on), but never reports [`Stuck`](crate::Stuck).
    /// For futures that other code wakes, such as a channel's sender on another
    /// thread or the reactor of another crate.
    #[track_caller]
    pub fn run_until<F: Future>(&self, future: F) -> F::Output {
        let _work = self.reactor().work_guard();
        self.block_on(future).expect("an executor with a work guard is never stuck")
    }
}

/// Which of two futures was ready, and its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Either<A, B> {
    /// The first future was ready.
    First(A),
    /// The second future was ready.
    Second(B),
}

/// The future was not ready in time, and was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the time is over")]
pub struct Elapsed;

/// Returns the output of the future that is ready first; if both are ready, of `a`.
/// The other future is dropped where it is suspended.
///
/// ```
/// use stage3_async::{Either, Executor, race};
/// use std::time::Duration;
///
/// let executor = Executor::new()?;
/// let sleep = |seconds| executor.reactor().sleep(Duration::from_secs(seconds));
/// let first = executor.block_on(race(sleep(60), sleep(0)))?;
/// assert_eq!(first, Either::Second(())); // the longer sleep has been dropped
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// ANCHOR: race
pub async fn race<A: Future, B: Future>(a: A, b: B) -> Either<A::Output, B::Output> {
    let (mut a, mut b) = (pin!(a), pin!(b));
    poll_fn(|cx| match a.as_mut().poll(cx) {
        Poll::Ready(output) => Poll::Ready(Either::First(output)),
        Poll::Pending => b.as_mut().poll(cx).map(Either::Second),
    })
    .await
}
// ANCHOR_END: race

/// Returns the output of `future`, if it is ready within this time.
///
/// # Errors
/// The future was not ready in time. It was dropped.
///
/// ```
/// use stage3_async::{Elapsed, Executor, timeout};
/// use std::{future::pending, time::Duration};
///
/// let executor = Executor::new()?;
/// let never = pending::<()>();
/// let late = timeout(Duration::from_millis(1), never, executor.reactor());
/// assert_eq!(executor.block_on(late)?, Err(Elapsed));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// ANCHOR: timeout
pub async fn timeout<F: Future>(
    time: Duration,
    future: F,
    reactor: &Reactor,
) -> Result<F::Output, Elapsed> {
    // Pinned here and passed by reference: `race` would store what is moved into it
    // twice.
    let (future, sleep) = (pin!(future), pin!(reactor.sleep(time)));
    // The future is polled first, so a response that has arrived by the end of the
    // time counts.
    match race(future, sleep).await {
        Either::First(output) => Ok(output),
        Either::Second(()) => Err(Elapsed),
    }
}
// ANCHOR_END: timeout
