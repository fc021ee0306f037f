//! An executor: a table of futures, and a queue of the ids that were woken.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/executor.rs`.

use checks::executor::{Boxed, Executor};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::task::Wake; // and Context, Poll, Waker

type ReadyQueue = Mutex<VecDeque<u32>>;

/// All that a waker knows about its task is the id.
struct TaskWaker {
    id: u32,
    ready: Arc<ReadyQueue>,
}

#[derive(Default)]
struct Mine {
    tasks: HashMap<u32, Boxed>,
    ready: Arc<ReadyQueue>,
    latest: u32,
}

// ANCHOR: task
impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        todo!("a waker runs nothing: it only notes which task to poll")
    }
}

impl Executor for Mine {
    fn new() -> Mine {
        Mine::default()
    }

    fn spawn(&mut self, future: Boxed) {
        self.latest += 1;
        self.tasks.insert(self.latest, future);
        todo!("what polls the task for the first time?")
    }

    fn run(&mut self) -> usize {
        todo!("poll the tasks that are ready, until there are none")
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::executor::check::<Mine>()
}
