//! The tasks that are alive, and where each of them stands: for a trace, and for whoever
//! is told what a program is stuck at.

use super::{Event, Place, Waiting, Watch};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::panic::Location;

/// The number of a task. None is used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId(u64);

/// All tasks of an executor that have not ended yet. One of them runs, or none does.
#[derive(Debug)]
pub struct Lives {
    watch: Watch,
    tasks: BTreeMap<TaskId, Life>,
    running: TaskId,
    lost: Vec<String>,
    latest: u64,
}

/// A task, as far as it can be seen from outside.
#[derive(Debug)]
struct Life {
    purpose: String,
    /// The variant of its enum.
    state: &'static str,
    /// Where it stands.
    at: Place,
    waits: Waiting<'static>,
}

impl Lives {
    /// No tasks yet. What they do is told to `watch`.
    pub fn new(watch: Watch) -> Lives {
        let (tasks, lost) = (BTreeMap::new(), Vec::new());
        Lives { watch, tasks, running: TaskId(0), lost, latest: 0 }
    }

    /// A task is made by the caller, for a purpose: a URL, a name.
    #[track_caller]
    pub fn created(&mut self, purpose: &str) -> TaskId {
        self.latest += 1;
        let task = TaskId(self.latest);
        let at = Place { file: Location::caller().file(), name: "spawn" };
        let purpose = purpose.to_string();
        self.watch.note(task.0, Event::Created { purpose: &purpose });
        let life = Life { purpose, state: "New", at, waits: Waiting::Turn };
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
        if let Some(Life { purpose, state, at, waits }) = self.tasks.get_mut(&task) {
            self.watch.note(task.0, Event::Resumed { state, purpose, at: *at });
            // Unless it says more.
            *waits = Waiting::Named("a future");
        }
    }

    /// The task that runs, or ran last.
    pub fn running(&self) -> TaskId {
        self.running
    }

    /// The task that runs is in this state now: its enum's variant.
    pub fn enters(&mut self, state: &'static str) {
        if let Some(life) = self.tasks.get_mut(&self.running) {
            life.state = state;
        }
    }

    /// The task that runs is about to pause, in the function `name` of the caller's file.
    #[track_caller]
    pub fn will_pause(&mut self, name: &'static str, waits: Waiting<'static>) {
        let at = Place { file: Location::caller().file(), name };
        if let Some(life) = self.tasks.get_mut(&self.running) {
            (life.at, life.waits) = (at, waits);
        }
    }

    /// The task that runs pauses, where it has said.
    pub fn paused(&self) {
        if let Some(Life { state, at, waits, .. }) = self.tasks.get(&self.running) {
            let paused = Event::Paused { state, waits: *waits, at: *at };
            self.watch.note(self.running.0, paused);
        }
    }

    /// The task that runs has come to its end, or was ended from outside.
    pub fn ended(&mut self, is_cancelled: bool) {
        let end = if is_cancelled { Event::Cancelled } else { Event::Finished };
        self.watch.note(self.running.0, end);
        self.tasks.remove(&self.running);
    }

    /// The task that runs ends with an error, and nobody is left to ask for it.
    pub fn lost(&mut self, error: &impl Display) {
        if let Some(life) = self.tasks.get(&self.running) {
            self.lost.push(format!("{}: {error}", life.purpose));
        }
    }

    /// Errors that nobody asked for, a line each, with the task that it was.
    pub fn lost_errors(&self) -> &[String] {
        &self.lost
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
