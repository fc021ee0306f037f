//! The smallest executor that waits: poll, sleep until the waker is called, poll again.
//!
// hole 2
//| //! This `thread` works like std's, but the check can pause its threads anywhere.
//! `thread` works like std's, but the check can stop a thread anywhere.
// end hole

use checks::block_on::thread::{self, Thread};
use checks::block_on::{BlockOn, Boxed};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

// ANCHOR: solution
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        // hole 1
        //| todo!("end the sleep of the thread")
        self.0.unpark();
        // end hole
    }
}

struct Mine;

impl BlockOn for Mine {
    fn block_on(mut future: Boxed) -> u32 {
        let waker = Waker::from(Arc::new(Unpark(thread::current())));
        let mut context = Context::from_waker(&waker);
        // hole 2
        //| let _poll: Poll<u32> = future.as_mut().poll(&mut context);
        //| todo!("poll until the future is ready, and sleep in between")
        loop {
            if let Poll::Ready(number) = future.as_mut().poll(&mut context) {
                return number;
            }
            // hole 1
            //| todo!("what does this thread do until it is woken?")
            thread::park();
            // end hole
        }
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::block_on::check::<Mine>()
}
