//! Broken on purpose: each source of items has a budget, and the turn has none.
//!
//! `cargo run -p stage3-async --example ch29_broken_socket_budget`

use stage3_async::{Either, Executor, race};
use std::cell::Cell;
use std::error::Error;
use std::future::{Future, poll_fn};
use std::ops::Range;
use std::pin::pin;
use std::task::Poll;

const BUDGET: u32 = 16;

// Broken: a task that goes on to the next feed finds a full budget there.
// ANCHOR: feed
/// Items that have all arrived, and how many of them may be taken in one turn.
struct Feed {
    items: Range<u32>,
    left: u32,
}

impl Feed {
    /// Ready at once, as long as the feed's budget lasts. Otherwise it ends the turn.
    async fn next(&mut self) -> Option<u32> {
        poll_fn(|cx| {
            if self.left == 0 {
                self.left = BUDGET;
                cx.waker().wake_by_ref(); // it goes on in its next turn
                return Poll::Pending;
            }
            self.left -= 1;
            Poll::Ready(self.items.next())
        })
        .await
    }
}
// ANCHOR_END: feed

// ANCHOR: drain
/// Takes all items of one feed after the other. Each means a millisecond of work.
async fn drain(feeds: u32, items: u32, clock: &Cell<u64>) {
    for _ in 0..feeds {
        let mut feed = Feed { items: 0..items, left: BUDGET };
        while feed.next().await.is_some() {
            clock.set(clock.get() + 1);
        }
    }
}
// ANCHOR_END: drain

/// Waits until the clock, which only counts, shows this time. (It keeps no waker: here
/// the other half of a race always wakes the task.)
async fn sleep_until(end: u64, clock: &Cell<u64>) {
    let is_over = || if clock.get() < end { Poll::Pending } else { Poll::Ready(()) };
    poll_fn(|_| is_over()).await;
}

// ANCHOR: run
fn run(feeds: u32, items: u32) -> Result<(), Box<dyn Error>> {
    let (executor, clock, mut polls) = (Executor::new()?, Cell::new(0), 0);
    println!("feeds: {feeds}, with {items} items each");
    let mut work = pin!(race(drain(feeds, items, &clock), sleep_until(50, &clock)));
    let counted = poll_fn(|cx| {
        polls += 1;
        work.as_mut().poll(cx)
    });
    match executor.block_on(counted)? {
        Either::First(()) => {
            println!("  all items are taken, after {} ms", clock.get())
        }
        Either::Second(()) => println!("  the time is over, after {} ms", clock.get()),
    }
    println!("  turns of this task: {polls}");
    Ok(())
}
// ANCHOR_END: run

fn main() -> Result<(), Box<dyn Error>> {
    run(1, 1000)?;
    run(100, 10)
}
