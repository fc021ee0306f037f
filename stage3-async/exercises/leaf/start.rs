//! A number that is delivered later, and a leaf future that waits for it.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/leaf.rs`.

use checks::leaf::Delivery;
use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// What the leaf shares with the side that delivers.
#[derive(Default)]
struct Slot {
    number: Option<u32>,
    /// The waker of the task that polled last. `None`: no task waits.
    waiter: Option<Waker>,
}

#[derive(Clone)]
struct Mine(Rc<RefCell<Slot>>);

struct Wait(Rc<RefCell<Slot>>);

impl Delivery for Mine {
    type Wait = Wait;

    fn new() -> Mine {
        Mine(Rc::default())
    }

    fn wait(&self) -> Wait {
        Wait(Rc::clone(&self.0))
    }

    // ANCHOR: task
    fn deliver(&self, number: u32) {
        todo!("store the number {number}, and call the waker of the task that waits")
    }
}

impl Future for Wait {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        todo!("take the number if it is there; otherwise keep the waker")
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        // Yours: a task that no longer waits must not be woken.
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::leaf::check::<Mine>()
}
