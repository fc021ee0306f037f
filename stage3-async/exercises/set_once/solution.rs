//! A result that another thread brings.
//!
//! `Mutex` works like std's, but the check can stop a thread at each use.

use checks::set_once::{Mutex, SetOnce};
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct Inside {
    result: Option<u32>,
    /// The waker of the task that polled last, or `None` if no task waits.
    waiter: Option<Waker>,
}

struct Mine(Mutex<Inside>);

// ANCHOR: solution
impl SetOnce for Mine {
    fn new() -> Mine {
        Mine(Mutex::new(Inside::default()))
    }

    fn set(&self, number: u32) {
        // hole 2
        //| todo!("store {number}, and wake the task that waits")
        let mut inside = self.0.lock().unwrap();
        inside.result = Some(number);
        // hole 1
        //| todo!("wake the task that waits; what must end before that?")
        let waiter = inside.waiter.take();
        drop(inside); // first unlocked, then woken
        waiter.into_iter().for_each(Waker::wake);
        // end hole
        // end hole
    }

    fn poll(&self, cx: &mut Context<'_>) -> Poll<u32> {
        // hole 2
        //| todo!("take the result if it is there; otherwise leave the waker")
        let mut inside = self.0.lock().unwrap();
        if let Some(number) = inside.result.take() {
            return Poll::Ready(number);
        }
        // hole 1
        //| todo!("keep the waker of the task that polls")
        inside.waiter = Some(cx.waker().clone());
        Poll::Pending
        // end hole
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::set_once::check::<Mine>()
}
