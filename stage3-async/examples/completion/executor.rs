//! The executor of chapter 20, for tasks that wait for completions.

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};

const NOT_POISONED: &str = "nothing panics while it holds the queue";

type ReadyQueue = Arc<Mutex<VecDeque<usize>>>;

struct TaskWaker {
    id: usize,
    ready: ReadyQueue,
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.ready.lock().expect(NOT_POISONED).push_back(self.id);
    }
}

pub(crate) type Task<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

// ANCHOR: run
/// Polls tasks until all have ended, and calls `wait` when none is ready.
pub(crate) fn run(tasks: Vec<Task<'_>>, wait: impl Fn()) {
    let ready: ReadyQueue = Arc::new(Mutex::new((1..=tasks.len()).collect()));
    let mut tasks: HashMap<usize, Task<'_>> = (1..).zip(tasks).collect();
    while !tasks.is_empty() {
        let next = ready.lock().expect(NOT_POISONED).pop_front(); // the lock ends here
        let Some(id) = next else {
            wait();
            continue;
        };
        let Some(task) = tasks.get_mut(&id) else { continue };
        let waker = TaskWaker { id, ready: Arc::clone(&ready) };
        let waker = Waker::from(Arc::new(waker));
        if task.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
            tasks.remove(&id);
        }
    }
}
// ANCHOR_END: run
