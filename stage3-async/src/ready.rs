//! The ready queue, and the wakers that put tasks into it.

use mio::Waker as Alarm;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::Wake;

/// The number of a task: its place in the slab, and which of the tasks that stood there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TaskId {
    pub(crate) slot: usize,
    pub(crate) generation: u64,
}

impl TaskId {
    /// The future that `block_on` polls: it stands in no slab.
    pub(crate) const MAIN: TaskId = TaskId { slot: usize::MAX, generation: 0 };
}

/// Tasks that were woken and not polled yet. Any thread may add to it.
pub(crate) struct Ready {
    queue: Mutex<Vec<TaskId>>,
    /// Does the executor's thread wait for the operating system, or is about to?
    sleeps: AtomicBool,
    alarm: Alarm,
}

impl Ready {
    pub(crate) fn new(alarm: Alarm) -> Arc<Ready> {
        let (queue, sleeps) = (Mutex::default(), AtomicBool::new(false));
        Arc::new(Ready { queue, sleeps, alarm })
    }

    /// Takes all that are ready, in their order: one lock for each tick.
    pub(crate) fn take(&self) -> Vec<TaskId> {
        mem::take(&mut *self.queue())
    }

    /// Says that the thread is about to wait, and whether it may: nobody is ready then. A
    /// wake after this ends the wait.
    pub(crate) fn may_sleep(&self) -> bool {
        // First said, then looked: a wake in between is either seen or ends the wait.
        self.sleeps.store(true, Ordering::SeqCst);
        self.queue().is_empty()
    }

    pub(crate) fn stay_awake(&self) {
        self.sleeps.store(false, Ordering::SeqCst);
    }

    fn push(&self, id: TaskId) {
        self.queue().push(id);
        if self.sleeps.swap(false, Ordering::SeqCst) {
            // It fails only where the selector is gone, and then nobody waits.
            let _ = self.alarm.wake();
        }
    }

    fn queue(&self) -> MutexGuard<'_, Vec<TaskId>> {
        self.queue.lock().expect("nothing panics while it holds the ready queue")
    }
}

/// What a waker holds: no future, only where to find it. So a task's future need not be
/// `Send`, and a waker may outlive it.
pub(crate) struct TaskWaker {
    id: TaskId,
    /// Is it in the queue? Then another wake adds nothing.
    queued: AtomicBool,
    ready: Arc<Ready>,
}

impl TaskWaker {
    pub(crate) fn new(id: TaskId, ready: &Arc<Ready>) -> Arc<TaskWaker> {
        Arc::new(TaskWaker {
            id,
            queued: AtomicBool::new(false),
            ready: Arc::clone(ready),
        })
    }

    /// It is about to be polled. From here on a wake queues it again: also one that comes
    /// while it is polled.
    pub(crate) fn before_poll(&self) {
        self.queued.store(false, Ordering::SeqCst);
    }
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.queued.swap(true, Ordering::SeqCst) {
            self.ready.push(self.id);
        }
    }
}
