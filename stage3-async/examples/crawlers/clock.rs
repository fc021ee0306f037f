//! A clock that jumps: whenever no task is ready, it is the time of the next deadline.

use stage3_async::yield_now;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// Milliseconds since the program began. Clones are handles to the same clock.
#[derive(Clone, Default)]
pub(crate) struct Clock(Rc<State>);

#[derive(Default)]
struct State {
    now: Cell<u64>,
    /// Numbers the sleeps, so that those with the same deadline end in their order.
    latest: Cell<u64>,
    /// The wakers of all sleeps, by their deadlines.
    timers: RefCell<BTreeMap<(u64, u64), Waker>>,
}

impl Clock {
    pub(crate) fn now(&self) -> u64 {
        self.0.now.get()
    }

    /// Waits for `time` milliseconds.
    pub(crate) fn sleep(&self, time: u64) -> Sleep {
        self.sleep_until(self.now() + time)
    }

    pub(crate) fn sleep_until(&self, when: u64) -> Sleep {
        self.0.latest.set(self.0.latest.get() + 1);
        Sleep { clock: self.clone(), key: (when, self.0.latest.get()) }
    }

    // ANCHOR: run
    /// Goes from deadline to deadline until no task sleeps, or until a time. The tasks
    /// wait for nothing but this clock.
    pub(crate) async fn run_until(&self, end: u64) {
        yield_now().await; // each new task runs until it sleeps
        while let Some(((when, _), waker)) = self.next(end) {
            self.0.now.set(when);
            waker.wake();
            yield_now().await; // this task, too, runs until it sleeps again
        }
        if !self.0.timers.borrow().is_empty() {
            self.0.now.set(end);
        }
    }
    // ANCHOR_END: run

    fn next(&self, end: u64) -> Option<((u64, u64), Waker)> {
        let mut timers = self.0.timers.borrow_mut();
        let first = timers.first_entry().filter(|first| first.key().0 <= end)?;
        Some(first.remove_entry())
    }
}

pub(crate) struct Sleep {
    clock: Clock,
    key: (u64, u64),
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.key.0 <= self.clock.now() {
            return Poll::Ready(());
        }
        let mut timers = self.clock.0.timers.borrow_mut();
        let replaced = timers.insert(self.key, cx.waker().clone());
        drop(timers);
        drop(replaced); // with nothing borrowed
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        let waker = self.clock.0.timers.borrow_mut().remove(&self.key);
        drop(waker);
    }
}
