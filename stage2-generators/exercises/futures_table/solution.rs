//! A table of futures, and the tasks that wait for each of them.

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

    // ANCHOR: solution
    fn wait(&mut self, future: Future, task: TaskId) {
        // hole 2
        //| todo!("register task {task} to be queued when future {future} is resolved")
        match self.pending.get_mut(&future) {
            Some(tasks) => tasks.push(task),
            // hole 1
            //| None => todo!("future {future} is resolved: what becomes of {task}?"),
            None => self.ready.push_back(task),
            // end hole
        }
        // end hole
    }

    fn resolve(&mut self, future: Future) {
        // hole 1
        //| todo!("queue all tasks that wait for future {future}")
        self.ready.extend(self.pending.remove(&future).unwrap_or_default());
        // end hole
    }

    fn give_up(&mut self, task: TaskId) {
        // hole 2
        //| todo!("take task {task} off the future that it waits for")
        for tasks in self.pending.values_mut() {
            tasks.retain(|it| *it != task);
        }
        // end hole
    }
    // ANCHOR_END: solution

    fn next_ready(&mut self) -> Option<TaskId> {
        self.ready.pop_front()
    }
}

fn main() -> std::process::ExitCode {
    checks::futures_table::check::<Mine>()
}
