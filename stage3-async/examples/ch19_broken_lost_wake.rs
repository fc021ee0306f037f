//! Broken on purpose: a wake during the poll is lost, and the task sleeps on.
//!
//! `cargo run -p stage3-async --example ch19_broken_lost_wake`

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

// ANCHOR: flag
/// The waker of a single task: the flag says that the task has to be polled again.
/// Two wakes before a poll lead to one poll.
struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}
// ANCHOR_END: flag

// ANCHOR: run
/// Polls the task as long as its flag is up.
fn run(mut task: Pin<&mut impl Future<Output = ()>>, is_fixed: bool) {
    let flag = Arc::new(Flag(AtomicBool::new(true)));
    let waker = Waker::from(Arc::clone(&flag));
    while flag.0.load(Ordering::SeqCst) {
        if is_fixed {
            flag.0.store(false, Ordering::SeqCst); // lower the flag, then poll
        }
        let poll = task.as_mut().poll(&mut Context::from_waker(&waker));
        if poll.is_ready() {
            return println!("  the task is ready");
        }
        if !is_fixed {
            flag.0.store(false, Ordering::SeqCst); // poll, then lower the flag
        }
    }
    println!("  stuck: the task waits, and its flag is down");
}
// ANCHOR_END: run

// ANCHOR: yield_now
/// Lets other tasks run: wakes its own task, and is pending once.
async fn yield_now() {
    let is_second = Cell::new(false);
    poll_fn(|cx| {
        if is_second.replace(true) {
            return Poll::Ready(());
        }
        println!("  the task is woken while it is polled");
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
// ANCHOR_END: yield_now

// ANCHOR: main
fn main() {
    println!("broken:");
    run(pin!(yield_now()), false);
    println!("fixed:");
    run(pin!(yield_now()), true);
}
// ANCHOR_END: main
