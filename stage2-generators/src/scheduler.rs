//! The scheduler: the tasks, and the queue of those that are ready. A task is a
//! coroutine that runs by itself. From outside, it is also a future.

use crate::observe::Observed; // observe
use crate::observe::WatchedCell;
use crate::{Coroutine, Future, Loop, Result, Resume, Step, yield_from};
use shared::trace::By; // observe
use shared::{FetchError, TimerId};
use std::collections::BTreeMap;
use std::{cell::Cell, mem, rc::Rc, time::Instant};

/// The number of a task. Numbers are never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskId(pub(crate) u64);

/// A coroutine that runs by itself. It is resumed when the future that it yielded last
/// is resolved.
struct Task {
    coroutine: Box<dyn Coroutine<Return = ()>>,
    /// How it is resumed next.
    resume: Resume,
    /// The future that it yielded last. `None` while the task is in the ready queue.
    waits_for: Option<Future>,
}

/// The table of all tasks that have not ended, and the queue of those that are ready.
#[derive(Default)]
pub(crate) struct Scheduler {
    /// All tasks but the one that runs, which `step` owns.
    tasks: BTreeMap<TaskId, Task>,
    /// The ready queue: tasks to resume, in this order.
    pub(crate) ready: Vec<TaskId>,
    /// The task that runs. `None` between two steps.
    pub(crate) running: Option<TaskId>,
    /// The number of the latest task.
    latest: u64,
}

/// A handle to a task. Run as a coroutine, it waits for the task and returns its
/// result. Like any coroutine, it must not be resumed after that: there is one result,
/// so it would panic. Dropping the handle does not end the task.
#[must_use = "an error of the task is lost with its `Join`"]
pub struct Join<T> {
    /// The task itself, for [`Loop::throw`].
    pub task: TaskId,
    /// Resolved when the task has returned.
    done: Future,
    /// A `Cell<Option<Result<T>>>`. It is empty until the task has returned, and after
    /// the result was taken.
    pub(crate) result: Rc<WatchedCell<T>>,
}

impl<T> Coroutine for Join<T> {
    type Return = Result<T>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<T>> {
        let done = yield_from!(self.done, event_loop, resume);
        Step::Return(done.and_then(|()| self.result.take().expect("awaited once")))
    }
}

impl Loop {
    /// Makes a task of a coroutine, and queues it. None of its code runs yet.
    #[track_caller]
    pub fn spawn<T: 'static>(
        &mut self,
        coroutine: impl Coroutine<Return = Result<T>> + 'static,
    ) -> Join<T> {
        self.spawn_named("task", coroutine)
    }

    /// Like [`spawn`](Self::spawn), with a name that traces and reports show.
    /// (`asyncio.create_task(coroutine, name=name)`)
    #[track_caller]
    pub fn spawn_named<T: 'static>(
        &mut self,
        name: &str,
        mut coroutine: impl Coroutine<Return = Result<T>> + 'static,
    ) -> Join<T> {
        self.scheduler.latest += 1;
        let task = TaskId(self.scheduler.latest);
        let done = self.new_future();
        let result = Rc::new(self.observe.created(task, name, Cell::new(None)));
        let join = Join { task, done, result: Rc::clone(&result) };
        // ANCHOR: whole
        let whole = move |event_loop: &mut Loop, resume: Resume| {
            let returned = yield_from!(coroutine, event_loop, resume);
            result.set(Some(returned));
            event_loop.resolve(done);
            Step::Return(())
        };
        // ANCHOR_END: whole
        let whole = Observed { task, coroutine: whole }; // observe
        let coroutine = Box::new(whole);
        let new = Task { coroutine, resume: Resume::Send, waits_for: None };
        self.scheduler.tasks.insert(task, new);
        self.queue(task);
        join
    }

    // ANCHOR: step
    /// Resumes a task's coroutine, and parks the task on the future that it yields. A
    /// task whose coroutine returns is dropped.
    fn step(&mut self, id: TaskId) {
        let Some(mut task) = self.scheduler.tasks.remove(&id) else { return };
        let resume = mem::replace(&mut task.resume, Resume::Send);
        self.scheduler.running = Some(id);
        let step = task.coroutine.resume(self, resume);
        self.scheduler.running = None;
        let Step::Yield(future) = step else { return };
        task.waits_for = Some(future);
        self.scheduler.tasks.insert(id, task);
        match self.futures.pending.get_mut(&future) {
            Some(waiters) => waiters.push(id),
            None => self.queue(id), // it is resolved already
        }
    }
    // ANCHOR_END: step

    /// Puts a task into the ready queue: a new one, or one that was parked.
    pub(crate) fn queue(&mut self, id: TaskId) {
        let task = self.scheduler.tasks.get_mut(&id).expect("it has not ended");
        task.waits_for = None;
        self.scheduler.ready.push(id);
        self.observe.queued(id); // observe
    }

    // ANCHOR: throw
    /// Throws an error into a task, at the `yield` where it is parked. The task no
    /// longer waits for its future, and is not resumed when that is resolved. A second
    /// error replaces the first if the task has not run in between. Throwing into a
    /// task that runs or has ended does nothing. (`task.cancel()`)
    pub fn throw(&mut self, id: TaskId, error: FetchError) {
        let Some(task) = self.scheduler.tasks.get_mut(&id) else { return };
        task.resume = Resume::Throw(error);
        let Some(future) = task.waits_for else { return }; // it is ready already
        if let Some(waiters) = self.futures.pending.get_mut(&future) {
            waiters.retain(|waiter| *waiter != id);
        }
        self.queue(id);
    }
    // ANCHOR_END: throw

    /// Sets a timer for the current task: at `when`, this error is thrown into it.
    /// Clear the timer to prevent that.
    ///
    /// # Panics
    /// No task is running: the call comes from a timer, or from outside the loop.
    pub fn throw_at(&mut self, when: Instant, error: FetchError) -> TimerId {
        let task = self.scheduler.running.expect("a task throws into itself");
        self.reactor.timers.set(when, Box::new(move |it| it.throw(task, error)))
    }

    /// Resumes every task that is ready now, once. Tasks that become ready meanwhile
    /// run after the next look at sockets and timers. Once a stop is requested, no
    /// other task is resumed: the others stay in the queue, for `cancel_all`.
    pub fn run_ready(&mut self) {
        for id in mem::take(&mut self.scheduler.ready) {
            match self.stop.is_requested() {
                true => self.scheduler.ready.push(id),
                false => self.step(id),
            }
        }
    }

    /// Throws `Interrupted` into each task and resumes it one last time.
    pub(crate) fn cancel_all(&mut self) {
        self.observe.trace.set_caller(By::LOOP); // observe
        for task in Vec::from_iter(self.scheduler.tasks.keys().copied()) {
            self.throw(task, FetchError::Interrupted);
        }
        // All tasks are in the ready queue now, each once.
        for task in mem::take(&mut self.scheduler.ready) {
            self.step(task);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::{Stop, Trace};

    #[test]
    fn a_cancelled_task_that_waits_again_is_not_ready() {
        let mut event_loop =
            Loop::new(&Stop::new(), Trace::off()).expect("a selector can be made");
        let never = event_loop.new_future();
        let stubborn = move |_: &mut Loop, _| Step::<Result<()>>::Yield(never);
        let parked = event_loop.spawn(stubborn);
        event_loop.run_ready();
        let ready = event_loop.spawn(stubborn);
        event_loop.cancel_all();
        assert_eq!(event_loop.scheduler.ready, []);
        assert_eq!(event_loop.futures.pending[&never], [ready.task, parked.task]);
    }
}
