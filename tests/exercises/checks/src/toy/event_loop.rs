//! Stage 2's event loop without an operating system: tasks, and timers on a clock that
//! the case sets.

use super::coroutines::{Coroutine, FetchError, Future, Result, Resume, Step};
use crate::{story, yield_from};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

/// The number of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskId(usize);

struct Task {
    coroutine: Box<dyn Coroutine<Return = ()>>,
    resume: Resume,
    waits_for: Option<Future>,
}

/// A task seen from outside: a coroutine that returns the task's result. Dropping it
/// does not end the task.
#[must_use = "an error of the task is lost with its `Join`"]
pub struct Join<T> {
    /// The task itself, for [`Loop::throw`].
    pub task: TaskId,
    done: Future,
    result: Rc<RefCell<Option<Result<T>>>>,
}

impl<T> Coroutine for Join<T> {
    type Return = Result<T>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<T>> {
        let done = yield_from!(self.done, event_loop, resume);
        let result = || self.result.take().expect("a `Join` is awaited once");
        Step::Return(done.and_then(|()| result()))
    }
}

/// The number of a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimerId(u64, usize);

/// What is called once, when its time has come.
pub type Callback = Box<dyn FnOnce(&mut Loop)>;

/// What is called when.
#[derive(Default)]
pub struct Timers {
    all: BTreeMap<TimerId, Callback>,
    latest: usize,
}

impl Timers {
    /// Sets a timer.
    pub fn set(&mut self, when: u64, callback: Callback) -> TimerId {
        self.latest += 1;
        self.all.insert(TimerId(when, self.latest), callback);
        TimerId(when, self.latest)
    }

    /// Clears a timer: its callback is not called.
    pub fn clear(&mut self, timer: TimerId) {
        if self.all.remove(&timer).is_some() {
            story!("  the timer of {} is cleared", timer.0);
        }
    }

    /// Returns how many timers are set.
    pub fn count(&self) -> usize {
        self.all.len()
    }
}

/// Returns an error that was stored for a `Join`, and not taken.
type LostError = Box<dyn Fn() -> Option<FetchError>>;

/// The event loop, with all its futures, tasks and timers.
#[derive(Default)]
pub struct Loop {
    latest: usize,
    pending: HashMap<Future, Vec<TaskId>>,
    tasks: HashMap<TaskId, Task>,
    ready: VecDeque<TaskId>,
    running: Option<TaskId>,
    results: Vec<LostError>,
    now: u64,
    /// What is called when.
    pub timers: Timers,
}

/// The turns after which the loop panics: a task never waits.
const MOST_TURNS: usize = 1000;

impl Loop {
    /// Makes a future. It is pending until `resolve` is called with it.
    pub fn new_future(&mut self) -> Future {
        self.latest += 1;
        self.pending.insert(Future(self.latest), Vec::new());
        Future(self.latest)
    }

    /// Marks the event as having happened: tasks that wait for it are queued.
    pub fn resolve(&mut self, future: Future) {
        for task in self.pending.remove(&future).unwrap_or_default() {
            self.wake(task);
        }
    }

    /// Returns whether the future is not resolved.
    pub fn is_pending(&self, future: Future) -> bool {
        self.pending.contains_key(&future)
    }

    /// Returns the time.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Makes a task of a coroutine. Nothing of it runs now: it is queued.
    pub fn spawn<T: 'static>(
        &mut self,
        mut coroutine: impl Coroutine<Return = Result<T>> + 'static,
    ) -> Join<T> {
        let task = TaskId(self.results.len() + 1);
        let done = self.new_future();
        let result = Rc::new(RefCell::new(None::<Result<T>>));
        let join = Join { task, done, result: Rc::clone(&result) };
        let stored = Rc::clone(&result);
        self.results
            .push(Box::new(move || stored.borrow().as_ref()?.as_ref().err().cloned()));
        let whole = move |event_loop: &mut Loop, resume: Resume| {
            let value = yield_from!(coroutine, event_loop, resume);
            result.replace(Some(value));
            event_loop.resolve(done);
            Step::Return(())
        };
        let coroutine = Box::new(whole);
        self.tasks
            .insert(task, Task { coroutine, resume: Resume::Send, waits_for: None });
        self.wake(task);
        join
    }

    fn wake(&mut self, id: TaskId) {
        self.tasks.get_mut(&id).expect("a parked task is there").waits_for = None;
        self.ready.push_back(id);
    }

    /// Throws an error into a task, at the `yield` where it is parked. Throwing into a
    /// task that runs or has ended does nothing.
    pub fn throw(&mut self, id: TaskId, error: FetchError) {
        let Some(task) = self.tasks.get_mut(&id) else { return };
        story!("at {}: {error:?} is thrown into task {}", self.now, id.0);
        task.resume = Resume::Throw(error);
        let Some(future) = task.waits_for else { return };
        if let Some(waiters) = self.pending.get_mut(&future) {
            waiters.retain(|waiter| *waiter != id);
        }
        self.wake(id);
    }

    /// Throws an error into the task that runs now at `when`, unless it has ended by
    /// then. The timer can be cleared.
    pub fn throw_at(&mut self, when: u64, error: FetchError) -> TimerId {
        let task = self.running.expect("a task throws into itself");
        story!("  a timer is set: at {when} it throws {error:?}");
        self.timers.set(when, Box::new(move |event_loop| event_loop.throw(task, error)))
    }

    /// Resumes the tasks that are ready, until none is.
    pub fn run_ready(&mut self) {
        for turn in 0.. {
            let Some(id) = self.ready.pop_front() else { return };
            assert!(
                turn < MOST_TURNS,
                "{MOST_TURNS} turns without a wait: the loop spins"
            );
            self.step(id);
        }
    }

    fn step(&mut self, id: TaskId) {
        let Some(mut task) = self.tasks.remove(&id) else { return };
        let resume = std::mem::replace(&mut task.resume, Resume::Send);
        story!("at {}: task {} is resumed with {resume:?}", self.now, id.0);
        self.running = Some(id);
        let step = task.coroutine.resume(self, resume);
        self.running = None;
        let Step::Yield(future) = step else { return story!("  and returns") };
        task.waits_for = Some(future);
        self.tasks.insert(id, task);
        match self.pending.get_mut(&future) {
            Some(waiters) => waiters.push(id),
            None => self.wake(id),
        }
    }

    /// Turns the clock, and does what is due on the way.
    pub fn turn_to(&mut self, time: u64) {
        self.run_ready();
        while let Some(timer) = self.timers.all.first_entry() {
            if timer.key().0 > time {
                break;
            }
            self.now = self.now.max(timer.key().0);
            timer.remove()(self);
            self.run_ready();
        }
        self.now = time;
    }

    /// Returns the errors that no task has asked for.
    pub fn lost_errors(&self) -> Vec<FetchError> {
        self.results.iter().filter_map(|it| it()).collect()
    }
}
