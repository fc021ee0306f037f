//! A socket that remembers its events.

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

// ANCHOR: solution
impl Readiness for Mine {
    fn new() -> Mine {
        Mine::default()
    }

    fn record(&self) {
        // hole 2
        //| todo!("raise the flag, and wake the task that waits")
        self.is_ready.set(true);
        // hole 1
        //| todo!("wake the task that waits")
        let waiter = self.waiter.take();
        waiter.into_iter().for_each(Waker::wake);
        // end hole
        // end hole
    }

    fn attempt(
        &self,
        operation: &mut dyn FnMut() -> io::Result<usize>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        // hole 2
        //| todo!("call poll_ready, then try; which errors mean that you try again?")
        loop {
            ready!(self.poll_ready(cx));
            match operation() {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    // hole 1
                    //| todo!("the flag was wrong, or is used up")
                    self.is_ready.set(false);
                    // end hole
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                result => return Poll::Ready(result),
            }
        }
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::attempt::check::<Mine>()
}
