//! A set of tasks that returns first the task that ends first.
//!
//! `cargo run -p stage3-async --example ch31_join_set`

use stage3_async::{Executor, JoinError, JoinHandle, Queue, yield_now};
use std::collections::BTreeMap;
use std::error::Error;
use std::rc::Rc;

// ANCHOR: set
/// Tasks that belong together, and the numbers of those that have ended.
pub(crate) struct JoinSet<T> {
    executor: Executor,
    running: BTreeMap<u32, JoinHandle<T>>,
    /// The number of the latest task.
    latest: u32,
    /// In the order in which the tasks have ended.
    ended: Rc<Queue<u32>>,
    /// The handle that `next` has found, until it has the outcome.
    found: Option<JoinHandle<T>>,
}

/// Puts a number into the queue, on every way out.
struct PutOnDrop(u32, Rc<Queue<u32>>);

impl Drop for PutOnDrop {
    fn drop(&mut self) {
        self.1.put(self.0);
    }
}
// ANCHOR_END: set

impl<T: 'static> JoinSet<T> {
    pub(crate) fn new(executor: &Executor) -> JoinSet<T> {
        let (executor, running) = (executor.clone(), BTreeMap::new());
        JoinSet { executor, running, latest: 0, ended: Rc::default(), found: None }
    }

    // ANCHOR: next
    /// Spawns a task into the set.
    pub(crate) fn spawn(&mut self, future: impl Future<Output = T> + 'static) {
        self.latest += 1;
        let end = PutOnDrop(self.latest, Rc::clone(&self.ended));
        let handle = self.executor.spawn(async move {
            let _end = end;
            future.await
        });
        self.running.insert(self.latest, handle);
    }

    /// Returns the outcome of the task that ended first, or `None` if the set is empty.
    pub(crate) async fn next(&mut self) -> Option<Result<T, JoinError>> {
        if self.found.is_none() && !self.running.is_empty() {
            let number = self.ended.get().await;
            self.found = self.running.remove(&number);
        }
        let outcome = self.found.as_mut()?.await;
        self.found = None;
        Some(outcome)
    }
    // ANCHOR_END: next
}

impl<T> JoinSet<T> {
    /// Cancels the tasks that have not ended. `next` returns them, too.
    pub(crate) fn cancel_all(&self) {
        self.running.values().for_each(JoinHandle::cancel);
    }
}

impl<T> Drop for JoinSet<T> {
    /// No task is left behind.
    fn drop(&mut self) {
        self.cancel_all();
    }
}

type Outcome = Result<u32, &'static str>;

async fn work(number: u32, turns: u32, fails: bool) -> Outcome {
    for _ in 0..turns {
        yield_now().await;
    }
    println!("  worker {number} ends");
    if fails { Err("the disk is full") } else { Ok(number) }
}

fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    executor.block_on(async {
        let mut workers = JoinSet::new(&executor);
        workers.spawn(work(1, 9, false));
        workers.spawn(work(2, 2, true));
        workers.spawn(work(3, 5, false));
        while let Some(end) = workers.next().await {
            println!("next: {end:?}");
        }
    })?;
    Ok(())
}
