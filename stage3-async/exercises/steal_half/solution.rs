//! A queue for each thread. A thread whose queue is empty takes half of another's.
//!
//! `Mutex` works like std's, but the check can stop a thread at each use.

use checks::steal_half::{Mutex, MutexGuard, Stealing};
use std::collections::VecDeque;

struct Mine(Vec<Mutex<VecDeque<u32>>>);

impl Mine {
    fn lock(&self, thread: usize) -> MutexGuard<'_, VecDeque<u32>> {
        self.0[thread].lock().unwrap()
    }
}

// ANCHOR: solution
impl Mine {
    /// Takes half of the tasks of `from`: the oldest ones, rounded up. Returns the
    /// first of them, and puts the rest into the queue of `to`.
    fn steal(&self, from: usize, to: usize) -> Option<u32> {
        // hole 2
        //| todo!("move half of {from}'s tasks to {to}")
        let mut victim = self.lock(from);
        let half = victim.len().div_ceil(2);
        let mut stolen: VecDeque<u32> = victim.drain(..half).collect();
        drop(victim); // never two locks at once
        // hole 1
        //| todo!("return the first one; the others are for {to}")
        let first = stolen.pop_front();
        self.lock(to).append(&mut stolen);
        first
        // end hole
        // end hole
    }
}

impl Stealing for Mine {
    fn next(&self, thread: usize) -> Option<u32> {
        // hole 2
        //| todo!("a task of {thread}'s own, or one of another thread")
        let own = self.lock(thread).pop_front();
        if own.is_some() {
            return own;
        }
        // hole 1
        //| todo!("a task of another thread")
        let others = (0..self.0.len()).filter(|other| *other != thread);
        others.into_iter().find_map(|other| self.steal(other, thread))
        // end hole
        // end hole
    }
    // ANCHOR_END: solution

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
