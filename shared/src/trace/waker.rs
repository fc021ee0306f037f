//! Wakers that record each wake, and pass it on.

use super::{Caller, Event, Trace};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, atomic::AtomicBool, atomic::Ordering::SeqCst};
use std::task::{Wake, Waker};

/// The wakers of the tasks of one executor, each from the task's first poll to its end.
#[derive(Debug, Default)]
pub struct TracedWakers(RefCell<HashMap<u64, Arc<TracedWaker>>>);

impl TracedWakers {
    /// Returns a waker for the poll of `task` that begins: it records each wake, in this
    /// line, and passes it on to `inner`. `None`: nothing is written to the trace.
    pub fn of(
        &self,
        task: u64,
        trace: &Trace,
        line: Caller,
        inner: &Waker,
    ) -> Option<Waker> {
        let make = || {
            let (trace, inner) = (trace.clone(), inner.clone());
            let is_queued = AtomicBool::new(false);
            Arc::new(TracedWaker { task, trace, line, is_queued, inner })
        };
        trace.is_on().then(|| {
            let mut wakers = self.0.borrow_mut();
            let traced = wakers.entry(task).or_insert_with(make);
            traced.is_queued.store(false, SeqCst);
            Waker::from(Arc::clone(traced))
        })
    }

    /// Takes out the waker of a task that has ended. Clones of it may be called later: they
    /// queue nothing.
    pub fn remove(&self, task: u64) -> Option<Arc<TracedWaker>> {
        let waker = self.0.borrow_mut().remove(&task);
        waker.inspect(|waker| waker.is_queued.store(true, SeqCst))
    }
}

/// Records each wake of a task, and passes it on.
#[derive(Debug)]
pub struct TracedWaker {
    task: u64,
    trace: Trace,
    /// The line that the trace shows.
    line: Caller,
    /// Repeats what the machine knows: whether the task is in the ready queue. Raised for
    /// good when the task has ended.
    is_queued: AtomicBool,
    inner: Waker,
}

impl Wake for TracedWaker {
    fn wake(self: Arc<Self>) {
        self.trace.record_wake(self.line, self.task, Event::Woken);
        if !self.is_queued.swap(true, SeqCst) {
            self.trace.record_wake(self.line, self.task, Event::Queued);
        }
        self.inner.wake_by_ref();
    }
}
