//! A task: a future that runs by itself, and what it came to, for whoever awaits it.

use crate::ready::TaskWaker;
use shared::watch::{Leaf, Says, Standing, Waiting};
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::task::{Context, Poll, Waker};
use std::{future::Future, pin::Pin, rc::Rc, sync::Arc};

static JOIN: Leaf = Leaf::new(file!(), "join", Waiting::Named("another task"));

/// Why a task has no output.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// It was cancelled: its future was dropped.
    #[error("the task was cancelled")]
    Cancelled,
    /// It panicked, with this.
    #[error("the task panicked")]
    Panicked(Box<dyn Any + Send>),
}

/// A task of any type, as the executor sees it.
pub(crate) trait Task {
    /// Polls its future, and tells whether it has ended.
    fn poll(&self) -> bool;
    /// Ends it where it stands. One that has ended stays as it is.
    fn cancel(&self);
    fn standing(&self) -> &Standing;
}

/// A task whose output is known, as its handle sees it.
trait Output<T>: Task {
    fn poll_join(&self, cx: &mut Context<'_>) -> Poll<Result<T, JoinError>>;
}

pub(crate) struct Spawned<F: Future> {
    /// None while it is polled, and when it has ended. (Taken out, only the box moves:
    /// the future in it stays where it is.)
    future: Cell<Option<Pin<Box<F>>>>,
    /// What its leaves wake; and the same, as they are given it.
    pub(crate) own: Arc<TaskWaker>,
    waker: Waker,
    has_ended: Cell<bool>,
    /// What it came to, until somebody takes it.
    result: Cell<Option<Result<F::Output, JoinError>>>,
    /// Who awaits it.
    joiner: Cell<Option<Waker>>,
    standing: Standing,
    says: Says,
}

impl<F: Future> Spawned<F> {
    pub(crate) fn new(
        future: F,
        own: Arc<TaskWaker>,
        standing: Standing,
        says: Says,
    ) -> Self {
        let (future, waker) = (Cell::new(Some(Box::pin(future))), own.clone().into());
        let (has_ended, result, joiner) = Default::default();
        Spawned { future, own, waker, has_ended, result, joiner, standing, says }
    }

    /// What it came to, once it has ended by itself. Its panic goes on here.
    pub(crate) fn output(&self) -> F::Output {
        match self.result.take() {
            Some(Ok(output)) => output,
            Some(Err(JoinError::Panicked(panic))) => resume_unwind(panic),
            _ => unreachable!("nobody has a handle to cancel it"),
        }
    }

    /// The task has ended, in this way; but for what its future holds: that is dropped
    /// now. Nothing is borrowed.
    fn end(&self, future: Pin<Box<F>>, result: Result<F::Output, JoinError>) {
        let dropped = catch_unwind(AssertUnwindSafe(|| drop(future)));
        let result = dropped.map_err(JoinError::Panicked).and(result);
        self.settle(result);
    }

    /// The first end counts.
    fn settle(&self, result: Result<F::Output, JoinError>) {
        let is_cancelled = matches!(result, Err(JoinError::Cancelled));
        if !self.has_ended.replace(true) {
            self.result.set(Some(result));
            self.standing.ended(&self.says, is_cancelled);
            self.joiner.take().into_iter().for_each(Waker::wake);
        }
    }
}

impl<F: Future> Task for Spawned<F> {
    fn poll(&self) -> bool {
        let Some(mut future) = self.future.take() else { return true };
        self.own.before_poll();
        self.standing.resumed(&self.says);
        let poll = || future.as_mut().poll(&mut Context::from_waker(&self.waker));
        match catch_unwind(AssertUnwindSafe(poll)) {
            // It was cancelled meanwhile, by itself: now is its end.
            Ok(Poll::Pending) if self.has_ended.get() => {
                self.end(future, Err(JoinError::Cancelled));
            }
            Ok(Poll::Pending) => {
                self.standing.paused(&self.says);
                self.future.set(Some(future));
                return false;
            }
            Ok(Poll::Ready(output)) => self.end(future, Ok(output)),
            Err(panic) => self.end(future, Err(JoinError::Panicked(panic))),
        }
        true
    }

    fn cancel(&self) {
        if self.has_ended.get() {
            return;
        }
        self.waker.wake_by_ref(); // its slot is freed when its turn comes
        match self.future.take() {
            Some(future) => self.end(future, Err(JoinError::Cancelled)),
            None => self.settle(Err(JoinError::Cancelled)),
        }
    }

    fn standing(&self) -> &Standing {
        &self.standing
    }
}

impl<F: Future> Output<F::Output> for Spawned<F> {
    fn poll_join(&self, cx: &mut Context<'_>) -> Poll<Result<F::Output, JoinError>> {
        let poll = match self.has_ended.get() {
            true => Poll::Ready(self.result.take().expect("a task is joined once")),
            false => {
                // The latest waker counts: whoever polls may be another one each time.
                self.joiner.set(Some(cx.waker().clone()));
                Poll::Pending
            }
        };
        self.says.polled(&JOIN, poll)
    }
}

/// A task seen from outside: a future of its output. Dropped, it lets the task run on.
pub struct JoinHandle<T>(Rc<dyn Output<T>>);

impl<T> JoinHandle<T> {
    pub(crate) fn new<F: Future<Output = T> + 'static>(task: Rc<Spawned<F>>) -> Self {
        JoinHandle(task)
    }

    /// Ends the task where it stands: its future is dropped, and what it holds. One
    /// that has ended is no error. A task that cancels itself runs on to its next
    /// `.await`.
    pub fn cancel(&self) {
        self.0.cancel();
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.poll_join(cx)
    }
}
