//! The tasks that are alive, and where each of them stands: for a trace, and for
//! whoever is told what a program is stuck at.

use super::{Event, Place, Waiting, Watch};
use crate::error::FetchError;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::Location;
use std::rc::Rc;

/// The number of a task. None is used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId(u64);

const NOBODY: TaskId = TaskId(0);

/// All tasks of an executor that have not ended yet. One of them runs, or none does.
#[derive(Debug)]
pub struct Lives {
    watch: Watch,
    tasks: BTreeMap<TaskId, Life>,
    running: TaskId,
    lost: Rc<RefCell<Vec<String>>>,
    latest: u64,
}

/// A task, as far as it can be seen from outside.
#[derive(Debug)]
struct Life {
    purpose: String,
    /// The variant of its enum.
    state: &'static str,
    /// Where it was made.
    made: Place,
    /// Where it stands.
    at: Place,
    waits: Waiting<'static>,
}

/// What a task has returned, until somebody takes it.
pub struct Returned<T> {
    result: Cell<Option<Result<T, FetchError>>>,
    purpose: String,
    lost: Rc<RefCell<Vec<String>>>,
}

impl<T> Returned<T> {
    /// The task has returned this.
    pub fn set(&self, result: Result<T, FetchError>) {
        self.result.set(Some(result));
    }

    /// What the task has returned; nothing if it still runs, or somebody was here
    /// before.
    pub fn take(&self) -> Option<Result<T, FetchError>> {
        self.result.take()
    }
}

impl<T> Drop for Returned<T> {
    fn drop(&mut self) {
        match self.take() {
            // Whoever interrupts it knows.
            None | Some(Ok(_) | Err(FetchError::Interrupted)) => {}
            Some(Err(error)) => {
                self.lost.borrow_mut().push(format!("{}: {error}", self.purpose))
            }
        }
    }
}

impl Lives {
    /// No tasks yet. What they do is told to `watch`.
    pub fn new(watch: Watch) -> Lives {
        let (tasks, lost) = (BTreeMap::new(), Rc::default());
        Lives { watch, tasks, running: NOBODY, lost, latest: 0 }
    }

    /// A task is made by the caller, for a purpose: a URL, a name.
    #[track_caller]
    pub fn created(&mut self, purpose: &str) -> TaskId {
        self.latest += 1;
        let task = TaskId(self.latest);
        let at = Place { file: Location::caller().file(), name: "task" };
        let purpose = purpose.to_string();
        self.watch.note(task.0, Event::Created { purpose: &purpose });
        let life = Life { purpose, state: "New", made: at, at, waits: Waiting::Turn };
        self.tasks.insert(task, life);
        task
    }

    /// A task stands in the ready queue.
    pub fn queued(&self, task: TaskId) {
        self.watch.note(task.0, Event::Queued);
    }

    /// A task runs from now on.
    pub fn resumed(&mut self, task: TaskId) {
        self.running = task;
        if let Some(life) = self.tasks.get_mut(&task) {
            let Life { purpose, state, at, .. } = life;
            self.watch.note(task.0, Event::Resumed { state, purpose, at: *at });
            // Unless it says more.
            (life.at, life.waits) = (life.made, Waiting::Named("a future"));
        }
    }

    /// The task that runs; or a number that no task has.
    pub fn running(&self) -> TaskId {
        self.running
    }

    /// The task that runs is in this state now: its enum's variant.
    pub fn enters(&mut self, state: &'static str) {
        if let Some(life) = self.tasks.get_mut(&self.running) {
            life.state = state;
        }
    }

    /// The task that runs is about to pause, in the function `name` of the caller's
    /// file.
    #[track_caller]
    pub fn will_pause(&mut self, name: &'static str, waits: Waiting<'static>) {
        let at = Place { file: Location::caller().file(), name };
        if let Some(life) = self.tasks.get_mut(&self.running) {
            (life.at, life.waits) = (at, waits);
        }
    }

    /// The task that runs pauses, where it has said.
    pub fn paused(&mut self) {
        if let Some(Life { state, at, waits, .. }) = self.tasks.get(&self.running) {
            let paused = Event::Paused { state, waits: *waits, at: *at };
            self.watch.note(self.running.0, paused);
        }
        self.running = NOBODY;
    }

    /// The task that runs has come to its end, or was ended from outside.
    pub fn ended(&mut self, is_cancelled: bool) {
        let end = if is_cancelled { Event::Cancelled } else { Event::Finished };
        self.watch.note(self.running.0, end);
        self.tasks.remove(&self.running);
        self.running = NOBODY;
    }

    /// A place for what a task will return. An error that is never taken out of it is
    /// not forgotten.
    pub fn returned<T>(&self, task: TaskId) -> Returned<T> {
        let purpose = self.tasks.get(&task).map(|life| life.purpose.clone());
        let (purpose, lost) = (purpose.unwrap_or_default(), Rc::clone(&self.lost));
        Returned { result: Cell::new(None), purpose, lost }
    }

    /// Errors that nobody has asked for, and nobody can any more: a line each, with the
    /// task that it was.
    pub fn lost_errors(&self) -> Vec<String> {
        self.lost.borrow().clone()
    }

    /// The task that runs has made a socket, which the system's selector knows.
    pub fn registered(&self) {
        self.watch.note(self.running.0, Event::Registered);
    }

    /// The system has reported something about the socket that a task waits for.
    pub fn arrived(&self, task: TaskId, readable: bool, writable: bool) {
        self.watch.note(task.0, Event::Arrived { readable, writable });
    }

    /// All tasks.
    pub fn all(&self) -> Vec<TaskId> {
        self.tasks.keys().copied().collect()
    }

    /// Who waits for what, a line each: for the stuck report.
    pub fn who_waits(&self) -> String {
        let line = |Life { purpose, at, waits, .. }: &Life| {
            format!("{purpose}: {} waits for {waits}", at.name)
        };
        self.tasks.values().map(line).collect::<Vec<_>>().join("\n")
    }
}
