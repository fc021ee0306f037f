//! The budget of a poll: it interrupts a task that never has to wait, to let the
//! others run.
//!
//! A poll ends where a leaf is pending. If every leaf that a task awaits is ready at
//! once, the poll would never end, and no other task, timer or socket would have its
//! turn. So a leaf draws one unit of the budget when it is polled for the first time.
//! If no unit is left, the leaf is pending once, and wakes its own task.

use std::future::{Future, poll_fn};
use std::task::{Context, Poll};
use std::{cell::Cell, mem, pin::Pin};

static TURN: crate::observe::Leaf = crate::observe::Leaf::turn("yield_now"); // observe

/// How many leaves a poll may begin to await. Small enough to keep turns short (16
/// reads are at most 1 MiB), and large enough to make the cost of a turn negligible.
pub(super) const BUDGET: u32 = 16;

thread_local! {
    /// What is left for the current poll on this thread. `None` outside of a poll by
    /// this crate's executor (in a test, or in another runtime): then there is no
    /// limit.
    ///
    /// A thread-local, because a leaf gets nothing but a `Context`. Everything else
    /// is passed to constructors.
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Runs a poll with this budget. Afterwards the budget of the surrounding poll, if
/// there is one, is restored.
pub(super) fn limited<T>(budget: u32, poll: impl FnOnce() -> T) -> T {
    let _restore = RestoreBudget(LEFT.replace(Some(budget)));
    poll()
}

/// The budget of the surrounding poll, restored when this is dropped, even by a panic.
struct RestoreBudget(Option<u32>);

impl Drop for RestoreBudget {
    fn drop(&mut self) {
        LEFT.set(self.0);
    }
}

// ANCHOR: draw
/// One unit of the budget. A leaf that may be ready again and again awaits it first.
///
/// Without a unit, a leaf is pending once and then goes on. So a time-out is never
/// starved by a future beside it that uses up the whole budget in each poll.
#[derive(Default)]
pub(crate) struct Draw {
    is_drawn: bool,
}

impl Future for Draw {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if mem::replace(&mut self.is_drawn, true) {
            return Poll::Ready(());
        }
        let left = LEFT.get();
        if left == Some(0) {
            TURN.parked(); // observe
            cx.waker().wake_by_ref(); // the task is queued again, unless it is already
            return Poll::Pending;
        }
        LEFT.set(left.map(|left| left - 1));
        Poll::Ready(())
    }
}
// ANCHOR_END: draw

/// Ends this turn, so that other tasks can run.
pub async fn yield_now() {
    let mut draw = Draw::default();
    // The budget is empty, so this draw is pending.
    poll_fn(|cx| limited(0, || Pin::new(&mut draw).poll(cx))).await;
}
