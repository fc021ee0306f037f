//! Wakers that record each wake in the trace.

use super::event::Caller;
use super::log::Trace;
use std::cell::RefCell;
use std::collections::HashMap;
use std::panic;
use std::sync::{Arc, atomic::AtomicBool, atomic::Ordering::SeqCst};
use std::task::{Wake, Waker};

/// The wakers of an executor's tasks. Each is inserted by `spawn`, and removed when
/// its task ends.
#[derive(Debug, Default)]
pub struct TracedWakers(RefCell<HashMap<u64, Arc<TracedWaker>>>);

impl TracedWakers {
    /// Creates the waker of a new task, which is queued. It records each wake with this
    /// source line, and then calls `inner`. Returns `inner` itself if no trace is written.
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
        let (trace, is_queued, has_ended) = (trace.clone(), true.into(), false.into());
        let traced = TracedWaker { task, trace, line, is_queued, has_ended, inner };
        let traced = Arc::new(traced);
        self.0.borrow_mut().insert(task, Arc::clone(&traced));
        Waker::from(traced)
    }

    /// Records that the task runs, so that it is no longer queued.
    pub fn resumed(&self, task: u64) {
        if let Some(waker) = self.0.borrow().get(&task) {
            waker.is_queued.store(false, SeqCst);
        }
    }

    /// Removes the waker of a task that has ended. If clones of the waker are called
    /// later, no `Queued` is recorded.
    pub fn remove(&self, task: u64) {
        if let Some(waker) = self.0.borrow_mut().remove(&task) {
            waker.has_ended.store(true, SeqCst);
        }
    }

    /// Returns what records each `cancel` of a task.
    pub fn cancels(&self, task: u64) -> TracedCancels {
        TracedCancels(self.0.borrow().get(&task).cloned())
    }
}

/// Records each `cancel` of a task, on any thread. `None` if no trace is written.
#[derive(Clone, Debug)]
pub struct TracedCancels(Option<Arc<TracedWaker>>);

impl TracedCancels {
    /// Records that the task was cancelled and woken, unless it has ended.
    #[track_caller]
    pub fn cancelled(&self) {
        if let Some(waker) = &self.0
            && !waker.has_ended.load(SeqCst)
        {
            waker.record(panic::Location::caller(), true);
        }
    }
}

/// Records each wake of a task, and then calls the inner waker.
#[derive(Debug)]
struct TracedWaker {
    task: u64,
    trace: Trace,
    /// The source line that the trace shows.
    line: Caller,
    /// Whether the task is in the ready queue. Set by a wake, cleared when the task
    /// runs. (The executor has its own flag.)
    is_queued: AtomicBool,
    /// Set by `remove`. Clones of the waker may live on: their wakes queue nothing.
    has_ended: AtomicBool,
    inner: Waker,
}

impl TracedWaker {
    fn record(&self, line: Caller, cancels: bool) {
        let is_queued_now =
            !self.is_queued.swap(true, SeqCst) && !self.has_ended.load(SeqCst);
        self.trace.record_wake(line, self.task, cancels, is_queued_now);
    }
}

impl Wake for TracedWaker {
    fn wake(self: Arc<Self>) {
        self.record(self.line, false);
        self.inner.wake_by_ref();
    }
}
