//! Awaits a task and cancels it. Chapter 24.

use std::any::Any;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Why a task has no output.
#[derive(Debug)]
pub enum JoinError {
    /// It was cancelled, or dropped at the end of `block_on`.
    Cancelled,
    /// It panicked with this.
    Panicked(Box<dyn Any + Send>),
}

/// The output of a task, as a future. Dropping it lets the task run on.
pub struct JoinHandle<T> {
    // A cell that the task fills when it ends, and the waker that was here last.
    output: PhantomData<T>,
}

impl<T> JoinHandle<T> {
    /// Has the task dropped at its next turn, not inside of this call. A task that has
    /// ended has ended.
    pub fn cancel(&self) {
        todo!("note that it is cancelled, and wake it")
    }

    /// Returns whether the task has ended, in whatever way.
    pub fn is_finished(&self) -> bool {
        todo!("is the output, or the reason for none, there?")
    }
}

// Whatever `T` is: nothing here is pinned to its place.
impl<T> Unpin for JoinHandle<T> {}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    /// # Panics
    /// The output was returned before.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        todo!("take the output, or keep the latest waker")
    }
}
