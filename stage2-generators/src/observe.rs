//! What traces, stuck reports and lists of lost errors say about tasks. Nothing in this
//! file decides anything. (Without it, a [`WatchedCell`] would be the cell inside.)

use crate::{Coroutine, Fetch, Loop, Result, Resume, Step, TaskId};
use polling::Event as Readiness;
use shared::trace::{Event, Location, WaitReason};
use shared::{FetchError, Trace};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::rc::Rc;

/// What is recorded of each task that has not ended.
#[derive(Debug)]
pub(crate) struct Observer {
    pub(crate) trace: Trace,
    records: BTreeMap<TaskId, TaskRecord>,
    /// The task that runs, to which `set_state`, `park_at` and `registered` refer.
    running: Option<TaskId>,
    /// The errors that were dropped together with the handles of their tasks.
    lost: Rc<RefCell<Vec<String>>>,
}

/// One task.
#[derive(Debug)]
struct TaskRecord {
    /// Its label: a URL or a name.
    label: String,
    /// The current variant of the task's state enum, initially "New".
    state: &'static str,
    /// Where it was spawned.
    made: Location,
    /// Where the task is parked, and why. Updated each time the task runs.
    at: Location,
    waits: WaitReason<'static>,
}

/// The cell of a task's result.
type ResultCell<T> = Cell<Option<Result<T>>>;

/// Wraps the cell of a task's result. An error that is still in the cell when it is
/// dropped is added to the lost errors.
pub(crate) struct WatchedCell<T> {
    cell: ResultCell<T>,
    label: String,
    lost: Rc<RefCell<Vec<String>>>,
}

impl<T> Deref for WatchedCell<T> {
    type Target = ResultCell<T>;

    fn deref(&self) -> &ResultCell<T> {
        &self.cell
    }
}

impl<T> Drop for WatchedCell<T> {
    fn drop(&mut self) {
        match self.take() {
            // Interruptions are asked for, so they are not reported.
            None | Some(Ok(_) | Err(FetchError::Interrupted)) => {}
            Some(Err(error)) => {
                self.lost.borrow_mut().push(format!("{}: {error}", self.label))
            }
        }
    }
}

/// Wraps a task's coroutine, and records when it runs. A task that returns when an
/// error is thrown into it is recorded as cancelled, whatever it returns.
pub(crate) struct Observed<C> {
    pub(crate) task: TaskId,
    pub(crate) coroutine: C,
}

impl<C: Coroutine> Coroutine for Observed<C> {
    type Return = C::Return;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<C::Return> {
        let end = match resume {
            Resume::Send => Event::Finished,
            Resume::Throw(_) => Event::Cancelled,
        };
        event_loop.observe.resumed(self.task);
        let step = self.coroutine.resume(event_loop, resume);
        match step {
            Step::Yield(_) => event_loop.observe.paused(),
            Step::Return(_) => event_loop.observe.ended(end),
        }
        step
    }
}

impl Fetch {
    /// Returns the name of the variant.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Fetch::Connecting { .. } => "Connecting",
            Fetch::Sending { .. } => "Sending",
            Fetch::Reading { .. } => "Reading",
        }
    }
}

impl Loop {
    /// Returns the errors that were dropped together with the handles of their tasks,
    /// each with the task's name.
    pub fn lost_errors(&self) -> Vec<String> {
        self.observe.lost.borrow().clone()
    }

    /// Lists what each task waits for, one per line, for the stuck report.
    pub(crate) fn waiters_report(&self) -> String {
        let line = |TaskRecord { label, at, waits, .. }: &TaskRecord| {
            format!("{label}: {} waits for {waits}", at.name)
        };
        self.observe.records.values().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl Observer {
    /// Creates an observer without tasks. What tasks do is written to the trace.
    pub(crate) fn new(trace: Trace) -> Observer {
        Observer { trace, records: BTreeMap::new(), running: None, lost: Rc::default() }
    }

    /// Records that the caller makes a task. Wraps the cell of its result.
    #[track_caller]
    pub(crate) fn created<T>(
        &mut self,
        task: TaskId,
        label: &str,
        cell: ResultCell<T>,
    ) -> WatchedCell<T> {
        self.trace.record(task.0, Event::Created { label });
        let label = label.to_string();
        let at = Location::caller("task");
        let lost = Rc::clone(&self.lost);
        let watched = WatchedCell { cell, label: label.clone(), lost };
        let waits = WaitReason::Turn;
        let record = TaskRecord { label, state: "New", made: at, at, waits };
        self.records.insert(task, record);
        watched
    }

    /// Records that a task is put into the ready queue.
    #[track_caller]
    pub(crate) fn queued(&self, task: TaskId) {
        self.trace.record(task.0, Event::Queued);
    }

    fn resumed(&mut self, task: TaskId) {
        self.running = Some(task);
        let Some(record) = self.records.get_mut(&task) else { return };
        let TaskRecord { label, state, at, .. } = record;
        let resumed = Event::Resumed { state, label, at: *at };
        self.trace.record(task.0, resumed);
        // Unless `park_at` says more.
        (record.at, record.waits) = (record.made, WaitReason::Named("a future"));
    }

    /// Records the state of the task that runs: a variant of its enum.
    pub(crate) fn set_state(&mut self, state: &'static str) {
        if let Some(record) = self.current() {
            record.state = state;
        }
    }

    /// Records why the running task will wait if it pauses now, and where: in the
    /// function `name` of the caller's file.
    #[track_caller]
    pub(crate) fn park_at(&mut self, name: &'static str, waits: WaitReason<'static>) {
        let at = Location::caller(name);
        if let Some(record) = self.current() {
            (record.at, record.waits) = (at, waits);
        }
    }

    fn paused(&mut self) {
        let Some(task) = self.running.take() else { return };
        if let Some(&TaskRecord { state, at, waits, .. }) = self.records.get(&task) {
            let socket = waits.is_socket().then_some(task.0);
            self.trace.record(task.0, Event::Paused { state, waits, socket, at });
        }
    }

    fn ended(&mut self, end: Event<'_>) {
        let Some(task) = self.running.take() else { return };
        if let Some(record) = self.records.remove(&task) {
            // The last leaf that the task awaited, or the place where it was spawned.
            self.trace.record_at(record.at.line, task.0, end);
        }
    }

    /// Records that the task that runs has registered a socket. A task has only one
    /// socket at a time, so the task's number also identifies the socket.
    #[track_caller]
    pub(crate) fn registered(&self) {
        if let Some(TaskId(socket)) = self.running {
            self.trace.record(socket, Event::Registered { socket });
        }
    }

    /// Records that the operating system has reported an event of a task's socket.
    /// `task` is `None` if the event is stale.
    #[track_caller]
    pub(crate) fn arrived(&self, task: Option<TaskId>, event: &Readiness) {
        if let Some(TaskId(socket)) = task {
            let (readable, writable) = (event.readable, event.writable);
            self.trace.record(socket, Event::Arrived { socket, readable, writable });
        }
    }

    fn current(&mut self) -> Option<&mut TaskRecord> {
        self.records.get_mut(&self.running?)
    }
}
