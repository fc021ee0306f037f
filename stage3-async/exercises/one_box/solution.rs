//! A task in one allocation: its future, its wakers, and its handle.

use checks::one_box::{Executor, Join};
use std::collections::VecDeque;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll, Wake, Waker};

/// A whole task: how to queue it, and its future, or what that has left.
struct Task<F: Future> {
    /// Weak, because the queue holds tasks: a strong pointer would be a cycle.
    ready: Weak<ReadyQueue>,
    stage: Mutex<Stage<F>>,
}

enum Stage<F: Future> {
    Running(F),
    Ended(F::Output),
    Joined,
}

type ReadyQueue = Mutex<VecDeque<Arc<dyn Run>>>;

/// A task, as the ready queue sees it.
trait Run: Send + Sync {
    fn run(self: Arc<Self>);
}

struct Mine(Arc<ReadyQueue>);

// ANCHOR: solution
// ANCHOR: task
impl<F: Future<Output: Send> + Unpin + Send + 'static> Run for Task<F> {
    fn run(self: Arc<Self>) {
        // hole 2
        //| todo!("poll the future where it is, with a waker made of this `Arc`")
        let waker = Waker::from(self.clone());
        let mut stage = self.stage.lock().unwrap();
        let Stage::Running(future) = &mut *stage else { return };
        let poll = Pin::new(future).poll(&mut Context::from_waker(&waker));
        if let Poll::Ready(output) = poll {
            *stage = Stage::Ended(output);
        }
        // end hole
    }
}

impl<F: Future<Output: Send> + Unpin + Send + 'static> Wake for Task<F> {
    fn wake(self: Arc<Self>) {
        // hole 1
        //| todo!("put the task into its queue, if there still is one")
        let Some(ready) = self.ready.upgrade() else { return };
        ready.lock().unwrap().push_back(self);
        // end hole
    }
}

impl<F: Future> Join<F::Output> for Task<F> {
    fn take(&self) -> Option<F::Output> {
        // hole 1
        //| todo!("take the output out of `stage`, if it is there")
        let mut stage = self.stage.lock().unwrap();
        match mem::replace(&mut *stage, Stage::Joined) {
            Stage::Ended(output) => Some(output),
            other => {
                *stage = other;
                None
            }
        }
        // end hole
    }
}
// ANCHOR_END: task

impl Executor for Mine {
    fn new() -> Mine {
        Mine(Arc::default())
    }

    fn spawn<F>(&self, future: F) -> Arc<dyn Join<F::Output>>
    where
        F: Future<Output: Send> + Unpin + Send + 'static,
    {
        let ready = Arc::downgrade(&self.0);
        let stage = Mutex::new(Stage::Running(future));
        let task = Arc::new(Task { ready, stage });
        self.0.lock().unwrap().push_back(task.clone());
        task
    }

    fn run(&self) {
        // hole 2
        //| todo!("run the tasks of the queue until it is empty")
        loop {
            let next = self.0.lock().unwrap().pop_front();
            let Some(task) = next else { return };
            task.run();
        }
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::one_box::check::<Mine>()
}
