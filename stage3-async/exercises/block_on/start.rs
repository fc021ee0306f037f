//! The smallest executor that waits: poll, sleep until the waker is called, poll again.
//!
//! This `thread` works like std's, but the check can pause its threads anywhere.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/block_on.rs`.

use checks::block_on::thread::{self, Thread};
use checks::block_on::{BlockOn, Boxed};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

// ANCHOR: task
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        todo!("end the sleep of the thread")
    }
}

struct Mine;

impl BlockOn for Mine {
    fn block_on(mut future: Boxed) -> u32 {
        let waker = Waker::from(Arc::new(Unpark(thread::current())));
        let mut context = Context::from_waker(&waker);
        let _poll: Poll<u32> = future.as_mut().poll(&mut context);
        todo!("poll until the future is ready, and sleep in between")
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::block_on::check::<Mine>()
}
