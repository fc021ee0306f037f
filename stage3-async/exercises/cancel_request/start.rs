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

// ANCHOR: task
impl Stoppable for Mine {
    fn new(operation: Operation, stop: Stop) -> Mine {
        Mine { operation, stop: Some(stop), has_ended: false }
    }
}

impl Future for Mine {
    type Output = End;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<End> {
        todo!("wait for the operation; when the stop is ready, ask for a cancellation")
    }
}

// Yours: a read that is dropped in flight is cancelled, too.
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::cancel_request::check::<Mine>()
}
