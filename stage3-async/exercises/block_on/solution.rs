//! The smallest executor that waits: poll, sleep until the waker is called, poll again.
//!
//! `thread` is not std's: it works like it, and the check can stop a thread anywhere.

use checks::block_on::thread::{self, Thread};
use checks::block_on::{BlockOn, Boxed};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

// ANCHOR: solution
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

struct Mine;

impl BlockOn for Mine {
    fn block_on(mut future: Boxed) -> u32 {
        let waker = Waker::from(Arc::new(Unpark(thread::current())));
        let mut context = Context::from_waker(&waker);
        loop {
            if let Poll::Ready(number) = future.as_mut().poll(&mut context) {
                return number;
            }
            thread::park();
        }
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::block_on::check::<Mine>()
}
