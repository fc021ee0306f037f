//! The ready queue, and the wakers that put tasks into it.

#[cfg(loom)]
use loom::sync::{Mutex, MutexGuard, atomic::AtomicBool};
use std::sync::{Arc, atomic::Ordering::SeqCst};
#[cfg(not(loom))]
use std::sync::{Mutex, MutexGuard, atomic::AtomicBool};
use std::{mem, task::Wake};

// ANCHOR: queue
/// Identifies a task. An older task has a smaller id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TaskId {
    /// Counts the tasks of an executor. Numbers are never reused.
    pub(crate) number: u64,
    /// Where the task is in the executor's table. Once it has ended, another task may
    /// have this place.
    pub(crate) place: usize,
}

/// The place of the main future. It stays empty, because `run` owns this future.
pub(crate) const MAIN: usize = 0;

/// Tasks that were woken and not polled since. Any thread may add one.
pub(crate) struct ReadyQueue {
    /// In the order in which they were woken.
    woken: Mutex<Vec<TaskId>>,
    /// Raised by the executor's thread before it waits for the operating system. The
    /// first wake lowers it and ends the wait; otherwise it is lowered after the wait.
    is_sleeping: AtomicBool,
    /// Ends the wait.
    alarm: Box<dyn Fn() + Send + Sync>,
}
// ANCHOR_END: queue

impl ReadyQueue {
    pub(crate) fn new(alarm: impl Fn() + Send + Sync + 'static) -> Arc<ReadyQueue> {
        let (woken, is_sleeping) = (Mutex::default(), AtomicBool::new(false));
        Arc::new(ReadyQueue { woken, is_sleeping, alarm: Box::new(alarm) })
    }

    // ANCHOR: take
    /// Swaps the queue with `batch`, which is empty, so that a whole batch costs one
    /// lock. Returns whether the batch has a task now.
    pub(crate) fn take(&self, batch: &mut Vec<TaskId>) -> bool {
        mem::swap(&mut *self.lock(), batch);
        !batch.is_empty()
    }
    // ANCHOR_END: take

    // ANCHOR: sleep
    /// Announces that the thread is about to sleep. Returns whether it may: only if the
    /// queue is empty.
    pub(crate) fn prepare_to_sleep(&self) -> bool {
        // This raises the flag, then locks the queue. `push` locks the queue, then
        // looks at the flag. Whichever locks second sees what the other has done
        // before: either the task is found here, or the flag is found there. No wake is
        // lost.
        self.is_sleeping.store(true, SeqCst);
        self.lock().is_empty()
    }

    /// Lowers the flag: the thread no longer sleeps, so a wake need not sound the
    /// alarm.
    pub(crate) fn stay_awake(&self) {
        self.is_sleeping.store(false, SeqCst);
    }
    // ANCHOR_END: sleep

    // ANCHOR: push
    /// Adds a task, unless it is in the queue already.
    fn push(&self, waker: &TaskWaker) {
        let mut woken = self.lock();
        // Under the lock: a wake that finds it raised knows that the id is queued.
        if !waker.is_queued.swap(true, SeqCst) {
            woken.push(waker.id);
            drop(woken);
            // Usually the thread is awake, and a look at `is_sleeping` is enough. Of
            // several wakes only the first sounds the alarm.
            if self.is_sleeping.load(SeqCst) && self.is_sleeping.swap(false, SeqCst) {
                (self.alarm)();
            }
        }
    }
    // ANCHOR_END: push

    fn lock(&self) -> MutexGuard<'_, Vec<TaskId>> {
        self.woken.lock().expect("nothing panics while it holds the ready queue")
    }
}

// ANCHOR: waker
/// Wakes a task by its id. The future stays in the executor's table: it need not be
/// `Send`, and it may be gone when the waker is called.
pub(crate) struct TaskWaker {
    pub(crate) id: TaskId,
    /// Raised when the task is put into the queue: further wakes add nothing. Lowered
    /// before the task is polled.
    is_queued: AtomicBool,
    /// Raised once by `cancel`. The executor checks it at the task's next turn.
    is_cancelled: AtomicBool,
    /// The queue holds ids and no wakers, so this is no cycle.
    queue: Arc<ReadyQueue>,
}
// ANCHOR_END: waker

impl TaskWaker {
    pub(crate) fn new(id: TaskId, queue: &Arc<ReadyQueue>) -> Arc<TaskWaker> {
        let (is_queued, is_cancelled) = (false.into(), false.into());
        Arc::new(TaskWaker { id, is_queued, is_cancelled, queue: Arc::clone(queue) })
    }

    // ANCHOR: poll
    /// Begins a turn of the task. Returns whether to poll it: not if it was
    /// cancelled.
    pub(crate) fn begin_turn(&self) -> bool {
        // Lowered before the poll, so that a wake during the poll queues the task
        // again. A swap, not a store: a thread whose wake found the flag raised has
        // queued nothing and relies on this poll, which must see what that thread did
        // before its wake.
        self.is_queued.swap(false, SeqCst);
        // Read after the swap, for the same reason: `cancel` sets this before it wakes.
        !self.is_cancelled()
    }
    // ANCHOR_END: poll

    /// Marks the task, and wakes it: its next turn is its last.
    pub(crate) fn cancel(&self) {
        self.is_cancelled.store(true, SeqCst);
        self.queue.push(self);
    }

    /// Returns whether the task's next turn is its last.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(SeqCst)
    }
}

/// The line that traces show for a wake.
pub(crate) const WAKES: &std::panic::Location = std::panic::Location::caller(); // observe

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.queue.push(&self);
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.queue.push(self);
    }
}
