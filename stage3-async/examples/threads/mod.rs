//! A machine with several threads: the parts that the steps of chapter 30 share.
#![allow(dead_code)] // no step needs all of them

pub(crate) mod net;
pub(crate) mod observe; // observe
pub(crate) mod one_queue;
pub(crate) mod queue;
pub(crate) mod state;
pub(crate) mod steal;
pub(crate) mod task;

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use task::ReadyQueue;

/// Unparks a thread that polls one future.
struct Unpark {
    thread: Thread,
    number: u64, // observe
}

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        observe::woken(self.number); // observe
        self.thread.unpark();
    }
}

/// Polls a future on this thread, and parks the thread while it waits. Its polls must not
/// block: see `ch16_broken_token`.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let number = observe::created("block_on"); // observe
    let waker = Waker::from(Arc::new(Unpark {
        thread: thread::current(),
        number, // observe
    }));
    loop {
        observe::resumed(number, "block_on"); // observe
        if let Poll::Ready(output) =
            future.as_mut().poll(&mut Context::from_waker(&waker))
        {
            observe::finished(number); // observe
            return output;
        }
        observe::paused(number, "another task"); // observe
        thread::park();
    }
}

// ANCHOR: run
/// Polls a future on this thread, and tasks on as many others as `threads` says, until
/// the future is ready.
pub(crate) fn run_on<F: Future>(
    queue: &Arc<impl ReadyQueue>,
    threads: usize,
    future: F,
) -> F::Output {
    thread::scope(|scope| {
        for mine in 0..threads {
            scope.spawn(move || {
                while let Some(task) = queue.next(mine) {
                    task.run();
                }
            });
        }
        let _end = EndOnDrop(&**queue); // also if the future panics
        block_on(future)
    })
}

/// Ends the waits of all threads when it is dropped.
struct EndOnDrop<'a, Q: ReadyQueue>(&'a Q);

impl<Q: ReadyQueue> Drop for EndOnDrop<'_, Q> {
    fn drop(&mut self) {
        self.0.end();
    }
}
// ANCHOR_END: run

/// Lets other tasks run: wakes its own task, and is pending once.
pub(crate) async fn yield_now() {
    let mut is_second = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut is_second, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
