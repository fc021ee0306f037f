//! An executor with several threads and one queue with a lock.

use super::observe; // observe
use super::task::{ReadyQueue, Task};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

// ANCHOR: queue
/// The ready queue of all threads.
#[derive(Default)]
pub(crate) struct OneQueue {
    inside: Mutex<Inside>,
    /// A task was pushed, or the end was announced.
    changed: Condvar,
}

#[derive(Default)]
struct Inside {
    tasks: VecDeque<Arc<Task>>,
    /// Threads that wait for a task. Usually there are none, and a push need not
    /// make a system call.
    parked: usize,
    is_over: bool,
}

// ANCHOR_END: queue

impl ReadyQueue for OneQueue {
    // ANCHOR: push
    fn push(&self, task: Arc<Task>) {
        let mut inside = self.lock();
        observe::queued(task.number, None); // observe
        inside.tasks.push_back(task);
        if inside.parked > 0 {
            drop(inside); // the thread that is unparked needs the lock at once
            self.changed.notify_one();
        }
    }

    fn next(&self, _mine: usize) -> Option<Arc<Task>> {
        observe::is_thread(_mine); // observe
        let mut inside = self.lock();
        while !inside.is_over {
            if let Some(task) = inside.tasks.pop_front() {
                return Some(task);
            }
            inside.parked += 1;
            // The lock is free during this wait.
            inside = self.changed.wait(inside).expect(NOT_POISONED);
            inside.parked -= 1;
        }
        None
    }
    // ANCHOR_END: push

    fn end(&self) {
        self.lock().is_over = true;
        self.changed.notify_all();
    }
}

impl OneQueue {
    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().expect(NOT_POISONED)
    }
}

const NOT_POISONED: &str = "nothing panics while it holds the queue";
