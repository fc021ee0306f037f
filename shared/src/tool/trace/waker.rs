//! Wakers that record each wake in the trace.

use super::event::Caller;
use super::log::Trace;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, atomic::AtomicBool, atomic::Ordering::SeqCst};
use std::task::{Wake, Waker};

/// The wakers of an executor's tasks. Each is inserted by `spawn`, and removed when
/// its task ends.
#[derive(Debug, Default)]
pub struct TracedWakers(RefCell<HashMap<u64, Arc<TracedWaker>>>);

impl TracedWakers {
    /// Creates the waker of a task. It records each wake with this source line, and
    /// then calls `inner`. Returns `inner` itself if no trace is written.
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
            waker.is_queued.store(true, SeqCst);
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
    /// runs. It stays `true` after the end of the task. (The executor has its own
    /// flag.)
    is_queued: AtomicBool,
    inner: Waker,
}

impl Wake for TracedWaker {
    fn wake(self: Arc<Self>) {
        let is_queued_now = !self.is_queued.swap(true, SeqCst);
        self.trace.record_wake(self.line, self.task, is_queued_now);
        self.inner.wake_by_ref();
    }
}
