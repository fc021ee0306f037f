//! A result that another thread brings.
//!
//! `Mutex` is not std's: it works like it, and the check can stop a thread at each use.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/set_once.rs`.

use checks::set_once::{Mutex, SetOnce};
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct Inside {
    result: Option<u32>,
    /// The waker of the task that polled last. `None`: no task waits.
    waiter: Option<Waker>,
}

struct Mine(Mutex<Inside>);

// ANCHOR: task
impl SetOnce for Mine {
    fn new() -> Mine {
        Mine(Mutex::new(Inside::default()))
    }

    fn set(&self, number: u32) {
        todo!("store {number}, and wake the task that waits")
    }

    fn poll(&self, cx: &mut Context<'_>) -> Poll<u32> {
        todo!("take the result if it is there; otherwise leave the waker")
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::set_once::check::<Mine>()
}
