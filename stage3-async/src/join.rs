//! What is left of a task for whoever awaits it.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt::{self, Debug, Formatter};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// Why a task has no output.
#[derive(thiserror::Error)]
pub enum JoinError {
    /// It was cancelled: its future was dropped.
    #[error("the task was cancelled")]
    Cancelled,
    /// It panicked, with this.
    #[error("the task panicked")]
    Panicked(Box<dyn Any + Send>),
}

impl Debug for JoinError {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{self}")
    }
}

/// What a task came to, between the task and its handle.
pub(crate) struct Outcome<T> {
    result: Cell<Option<Result<T, JoinError>>>,
    waiter: RefCell<Option<Waker>>,
}

/// Of any type: an end without an output.
pub(crate) trait End {
    fn end(&self, why: JoinError);
}

impl<T> End for Outcome<T> {
    fn end(&self, why: JoinError) {
        self.set(Err(why));
    }
}

impl<T> Outcome<T> {
    pub(crate) fn new() -> Rc<Outcome<T>> {
        Rc::new(Outcome { result: Cell::new(None), waiter: RefCell::new(None) })
    }

    /// The task has ended, in this way.
    pub(crate) fn set(&self, result: Result<T, JoinError>) {
        self.result.set(Some(result));
        // Bound first: nothing is borrowed while it is called.
        let waiter = self.waiter.take();
        waiter.into_iter().for_each(Waker::wake);
    }
}

/// A task seen from outside: a future of its output. Dropped, it lets the task run on.
pub struct JoinHandle<T> {
    pub(crate) outcome: Rc<Outcome<T>>,
    pub(crate) cancel: Box<dyn Fn()>,
}

impl<T> JoinHandle<T> {
    /// Ends the task where it stands: its future is dropped, and what it holds. One that
    /// has ended is no error.
    pub fn cancel(&self) {
        (self.cancel)();
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.outcome.result.take() {
            Some(result) => Poll::Ready(result),
            None => {
                // The latest waker counts: whoever polls may be another one each time.
                *self.outcome.waiter.borrow_mut() = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }
}
