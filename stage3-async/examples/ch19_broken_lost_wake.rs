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
/// A waker for one task: it is to be polled once more. Twice woken is once polled, and
/// that is what such a flag is for.
struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}
// ANCHOR_END: flag

// ANCHOR: run
/// Polls a task as often as it is woken.
fn run(mut task: Pin<&mut impl Future<Output = ()>>, is_mended: bool) {
    let flag = Arc::new(Flag(AtomicBool::new(true)));
    let waker = Waker::from(Arc::clone(&flag));
    while flag.0.load(Ordering::SeqCst) {
        if is_mended {
            flag.0.store(false, Ordering::SeqCst); // taken down, and then polled
        }
        let poll = task.as_mut().poll(&mut Context::from_waker(&waker));
        if poll.is_ready() {
            return println!("  the task is ready");
        }
        if !is_mended {
            flag.0.store(false, Ordering::SeqCst); // polled, and then taken down
        }
    }
    println!("  stuck: the task waits, and its flag is down");
}
// ANCHOR_END: run

// ANCHOR: give_way
/// Lets the others run: it waits once, and has itself woken at once.
async fn give_way() {
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
// ANCHOR_END: give_way

// ANCHOR: main
fn main() {
    println!("broken:");
    run(pin!(give_way()), false);
    println!("mended:");
    run(pin!(give_way()), true);
}
// ANCHOR_END: main
