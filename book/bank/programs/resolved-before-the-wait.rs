//! A future that is resolved before the task waits for it.

use std::collections::{HashMap, VecDeque};

type Future = u32;
type TaskId = u32;

// ANCHOR: shown
#[derive(Default)]
struct Futures {
    pending: HashMap<Future, Vec<TaskId>>,
    ready: VecDeque<TaskId>,
}

impl Futures {
    fn wait(&mut self, future: Future, task: TaskId) {
        self.pending.entry(future).or_default().push(task);
    }

    fn resolve(&mut self, future: Future) {
        let tasks = self.pending.remove(&future);
        self.ready.extend(tasks.unwrap_or_default());
    }
}
// ANCHOR_END: shown

fn main() {
    let mut futures = Futures::default();
    futures.resolve(1);
    futures.wait(1, 1);
    println!("ready: {:?}", futures.ready);
}
