//! What a budget costs, and a way out: a future that is polled without one.
//!
//! `cargo run -p stage3-async --example ch29_unconstrained`

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

thread_local! {
    /// What is left for the turn that runs on this thread. `None` means no limit.
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Takes an item, which is always there. Ends the turn if the budget is used up.
async fn next(taken: &Cell<u32>) {
    let mut is_drawn = false;
    poll_fn(|cx| {
        let left = LEFT.get();
        if !is_drawn && left == Some(0) {
            is_drawn = true;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        if !is_drawn {
            LEFT.set(left.map(|left| left - 1));
        }
        taken.set(taken.get() + 1);
        Poll::Ready(())
    })
    .await;
}

async fn thousand(taken: &Cell<u32>) {
    for _ in 0..1000 {
        next(taken).await;
    }
}

// ANCHOR: unconstrained
/// Puts the surrounding budget back when it is dropped, even by a panic.
struct Restore(Option<u32>);

impl Drop for Restore {
    fn drop(&mut self) {
        LEFT.set(self.0);
    }
}

/// The same future, without a limit for its own leaves.
async fn unconstrained<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    poll_fn(|cx| {
        let _restore = Restore(LEFT.replace(None));
        future.as_mut().poll(cx)
    })
    .await
}
// ANCHOR_END: unconstrained

// ANCHOR: measure
/// Polls a task with this budget. Prints its turns, and the items of the longest one,
/// for which every other task has to wait.
fn measure(name: &str, budget: Option<u32>, taken: &Cell<u32>, task: impl Future) {
    let mut task: Pin<&mut _> = pin!(task);
    taken.set(0);
    let (mut turns, mut longest, mut before) = (0, 0, 0);
    loop {
        LEFT.set(budget);
        let poll = task.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        turns += 1;
        longest = longest.max(taken.get() - before);
        before = taken.get();
        if poll.is_ready() {
            return println!("{name:>13} {turns:>6} {longest:>6}");
        }
    }
}
// ANCHOR_END: measure

fn main() {
    let taken = Cell::new(0);
    println!("{:>13} {:>6} {:>6}", "budget", "turns", "longest");
    for budget in [1, 16, 128] {
        measure(&budget.to_string(), Some(budget), &taken, thousand(&taken));
    }
    measure("unconstrained", Some(16), &taken, unconstrained(thousand(&taken)));
    measure("half of it", Some(16), &taken, async {
        unconstrained(async {
            for _ in 0..500 {
                next(&taken).await;
            }
        })
        .await;
        for _ in 0..500 {
            next(&taken).await;
        }
    });
}
