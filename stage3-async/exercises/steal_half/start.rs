//! A queue for each thread. A thread whose queue is empty takes half of another one's.
//!
//! `Mutex` is not std's: it works like it, and the check can stop a thread at each use.

use checks::steal_half::{Mutex, MutexGuard, Stealing};
use std::collections::VecDeque;

struct Mine(Vec<Mutex<VecDeque<u32>>>);

impl Mine {
    fn lock(&self, thread: usize) -> MutexGuard<'_, VecDeque<u32>> {
        self.0[thread].lock().unwrap()
    }
}

// ANCHOR: task
impl Mine {
    /// Takes half of the tasks of `from`: the oldest ones, rounded up. Returns the
    /// first of them, and puts the rest into the queue of `to`.
    fn steal(&self, from: usize, to: usize) -> Option<u32> {
        todo!("take half of {from}'s tasks to {to}")
    }
}

impl Stealing for Mine {
    fn next(&self, thread: usize) -> Option<u32> {
        todo!("a task of {thread}'s own, or one of another thread")
    }
    // ANCHOR_END: task

    fn new(threads: usize) -> Mine {
        Mine((0..threads).map(|_| Mutex::new(VecDeque::new())).collect())
    }

    fn push(&self, thread: usize, task: u32) {
        self.lock(thread).push_back(task);
    }

    fn len(&self, thread: usize) -> usize {
        self.lock(thread).len()
    }
}

fn main() -> std::process::ExitCode {
    checks::steal_half::check::<Mine>()
}
