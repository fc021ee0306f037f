//! Tasks that depend on each other: a panic of one is reported at once.

use crate::observe::Leaf;
use crate::waiters::Waiters;
use crate::{Either, Executor, JoinHandle, race};
use std::any::Any;
use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{rc::Rc, task::Poll, thread};

static PANIC: Leaf = Leaf::named("unless_panicked", "a panic of a task");

/// Spawns tasks. After a panic of one of them, the others might wait for it forever.
pub(crate) struct TaskGroup {
    executor: Executor,
    /// The latest panic. Set by the task, taken by `unless_panicked`.
    panic: Cell<Option<Box<dyn Any + Send>>>,
    waiters: Waiters,
}

impl TaskGroup {
    pub(crate) fn new(executor: &Executor) -> Rc<TaskGroup> {
        let (executor, panic) = (executor.clone(), Cell::default());
        Rc::new(TaskGroup { executor, panic, waiters: Waiters::new(&PANIC) })
    }

    /// Spawns a task whose panic is reported by `unless_panicked`, not by its handle,
    /// which may be dropped.
    #[track_caller]
    pub(crate) fn spawn(
        self: &Rc<Self>,
        name: &'static str,
        future: impl Future<Output = ()> + 'static,
    ) -> JoinHandle<()> {
        let (group, mut future) = (Rc::clone(self), Box::pin(future));
        let caught = poll_fn(move |cx| {
            let poll = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx)));
            poll.unwrap_or_else(|panic| {
                group.panic.set(Some(panic));
                group.waiters.wake_all();
                Poll::Ready(())
            })
        });
        self.executor.spawn_named(name, caught)
    }

    /// Waits for `future`. If a task of the group panics before its end, or at the same
    /// time, this returns the panic as an error.
    pub(crate) async fn unless_panicked<T>(
        &self,
        future: impl Future<Output = T>,
    ) -> thread::Result<T> {
        let panicked = self.waiters.wait_until(|| self.panic.take());
        match race(future, panicked).await {
            Either::First(output) => self.panic.take().map_or(Ok(output), Err),
            Either::Second(panic) => Err(panic),
        }
    }
}
