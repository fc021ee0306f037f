//! A task that any thread may poll: a future, its state, and the queue that it goes to.

use super::observe; // observe
use super::state::State;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

// ANCHOR: task
/// Where tasks wait for a thread.
pub(crate) trait ReadyQueue: Send + Sync + 'static {
    /// Adds a task, and unparks a thread if one has nothing to do.
    fn push(&self, task: Arc<Task>);
    /// Takes the next task for the thread with the number `mine`. Parks the thread
    /// while there is none. `None` at the end.
    fn next(&self, mine: usize) -> Option<Arc<Task>>;
    /// Ends the waits of all threads. Tasks that are left are not polled again.
    fn end(&self);
}

type BoxedFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A task. Each of its wakers is a clone of the `Arc`.
pub(crate) struct Task {
    state: State,
    /// Only the thread that polls locks it, so no thread ever waits for this lock.
    /// `None` once the task has ended.
    future: Mutex<Option<BoxedFuture>>,
    queue: Arc<dyn ReadyQueue>,
    pub(crate) number: u64, // observe
}

/// Makes a task of a future, and queues it.
pub(crate) fn spawn(
    future: impl Future<Output = ()> + Send + 'static,
    queue: &Arc<impl ReadyQueue>,
) {
    let future: BoxedFuture = Box::pin(future);
    let (state, future) = (State::new(), Mutex::new(Some(future)));
    queue.push(Arc::new(Task {
        state,
        future,
        queue: Arc::clone(queue) as _,
        number: observe::created("a task"), // observe
    }));
}
// ANCHOR_END: task

impl Task {
    // ANCHOR: run
    /// Polls the task once. The caller has taken it from a queue.
    pub(crate) fn run(self: Arc<Self>) {
        self.state.start();
        observe::resumed(self.number, "a task"); // observe
        let mut slot = self.future.try_lock().expect("one thread polls at a time");
        let future = slot.as_mut().expect("a task that has ended is not queued");
        let waker = Waker::from(Arc::clone(&self));
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(()) => {
                *slot = None; // it stays RUNNING: no wake queues it
                observe::finished(self.number); // observe
            }
            Poll::Pending => {
                drop(slot); // first the lock, then the state
                observe::paused(self.number, "a wake"); // observe
                if self.state.pause() {
                    Arc::clone(&self.queue).push(self);
                }
            }
        }
    }
    // ANCHOR_END: run
}

// ANCHOR: wake
impl Wake for Task {
    fn wake(self: Arc<Self>) {
        observe::woken(self.number); // observe
        if self.state.wake() {
            Arc::clone(&self.queue).push(self);
        }
    }
}
// ANCHOR_END: wake
