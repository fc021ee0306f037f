//! Broken on purpose: a task that yields a resolved future is never resumed.
//!
//! `cargo run -p stage2-generators --example ch11_broken_resolved_first`

use std::collections::{HashMap, HashSet, VecDeque};

// ANCHOR: futures
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Future(usize);

struct TaskId(usize);

#[derive(Default)]
struct Futures {
    is_fixed: bool,
    pending: HashMap<Future, Vec<TaskId>>,
    resolved: HashSet<Future>,
    ready: VecDeque<TaskId>,
}

impl Futures {
    /// The event has happened: queues the tasks that wait for it.
    fn resolve(&mut self, future: Future) {
        println!("  future {} is resolved", future.0);
        self.resolved.insert(future);
        self.ready.extend(self.pending.remove(&future).unwrap_or_default());
    }
    // ANCHOR_END: futures

    // ANCHOR: wait
    /// Registers the task to be resumed when the future is resolved.
    ///
    /// `ch11_connected` queues the task at once if the future is not pending. The
    /// broken version forgets that, and a resolved future becomes pending once more.
    fn wait(&mut self, future: Future, task: TaskId) {
        println!("  task {} waits for future {}", task.0, future.0);
        if self.is_fixed && self.resolved.contains(&future) {
            return self.ready.push_back(task); // the fix
        }
        self.pending.entry(future).or_default().push(task);
    }
    // ANCHOR_END: wait
}

// ANCHOR: fetch
/// How a coroutine stops running.
enum Step {
    Yield(Future),
    Return,
}

/// A coroutine that waits for a page. The page is in a cache, so it can be had at once.
enum Fetch {
    Start,
    Waiting,
}

impl Fetch {
    fn resume(&mut self, futures: &mut Futures) -> Step {
        match self {
            Fetch::Start => {
                let page = Future(1);
                futures.resolve(page);
                *self = Fetch::Waiting;
                Step::Yield(page)
            }
            Fetch::Waiting => Step::Return,
        }
    }
}
// ANCHOR_END: fetch

// ANCHOR: run
/// Runs one task until it ends, or until no task is ready.
fn run(is_fixed: bool) {
    let mut futures = Futures { is_fixed, ..Futures::default() };
    let mut fetch = Fetch::Start;
    futures.ready.push_back(TaskId(1));
    while let Some(task) = futures.ready.pop_front() {
        match fetch.resume(&mut futures) {
            Step::Yield(future) => futures.wait(future, task),
            Step::Return => println!("  task {} has its page", task.0),
        }
    }
    // Here `ch11_connected` would sleep until the next event.
    for (future, tasks) in futures.pending {
        let past = futures.resolved.contains(&future);
        let when = if past { ", which was resolved before" } else { "" };
        for task in tasks {
            println!("  stuck: task {} waits for future {}{when}", task.0, future.0);
        }
    }
}
// ANCHOR_END: run

fn main() {
    println!("broken:");
    run(false);
    println!("fixed:");
    run(true);
}
