//! Runs tasks: it polls a task when its waker was called. Chapter 19, and for the wait
//! between two polls chapter 20.

use crate::{JoinHandle, Reactor};
use std::io;

/// Runs futures on one thread. A clone is another handle of the same executor.
#[derive(Clone)]
pub struct Executor {
    // A table of tasks, and a queue of those that were woken. A waker may be called on any
    // thread, so what it holds is `Send` (chapter 19, step 3).
}

/// No task is ready, and nothing can wake one.
#[derive(Debug)]
pub struct Stuck;

impl Executor {
    /// Creates an executor without tasks.
    ///
    /// # Errors
    /// The selector cannot be made.
    pub fn new() -> io::Result<Executor> {
        todo!("the ready queue, the table of tasks, and the reactor")
    }

    /// Returns what sockets and timers are made of.
    pub fn reactor(&self) -> &Reactor {
        todo!("the reactor of this executor")
    }

    /// Adds a task. It is polled for the first time when `block_on` runs.
    pub fn spawn<F: Future + 'static>(&self, future: F) -> JoinHandle<F::Output> {
        todo!("a new row in the table, which is ready; and a handle for its output")
    }

    /// Runs `future` and all tasks until `future` is ready. Then the tasks that are left
    /// are dropped (chapter 24).
    ///
    /// # Errors
    /// Nothing is ready, and neither a socket, a timer nor a work guard can change that.
    ///
    /// # Panics
    /// It is called while it runs; or `future` panics.
    pub fn block_on<F: Future>(&self, future: F) -> Result<F::Output, Stuck> {
        todo!("poll what is ready; if nothing is, wait in the reactor")
    }
}
