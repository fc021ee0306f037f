//! A task's handle: how to await a task, and how to cancel it.

use crate::machine::{budget::Draw, executor::Executor, ready::TaskWaker};
use crate::observe::Leaf; // observe
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::{Context, Poll, Waker, ready};
use std::{future::Future, pin::Pin, rc::Rc, sync::Arc};

static HANDLE: Leaf = Leaf::named("JoinHandle", "another task"); // observe

/// Why a task has no output.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// The task was cancelled: its future was dropped.
    #[error("the task was cancelled")]
    Cancelled,
    /// The task panicked with this payload.
    #[error("the task panicked")]
    Panicked(Box<dyn Any + Send>),
}

/// A task's future, whose output goes to a handle. It never panics. Its outcome is
/// settled when it returns, panics or is dropped.
struct Joined<F: Future> {
    /// Taken when the task ends, so that the outcome is settled only once.
    future: Option<Pin<Box<F>>>,
    outcome: Rc<Outcome<F::Output>>,
}

// ANCHOR: settle
/// What a task and its handle share. Settled once, when the task ends.
struct Outcome<T>(Cell<State<T>>);

enum State<T> {
    /// The task has not ended. The waker is that of the task that awaits the handle.
    Running(Option<Waker>),
    /// The task has ended, and the handle has not taken its result.
    Ended(Result<T, JoinError>),
    /// The handle has taken the result or was dropped. Also a placeholder while a
    /// method has taken the state out of the cell.
    Detached,
}

impl<T> Outcome<T> {
    /// Stores the result for the handle, and wakes the task that awaits the handle.
    fn settle(&self, result: Result<T, JoinError>) {
        match self.0.replace(State::Detached) {
            State::Running(joiner) => {
                self.0.set(State::Ended(result));
                joiner.into_iter().for_each(Waker::wake);
            }
            _ => drop_caught(result),
        }
    }
}
// ANCHOR_END: settle

/// Drops an output that is never taken. A panic in its destructor must not end other
/// tasks.
fn drop_caught(output: impl Sized) {
    // The panic hook has reported it.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(output)));
}

impl<F: Future> Joined<F> {
    /// Drops the future, then settles the outcome. Only the first call has an effect.
    fn end(&mut self, result: Result<F::Output, JoinError>) {
        let Some(future) = self.future.take() else { return };
        match catch_unwind(AssertUnwindSafe(|| drop(future))) {
            Ok(()) => self.outcome.settle(result),
            Err(panic) => {
                drop_caught(result);
                self.outcome.settle(Err(JoinError::Panicked(panic)));
            }
        }
    }
}

impl<F: Future> Future for Joined<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let future = self.future.as_mut().expect("a task is not polled after its end");
        let poll = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx)));
        self.end(match poll {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Ok(output),
            Err(panic) => Err(JoinError::Panicked(panic)),
        });
        Poll::Ready(())
    }
}

impl<F: Future> Drop for Joined<F> {
    fn drop(&mut self) {
        self.end(Err(JoinError::Cancelled));
    }
}

/// A handle to a task: a future of the task's output. If the handle is dropped, the
/// task keeps running. A poll after it was ready panics.
pub struct JoinHandle<T> {
    cancel: CancelHandle,
    outcome: Rc<Outcome<T>>,
    draw: Draw,
}

/// Cancels a task, from any thread. It keeps neither the task nor its output alive.
///
/// The executor does not know that another thread has this handle: `block_on` may return
/// [`Stuck`](crate::Stuck) first. Hold a [`WorkGuard`](crate::WorkGuard) meanwhile, or use
/// [`Executor::run_until`].
#[derive(Clone)]
pub struct CancelHandle {
    task: Arc<TaskWaker>,
    traced: shared::trace::TracedCancels, // observe
}

impl Executor {
    /// Makes a task of a future. It is polled for the first time when its turn comes.
    ///
    /// ```
    /// use stage3_async::Executor;
    ///
    /// let executor = Executor::new()?;
    /// let task = executor.spawn(async { "done" });
    /// assert!(!task.is_finished(), "tasks run in `block_on`, not in `spawn`");
    /// assert_eq!(executor.block_on(task)??, "done");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn spawn<F: Future + 'static>(&self, future: F) -> JoinHandle<F::Output> {
        self.spawn_named("a task", future)
    }

    /// Like [`spawn`](Self::spawn), with a name for traces and stuck reports.
    #[track_caller]
    pub fn spawn_named<F: Future + 'static>(
        &self,
        name: &'static str,
        future: F,
    ) -> JoinHandle<F::Output> {
        let outcome = Rc::new(Outcome(Cell::new(State::Running(None))));
        let future = Some(Box::pin(future));
        let joined = Joined { future, outcome: Rc::clone(&outcome) };
        let waker = self.insert(Box::pin(joined));
        self.0.observer.spawned(&waker, name); // observe
        if waker.is_cancelled() {
            outcome.settle(Err(JoinError::Cancelled)); // it was refused
        }
        let cancel = CancelHandle {
            traced: self.0.observer.wakers.cancels(waker.id.number), // observe
            task: waker,
        };
        JoinHandle { cancel, outcome, draw: Draw::default() }
    }
}

impl<T> JoinHandle<T> {
    /// Marks the task as cancelled, and wakes it. When the task's turn comes, the
    /// executor drops the suspended future, with everything that it owns. No destructor
    /// runs inside of this call.
    ///
    /// A task that cancels itself runs until its current poll ends, at the next
    /// `.await` that has to wait. If it returns before that, its output is kept, and
    /// so is the output of a task that has ended already.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Returns a handle that can only cancel the task, from any thread.
    pub fn cancel_handle(&self) -> CancelHandle {
        self.cancel.clone()
    }

    /// Returns whether the task has ended. If so, its handle is ready at once.
    pub fn is_finished(&self) -> bool {
        let state = self.outcome.0.replace(State::Detached);
        let is_finished = !matches!(state, State::Running(_));
        self.outcome.0.set(state);
        is_finished
    }
}

impl CancelHandle {
    /// Does the same as [`JoinHandle::cancel`].
    pub fn cancel(&self) {
        self.traced.cancelled(); // observe
        self.task.cancel();
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        ready!(Pin::new(&mut self.draw).poll(cx));
        let before = self.outcome.0.replace(State::Detached);
        match before {
            State::Ended(result) => {
                HANDLE.passed(); // observe
                Poll::Ready(result)
            }
            State::Running(_) => {
                // The latest waker counts: each poll may come from another task.
                self.outcome.0.set(State::Running(Some(cx.waker().clone())));
                HANDLE.parked(); // observe
                Poll::Pending
            }
            State::Detached => panic!("a task is joined once"),
        }
    }
}

impl<T> Drop for JoinHandle<T> {
    fn drop(&mut self) {
        drop_caught(self.outcome.0.replace(State::Detached));
    }
}
