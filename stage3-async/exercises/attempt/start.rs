//! A socket that remembers its events.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/attempt.rs`.

use checks::attempt::Readiness;
use std::cell::{Cell, RefCell};
use std::io::{self, ErrorKind};
use std::task::{Context, Poll, Waker, ready};

#[derive(Default)]
struct Mine {
    /// Raised by an event, lowered by an attempt that would block.
    is_ready: Cell<bool>,
    /// The waker of the task that polled last.
    waiter: RefCell<Option<Waker>>,
}

impl Mine {
    /// Ready if an attempt may succeed. Otherwise the waker is kept.
    fn poll_ready(&self, cx: &mut Context<'_>) -> Poll<()> {
        if self.is_ready.get() {
            return Poll::Ready(());
        }
        self.waiter.replace(Some(cx.waker().clone()));
        Poll::Pending
    }
}

// ANCHOR: task
impl Readiness for Mine {
    fn new() -> Mine {
        Mine::default()
    }

    fn record(&self) {
        todo!("raise the flag, and wake the task that waits")
    }

    fn attempt(
        &self,
        operation: &mut dyn FnMut() -> io::Result<usize>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        todo!("call poll_ready, then try; which errors mean that you try again?")
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::attempt::check::<Mine>()
}
