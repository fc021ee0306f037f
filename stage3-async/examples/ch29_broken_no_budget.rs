//! Broken on purpose: nothing blocks, and yet a time-out never fires.
//!
//! `cargo run -p stage3-async --example ch29_broken_no_budget`

use stage3_async::{Either, Executor, race, yield_now};
use std::cell::Cell;
use std::error::Error;
use std::future::{Future, poll_fn};
use std::ops::Range;
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

// ANCHOR: drain
/// Items that have all arrived, as on a socket with a fast peer.
struct Feed(Range<u32>);

impl Feed {
    /// A leaf. It never has to wait.
    async fn next(&mut self) -> Option<u32> {
        poll_fn(|_| Poll::Ready(self.0.next())).await
    }
}

/// Takes all items. Each means a millisecond of work.
async fn drain(mut feed: Feed, clock: &Cell<u64>) {
    while feed.next().await.is_some() {
        clock.set(clock.get() + 1);
    }
}
// ANCHOR_END: drain

// ANCHOR: sleep
/// Waits until the clock, which only counts, shows this time. (It keeps no waker: here
/// the other half of a race always wakes the task.)
async fn sleep_until(end: u64, clock: &Cell<u64>) {
    let is_over = || if clock.get() < end { Poll::Pending } else { Poll::Ready(()) };
    poll_fn(|_| is_over()).await;
}
// ANCHOR_END: sleep

// ANCHOR: tick
/// Another task, which is always ready, too, but ends each of its turns.
async fn tick(ticks: Rc<Cell<u32>>) {
    loop {
        ticks.set(ticks.get() + 1);
        yield_now().await;
    }
}
// ANCHOR_END: tick

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let (executor, clock) = (Executor::new()?, Cell::new(0));
    let (ticks, mut polls, mut before) = (Rc::new(Cell::new(0)), 0, 0);
    drop(executor.spawn(tick(Rc::clone(&ticks))));
    println!("1,000 items of 1 ms each, and a time-out of 50 ms");
    let mut work = pin!(race(drain(Feed(0..1000), &clock), sleep_until(50, &clock)));
    let counted = poll_fn(|cx| {
        before = if polls == 0 { ticks.get() } else { before };
        polls += 1;
        work.as_mut().poll(cx)
    });
    match executor.block_on(counted)? {
        Either::First(()) => {
            println!("  all items are taken, after {} ms", clock.get())
        }
        Either::Second(()) => println!("  the time is over, after {} ms", clock.get()),
    }
    let others = ticks.get() - before;
    println!("  turns of this task: {polls}, of the other one meanwhile: {others}");
    Ok(())
}
// ANCHOR_END: main
