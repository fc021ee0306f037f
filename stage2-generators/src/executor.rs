//! Tasks, and the executor that runs them. A task is a coroutine that runs by itself;
//! and it is a future, too.

use crate::{Coroutine, Future, Futures, RESOLVED, Result, Resume, Step, yield_from};
use shared::{FetchError, Returned, Stop, TaskId, TimerId, Watch, stop::Bell};
use std::{io, mem, rc::Rc, sync::Arc, time::Instant};

/// Drives a coroutine: resumes it each time that the future has been resolved which it
/// yielded last.
pub(crate) struct Task {
    coroutine: Box<dyn Coroutine<Return = ()>>,
    /// How it is resumed next.
    pub(crate) resume: Resume,
    /// The future that it waits for; or else it is ready.
    pub(crate) on: Option<Future>,
}

impl Task {
    // ANCHOR: step
    /// Resumes the coroutine, and parks on the future that it yields. Who does not park
    /// is gone.
    pub(crate) fn step(mut self, id: TaskId, futures: &mut Futures) {
        let how = mem::replace(&mut self.resume, Resume::Send);
        let is_thrown = how != Resume::Send;
        futures.lives.resumed(id);
        let Step::Yield(future) = self.coroutine.resume(futures, how) else {
            return futures.lives.ended(is_thrown);
        };
        futures.lives.paused();
        self.on = Some(future);
        futures.tasks.insert(id, self);
        futures.when(future, Box::new(move |futures| futures.wake(id, future)));
    }
    // ANCHOR_END: step
}

/// A task seen from outside: a future with a value. To await it is to run it as a
/// coroutine, which returns the task's result. Dropped, it lets the task go its way.
#[must_use = "whoever drops it does not ask for errors"]
pub struct Join<T> {
    /// The task itself, for [`Futures::throw`].
    pub task: TaskId,
    done: Future,
    result: Rc<Returned<T>>,
}

impl<T> Coroutine for Join<T> {
    type Return = Result<T>;

    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Result<T>> {
        let done = yield_from!(self.done, futures, how);
        Step::Return(
            done.and_then(|()| self.result.take().expect("it is awaited once")),
        )
    }
}

impl Futures {
    /// Makes a task of a coroutine, which runs when its turn comes: now nothing runs.
    /// `purpose` is for the person who reads a trace or a stuck report.
    #[track_caller]
    pub fn spawn<T: 'static>(
        &mut self,
        purpose: &str,
        mut coroutine: impl Coroutine<Return = Result<T>> + 'static,
    ) -> Join<T> {
        let (task, done) = (self.lives.created(purpose), self.new_future());
        let join = Join { task, done, result: Rc::new(self.lives.returned(task)) };
        let result = Rc::clone(&join.result);
        let whole = move |futures: &mut Futures, how: Resume| {
            let value = yield_from!(coroutine, futures, how);
            result.set(value);
            futures.resolve(done);
            Step::Return(())
        };
        let (coroutine, resume) = (Box::new(whole), Resume::Send);
        self.tasks.insert(task, Task { coroutine, resume, on: Some(RESOLVED) });
        self.wake(task, RESOLVED);
        join
    }

    /// Throws an error into the task that runs now at `when`, if it has not ended then.
    pub fn throw_at(&mut self, when: Instant, error: FetchError) -> TimerId {
        let task = self.lives.running();
        self.timers.set(when, Box::new(move |futures| futures.throw(task, error)))
    }
}

/// Resumes who is ready; and when nobody is, waits for what makes somebody so.
pub struct Executor {
    /// Its tasks, and what they wait for: here one spawns, resolves and throws.
    pub futures: Futures,
    /// Rung by the stop, it ends our wait.
    bell: Bell,
}

impl Executor {
    /// An executor without tasks. Pulling `stop` ends a run; what happens is told to
    /// `watch`.
    ///
    /// # Errors
    /// The operating system's selector cannot be made.
    pub fn new(stop: &Stop, watch: Watch) -> io::Result<Executor> {
        let futures = Futures::new(watch)?;
        let poller = Arc::clone(&futures.poller);
        // It fails only where the selector is gone, and then nobody waits.
        let bell = stop.hang(move || drop(poller.notify()));
        Ok(Executor { futures, bell })
    }

    /// Runs all tasks until this one has returned; the others stay as they are then.
    /// When the stop is pulled, `Interrupted` is thrown into each task, once, and that
    /// is the last that it sees.
    ///
    /// # Errors
    /// The outer one: the operating system does not let us wait. The inner one: what
    /// the coroutine returned; or `Interrupted` by the stop; or `Stuck`, with who waits
    /// on what, when nobody is ready, and nothing can make anybody so.
    pub fn run_until_complete<T>(&mut self, task: Join<T>) -> io::Result<Result<T>> {
        while !self.bell.is_rung() {
            self.round(false);
            if let Some(result) = task.result.take() {
                return Ok(result);
            }
            if self.futures.is_stuck() {
                return Ok(Err(FetchError::Stuck(self.futures.lives.who_waits())));
            }
            self.futures.turn()?;
        }
        for id in self.futures.lives.all() {
            self.futures.throw(id, FetchError::Interrupted);
        }
        self.round(true);
        Ok(task.result.take().unwrap_or(Err(FetchError::Interrupted)))
    }

    /// Resumes each task once that is ready now. Who becomes ready meanwhile has its
    /// turn when sockets and timers have been served. It ends early when the bell is
    /// not as `rings` says: a usual round when it begins to ring, the last one never.
    fn round(&mut self, rings: bool) {
        for _ in 0..self.futures.ready.len() {
            if self.bell.is_rung() != rings {
                return;
            }
            let Some(id) = self.futures.ready.pop_front() else { return };
            let Some(task) = self.futures.tasks.remove(&id) else { continue };
            task.step(id, &mut self.futures);
        }
    }
}
