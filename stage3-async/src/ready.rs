//! The ready queue, and the wakers that put tasks into it.

#[cfg(loom)]
use loom::sync::{Mutex, MutexGuard, atomic::AtomicBool};
use shared::watch::{Event, Watch};
use std::sync::{Arc, atomic::Ordering::SeqCst};
#[cfg(not(loom))]
use std::sync::{Mutex, MutexGuard, atomic::AtomicBool};
use std::{mem, task::Wake};

/// The number of a task, which no other has, and its place in the slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TaskId {
    pub(crate) number: u64,
    pub(crate) slot: usize,
}

/// Tasks that were woken and not polled yet. Any thread may add to it.
pub(crate) struct Ready {
    queue: Mutex<Vec<TaskId>>,
    /// Does the executor's thread wait for the operating system, or is about to?
    sleeps: AtomicBool,
    /// Ends that wait.
    alarm: Box<dyn Fn() + Send + Sync>,
    watch: Watch,
}

impl Ready {
    pub(crate) fn new(
        alarm: impl Fn() + Send + Sync + 'static,
        watch: Watch,
    ) -> Arc<Ready> {
        let (queue, sleeps) = (Mutex::new(Vec::new()), AtomicBool::new(false));
        Arc::new(Ready { queue, sleeps, alarm: Box::new(alarm), watch })
    }

    /// Takes all that are ready, in their order, and leaves an empty queue: one lock
    /// for each tick. Is anybody?
    pub(crate) fn swap(&self, taken: &mut Vec<TaskId>) -> bool {
        mem::swap(&mut *self.queue(), taken);
        !taken.is_empty()
    }

    /// Says that the thread is about to wait, and whether it may: nobody is ready then.
    /// A wake after this ends the wait.
    pub(crate) fn may_sleep(&self) -> bool {
        // First said, then looked: a wake in between is either seen here or sees the
        // flag, and ends the wait. Swapped, not stored: between the swaps of both
        // threads one comes first in any model of memory, and `tests/loom.rs` tries
        // both orders.
        self.sleeps.swap(true, SeqCst);
        self.queue().is_empty()
    }

    pub(crate) fn stay_awake(&self) {
        self.sleeps.store(false, SeqCst);
    }

    fn push(&self, id: TaskId) {
        self.watch.note(id.number, Event::Queued);
        self.queue().push(id);
        if self.sleeps.load(SeqCst) && self.sleeps.swap(false, SeqCst) {
            (self.alarm)();
        }
    }

    fn queue(&self) -> MutexGuard<'_, Vec<TaskId>> {
        self.queue.lock().expect("nothing panics while it holds the ready queue")
    }
}

/// What a waker holds: no future, only where to find it. So a task's future need not be
/// `Send`, and a waker may outlive it.
pub(crate) struct TaskWaker {
    pub(crate) id: TaskId,
    /// Is it in the queue? Then another wake adds nothing.
    queued: AtomicBool,
    ready: Arc<Ready>,
}

impl TaskWaker {
    pub(crate) fn new(id: TaskId, ready: &Arc<Ready>) -> Arc<TaskWaker> {
        let (queued, ready) = (AtomicBool::new(false), Arc::clone(ready));
        Arc::new(TaskWaker { id, queued, ready })
    }

    /// It is about to be polled. From here on a wake queues it again: also one that
    /// comes while it is polled.
    pub(crate) fn before_poll(&self) {
        // Swapped, not stored: so the poll sees what a thread did before its wake, also
        // where that found the flag still raised, and added nothing.
        self.queued.swap(false, SeqCst);
    }
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.ready.watch.note(self.id.number, Event::Woken);
        if !self.queued.swap(true, SeqCst) {
            self.ready.push(self.id);
        }
    }
}
