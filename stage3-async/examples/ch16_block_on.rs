//! The smallest executor that waits: poll, sleep until the waker is called, poll again.
//!
//! `cargo run -p stage3-async --example ch16_block_on`
//!
//! It does not run in a page: it uses threads.

use std::pin::{Pin, pin};
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

// An `unpark` before the `park` is not lost, unless the poll itself parks the thread:
// see `ch16_broken_token`.
// ANCHOR: block_on
/// A waker that wakes a thread.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs one std future to its end. This thread sleeps while it waits.
fn block_on<F: std::future::Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        println!("  block_on polls");
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        // std allows this to return for no reason, which costs one more poll.
        thread::park();
    }
}
// ANCHOR_END: block_on

// ANCHOR: letter
/// A leaf: a number that another thread delivers.
#[derive(Clone, Default)]
struct Letter(Arc<(Mutex<Slot>, Condvar)>);

#[derive(Default)]
struct Slot {
    number: Option<u32>,
    waiter: Option<Waker>,
}

const PATIENCE: Duration = Duration::from_secs(5);
const NOT_POISONED: &str = "nothing panics while it holds the slot";

// ANCHOR_END: letter

// ANCHOR: poll
impl std::future::Future for Letter {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        let (slot, is_awaited) = &*self.0;
        let mut slot = slot.lock().expect(NOT_POISONED);
        if let Some(number) = slot.number.take() {
            return Poll::Ready(number);
        }
        // Kept under the same lock: the number cannot arrive in between.
        slot.waiter = Some(cx.waker().clone());
        is_awaited.notify_one();
        Poll::Pending
    }
}
// ANCHOR_END: poll

// ANCHOR: deliver
impl Letter {
    /// For another thread: brings the number, and wakes the task that waits for it.
    /// (First it waits until there is one, so that the step prints the same each time.)
    fn deliver(&self, number: u32) {
        let (slot, is_awaited) = &*self.0;
        let slot = slot.lock().expect(NOT_POISONED);
        let is_early = |slot: &mut Slot| slot.waiter.is_none();
        let waited = is_awaited.wait_timeout_while(slot, PATIENCE, is_early);
        let (mut slot, _) = waited.expect(NOT_POISONED);
        slot.number = Some(number);
        let waiter = slot.waiter.take();
        drop(slot); // a waker may run any code: call it without the lock
        if let Some(waiter) = waiter {
            println!("  another thread delivers, and wakes");
            waiter.wake();
        }
    }
}
// ANCHOR_END: deliver

// ANCHOR: main
async fn sum(first: Letter, second: Letter) -> u32 {
    first.await + second.await
}

fn main() {
    let (first, second) = (Letter::default(), Letter::default());
    let result = thread::scope(|scope| {
        scope.spawn(|| {
            for (letter, number) in [(&first, 3), (&second, 4)] {
                letter.deliver(number);
            }
        });
        block_on(sum(first.clone(), second.clone()))
    });
    println!("the sum is {result}");
}
// ANCHOR_END: main
