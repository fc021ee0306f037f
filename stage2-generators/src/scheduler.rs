//! The executor: the tasks, and the queue of those that are ready. A task is a
//! coroutine that runs by itself. From outside, it is also a future.

use crate::observe::Observed; // observe
use crate::observe::TaskResult;
use crate::{Coroutine, Future, Loop, Result, Resume, Step, yield_from};
use shared::{FetchError, TimerId};
use std::collections::BTreeMap;
use std::{mem, rc::Rc, time::Instant};

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
/// result. Dropping the handle does not end the task.
#[must_use = "an error of the task is lost with its `Join`"]
pub struct Join<T> {
    /// The task itself, for [`Loop::throw`].
    pub task: TaskId,
    /// Resolved when the task has returned.
    done: Future,
    pub(crate) result: Rc<TaskResult<T>>,
}

impl<T> Coroutine for Join<T> {
    type Return = Result<T>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<T>> {
        let done = yield_from!(self.done, event_loop, resume);
        let result = || self.result.take().expect("it is awaited once");
        Step::Return(done.and_then(|()| result()))
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
        let result = Rc::new(self.observe.created(task, name));
        let join = Join { task, done, result: Rc::clone(&result) };
        // ANCHOR: whole
        let whole = move |event_loop: &mut Loop, resume: Resume| {
            let returned = yield_from!(coroutine, event_loop, resume);
            result.set(returned);
            event_loop.resolve(done);
            Step::Return(())
        };
        // ANCHOR_END: whole
        let whole = Observed { task, coroutine: whole }; // observe
        let coroutine = Box::new(whole);
        let parked = Task { coroutine, resume: Resume::Send, waits_for: None };
        self.scheduler.tasks.insert(task, parked);
        self.wake(task);
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
            None => self.wake(id), // it is resolved already
        }
    }
    // ANCHOR_END: step

    /// Puts a parked task into the ready queue.
    pub(crate) fn wake(&mut self, id: TaskId) {
        let task = self.scheduler.tasks.get_mut(&id).expect("a parked task is there");
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
        self.wake(id);
    }
    // ANCHOR_END: throw

    /// Sets a timer for the current task: at `when`, this error is thrown into it.
    /// Clear the timer to prevent that.
    pub fn throw_at(&mut self, when: Instant, error: FetchError) -> TimerId {
        let task = self.scheduler.running.expect("a task throws into itself");
        let throw = move |event_loop: &mut Loop| event_loop.throw(task, error);
        self.reactor.timers.set(when, Box::new(throw))
    }

    /// Resumes every task that is ready now, once. Tasks that become ready meanwhile
    /// run after the next look at sockets and timers. Once a stop is requested, no
    /// other task is resumed.
    pub fn run_ready(&mut self) {
        for id in mem::take(&mut self.scheduler.ready) {
            if !self.stop.is_requested() {
                self.step(id);
            }
        }
    }

    /// Throws `Interrupted` into each task and resumes it one last time.
    pub(crate) fn run_cancelled(&mut self) {
        let tasks: Vec<TaskId> = self.scheduler.tasks.keys().copied().collect();
        for task in tasks {
            self.throw(task, FetchError::Interrupted);
            self.step(task);
        }
    }
}
