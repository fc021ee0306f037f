//! A clock that the case sets, and a sleep that waits for it.

use crate::story;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// A clock with timers. Clones are handles to the same clock. It begins at 0.
#[derive(Clone, Default)]
pub struct Clock(Rc<Inner>);

#[derive(Default)]
struct Inner {
    now: Cell<u64>,
    /// The wakers, by when they are due and by the number of their sleep.
    timers: RefCell<BTreeMap<(u64, u64), Waker>>,
    latest: Cell<u64>,
}

/// Waits for a time. When it is dropped, it leaves no timer behind.
pub struct Sleep {
    clock: Clock,
    key: (u64, u64),
}

impl Clock {
    /// Returns a future that is ready in this time from now.
    pub fn sleep(&self, time: u64) -> Sleep {
        let number = self.0.latest.get() + 1;
        self.0.latest.set(number);
        Sleep { clock: self.clone(), key: (self.0.now.get() + time, number) }
    }

    /// Returns the time.
    pub fn now(&self) -> u64 {
        self.0.now.get()
    }

    /// Returns how many timers are set.
    pub fn timers(&self) -> usize {
        self.0.timers.borrow().len()
    }

    /// Sets the time, and wakes the tasks whose timers are due.
    pub fn set(&self, now: u64) {
        story!("it is {now}");
        self.0.now.set(now);
        let mut due = self.0.timers.take();
        self.0.timers.replace(due.split_off(&(now + 1, 0)));
        due.into_values().for_each(Waker::wake);
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let inner = &self.clock.0;
        if self.key.0 <= inner.now.get() {
            return Poll::Ready(());
        }
        inner.timers.borrow_mut().insert(self.key, cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        self.clock.0.timers.borrow_mut().remove(&self.key);
    }
}
