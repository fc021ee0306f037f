//! A read that can be stopped: to cancel is to ask, and the completion says what happened.

use checks::cancel_request::{End, Operation, Stop, Stoppable};
use std::pin::Pin;
use std::task::{Context, Poll};

struct Mine {
    operation: Operation,
    /// `None`: it was ready, and the kernel was asked.
    stop: Option<Stop>,
    has_ended: bool,
}

// ANCHOR: solution
impl Stoppable for Mine {
    fn new(operation: Operation, stop: Stop) -> Mine {
        Mine { operation, stop: Some(stop), has_ended: false }
    }
}

impl Future for Mine {
    type Output = End;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<End> {
        let poll = Pin::new(&mut self.operation).poll(cx);
        self.has_ended = poll.is_ready();
        if poll.is_pending()
            && let Some(stop) = &mut self.stop
            && Pin::new(stop).poll(cx).is_ready()
        {
            self.stop = None;
            self.operation.request_cancel();
        }
        poll
    }
}

impl Drop for Mine {
    fn drop(&mut self) {
        if !self.has_ended && self.stop.is_some() {
            self.operation.request_cancel();
        }
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::cancel_request::check::<Mine>()
}
