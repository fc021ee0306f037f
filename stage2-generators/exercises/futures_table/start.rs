//! A table of futures, and the tasks that wait for each of them.
//!
//! The types of `checks` are in
//! `tests/exercises/checks/src/exercises/futures_table.rs`.

use checks::futures_table::{Future, Futures, TaskId};
use std::collections::{HashMap, VecDeque};

#[derive(Default)]
struct Mine {
    /// The future that was made last. No number is used twice.
    latest: Future,
    /// The tasks that wait for each future that is not resolved yet.
    pending: HashMap<Future, Vec<TaskId>>,
    ready: VecDeque<TaskId>,
}

impl Futures for Mine {
    fn new() -> Mine {
        Mine::default()
    }

    fn new_future(&mut self) -> Future {
        self.latest += 1;
        self.pending.insert(self.latest, Vec::new());
        self.latest
    }

    // ANCHOR: task
    fn wait(&mut self, future: Future, task: TaskId) {
        todo!("register task {task} to be queued when future {future} is resolved")
    }

    fn resolve(&mut self, future: Future) {
        todo!("queue all tasks that wait for future {future}")
    }

    fn give_up(&mut self, task: TaskId) {
        todo!("take task {task} off the future that it waits for")
    }
    // ANCHOR_END: task

    fn next_ready(&mut self) -> Option<TaskId> {
        self.ready.pop_front()
    }
}

fn main() -> std::process::ExitCode {
    checks::futures_table::check::<Mine>()
}
