//! A read that can be stopped: to cancel is to ask, and the completion says what happened.

use checks::cancel_request::{End, Operation, Stop, Stoppable};
use std::pin::Pin;
use std::task::{Context, Poll};

struct Mine {
    operation: Operation,
    /// `None` once it was ready and the kernel was asked.
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

    // hole 2
    //| fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<End> {
    //|     todo!("wait for the operation; when the stop is ready, ask for a cancellation")
    //| }
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<End> {
        let poll = Pin::new(&mut self.operation).poll(cx);
        self.has_ended = poll.is_ready();
        if poll.is_pending()
            && let Some(stop) = &mut self.stop
            && Pin::new(stop).poll(cx).is_ready()
        {
            // hole 1
            //| todo!("ask for a cancellation, once")
            self.stop = None;
            self.operation.request_cancel();
            // end hole
        }
        poll
    }
    // end hole
}

// hole 2
//| // Yours: a read that is dropped in flight is cancelled, too.
impl Drop for Mine {
    fn drop(&mut self) {
        // hole 1
        //| // Yours: a read in flight is cancelled, unless the kernel was asked already.
        if !self.has_ended && self.stop.is_some() {
            self.operation.request_cancel();
        }
        // end hole
    }
}
// end hole
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::cancel_request::check::<Mine>()
}
