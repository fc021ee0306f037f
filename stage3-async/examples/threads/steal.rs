//! An executor whose threads have queues of their own, and steal from each other.

use super::observe; // observe
use super::task::{ReadyQueue, Task};
use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, Thread};

// ANCHOR: queues
/// A queue for each thread of the executor, and one more for tasks that other threads
/// wake or spawn.
pub(crate) struct Stealing {
    queues: Vec<Mutex<VecDeque<Arc<Task>>>>,
    /// Threads that have found nothing to do, with the number of their queue.
    idle: Mutex<Vec<(usize, Thread)>>,
    /// How many these are. Zero is the usual case, and needs no lock.
    idle_count: AtomicUsize,
    is_over: AtomicBool,
}

thread_local! {
    /// The number of this thread's own queue; on other threads, more than any number.
    static MINE: Cell<usize> = const { Cell::new(usize::MAX) };
}

// ANCHOR_END: queues

impl Stealing {
    pub(crate) fn new(threads: usize) -> Stealing {
        Stealing {
            queues: (0..=threads).map(|_| Mutex::default()).collect(),
            idle: Mutex::default(),
            idle_count: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
        }
    }

    // ANCHOR: steal
    /// Finds a task: in the thread's own queue, or else in another.
    pub(crate) fn find(&self, mine: usize) -> Option<Arc<Task>> {
        let own = self.lock(mine).pop_front(); // unlocked at the end of this line
        let others = (1..self.queues.len()).map(|n| (mine + n) % self.queues.len());
        own.or_else(|| others.into_iter().find_map(|other| self.steal(other, mine)))
    }

    /// Takes half of the tasks in a queue, the oldest ones. Returns one of them.
    fn steal(&self, from: usize, mine: usize) -> Option<Arc<Task>> {
        let mut victim = self.lock(from);
        let half = victim.len().div_ceil(2);
        let mut stolen: VecDeque<_> = victim.drain(..half).collect();
        drop(victim); // unlocked before the next lock
        let first = stolen.pop_front()?;
        if !stolen.is_empty() {
            observe::moved(&stolen, mine); // observe
            self.lock(mine).append(&mut stolen);
            self.unpark_one(); // one may have looked meanwhile, and found nothing
        }
        Some(first)
    }
    // ANCHOR_END: steal

    // ANCHOR: unpark
    /// Unparks one idle thread, if there is any.
    fn unpark_one(&self) {
        if self.idle_count.load(SeqCst) > 0 {
            let thread = self.change_idle(Vec::pop);
            thread.into_iter().for_each(|(_, thread)| thread.unpark());
        }
    }
    // ANCHOR_END: unpark

    fn change_idle<T>(&self, change: impl FnOnce(&mut Vec<(usize, Thread)>) -> T) -> T {
        let mut idle = self.idle.lock().expect(NOT_POISONED);
        let result = change(&mut idle);
        self.idle_count.store(idle.len(), SeqCst);
        result
    }

    /// How many tasks are in each queue.
    pub(crate) fn lengths(&self) -> Vec<usize> {
        (0..self.queues.len()).map(|number| self.lock(number).len()).collect()
    }

    fn lock(&self, number: usize) -> MutexGuard<'_, VecDeque<Arc<Task>>> {
        self.queues[number].lock().expect(NOT_POISONED)
    }
}

impl ReadyQueue for Stealing {
    // ANCHOR: park
    fn push(&self, task: Arc<Task>) {
        let queue = Some(MINE.get()).filter(|it| *it < self.queues.len()); // observe
        observe::queued(task.number, Some(queue.unwrap_or(observe::SHARED))); // observe
        self.lock(MINE.get().min(self.queues.len() - 1)).push_back(task);
        self.unpark_one();
    }

    fn next(&self, mine: usize) -> Option<Arc<Task>> {
        MINE.set(mine);
        observe::is_thread(mine); // observe
        while !self.is_over.load(SeqCst) {
            if let Some(task) = self.find(mine) {
                return Some(task);
            }
            self.change_idle(|idle| idle.push((mine, thread::current())));
            // An earlier push is found now, and a later one finds this thread.
            let task = self.find(mine);
            if task.is_none() && !self.is_over.load(SeqCst) {
                thread::park();
            }
            self.change_idle(|idle| idle.retain(|(number, _)| *number != mine));
            if task.is_some() {
                self.unpark_one(); // a push may have unparked it for another task
                return task;
            }
        }
        None
    }
    // ANCHOR_END: park

    fn end(&self) {
        self.is_over.store(true, SeqCst);
        let idle = self.change_idle(std::mem::take);
        idle.into_iter().for_each(|(_, thread)| thread.unpark());
    }
}

const NOT_POISONED: &str = "nothing panics while it holds a queue";
