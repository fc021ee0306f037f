//! Wakers that record each wake, and pass it on.

use super::event::{Caller, Event};
use super::log::Trace;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, atomic::AtomicBool, atomic::Ordering::SeqCst};
use std::task::{Wake, Waker};

/// The wakers of the tasks of one executor, each from the task's spawn to its end.
#[derive(Debug, Default)]
pub struct TracedWakers(RefCell<HashMap<u64, Arc<TracedWaker>>>);

impl TracedWakers {
    /// Makes the waker of a task: it records each wake, in this line, and passes it on to
    /// `inner`. If no trace is written, that is `inner` itself.
    #[inline]
    pub fn insert(
        &self,
        task: u64,
        trace: &Trace,
        line: Caller,
        inner: Waker,
    ) -> Waker {
        if !trace.is_on() {
            return inner;
        }
        let (trace, is_queued) = (trace.clone(), AtomicBool::new(false));
        let traced = Arc::new(TracedWaker { task, trace, line, is_queued, inner });
        self.0.borrow_mut().insert(task, Arc::clone(&traced));
        Waker::from(traced)
    }

    /// The task has its turn: it is no longer queued.
    pub fn resumed(&self, task: u64) {
        if let Some(waker) = self.0.borrow().get(&task) {
            waker.is_queued.store(false, SeqCst);
        }
    }

    /// The task has ended. Clones of its waker may be called later: they queue nothing.
    pub fn remove(&self, task: u64) {
        if let Some(waker) = self.0.borrow_mut().remove(&task) {
            waker.is_queued.store(true, SeqCst);
        }
    }
}

/// Records each wake of a task, and passes it on.
#[derive(Debug)]
struct TracedWaker {
    task: u64,
    trace: Trace,
    /// The line that the trace shows.
    line: Caller,
    /// Whether the task is in the ready queue. (The executor has a flag of its own for it.)
    /// Stays `true` when the task has ended.
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
