//! Broken on purpose: a poll that blocks takes the token of its own wake.
//!
//! `cargo run -p stage3-async --example ch16_broken_token`
//!
//! It does not run in a page: it uses threads.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

// ANCHOR: poll
/// Is ready at its second poll. The first one asks for it, and then blocks in std.
fn two_polls() -> impl Future<Output = ()> {
    let mut polls = 0;
    poll_fn(move |cx| {
        polls += 1;
        println!("  poll {polls}");
        if polls == 2 {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        let (_sender, messages) = mpsc::channel::<u32>();
        let message = messages.recv_timeout(BRIEFLY);
        println!("  the waker was called; a message: {message:?}");
        Poll::Pending
    })
}
// ANCHOR_END: poll

/// As in `ch16_block_on`.
mod token {
    use super::*;

    struct Unpark(Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    pub(super) fn block_on<F: Future>(future: F) -> F::Output {
        let mut future = pin!(future);
        let waker = Waker::from(Arc::new(Unpark(thread::current())));
        let mut context = Context::from_waker(&waker);
        loop {
            if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
                return value;
            }
            thread::park();
        }
    }
}

// ANCHOR: flag
/// A waker that wakes a thread, and leaves word that it was called.
struct Unpark {
    thread: Thread,
    is_woken: AtomicBool,
}

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.is_woken.store(true, Ordering::Release);
        self.thread.unpark();
    }
}
// ANCHOR_END: flag

// ANCHOR: block_on
fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let unpark = Arc::new(Unpark {
        thread: thread::current(),
        is_woken: AtomicBool::new(false),
    });
    let waker = Waker::from(Arc::clone(&unpark));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        while !unpark.is_woken.swap(false, Ordering::Acquire) {
            thread::park();
        }
    }
}
// ANCHOR_END: block_on

/// How long the first poll waits for a message. None is ever sent.
const BRIEFLY: Duration = Duration::from_millis(200);
const PATIENCE: Duration = Duration::from_secs(1);

/// Runs this on a thread that may sleep forever, and says whether it does.
fn watch(run: impl FnOnce() + Send + 'static) {
    let (ended, has_ended) = mpsc::channel();
    thread::spawn(move || {
        run();
        let _ = ended.send(()); // too late: this has been reported
    });
    match has_ended.recv_timeout(PATIENCE) {
        Ok(()) => println!("  ready"),
        Err(_) => println!("  asleep: no second poll within {PATIENCE:?}"),
    }
}

fn main() {
    println!("the token alone:");
    watch(|| token::block_on(two_polls()));
    println!("a flag beside the token:");
    watch(|| block_on(two_polls()));
}
