//! What each task waits for: for `--trace`, and for the report of a stuck executor.
//!
//! The machine would run without this file, so read it last. A leaf that has to wait
//! writes its name into a cell of the thread ([`Leaf::parked`]), and a leaf that is
//! ready empties the cell ([`Leaf::passed`]). [`Leaf::polled`] does either of these
//! for sockets. After the turn the executor's observer copies the name into its record
//! of the task. That is all, unless a trace is written.

use crate::machine::ready::{MAIN, TaskId, TaskWaker};
use mio::{Token, event::Event as MioEvent};
use shared::trace::{
    By, Caller, Event, Location, Trace, TracedWakers, WaitReason, group_lines,
};
use std::cell::{Cell, RefCell};
use std::task::{Poll, Waker};
use std::{panic, rc::Rc};

thread_local! {
    /// The first leaf that was pending in the current turn: if the turn ends now, the
    /// task is parked there. Set by that leaf, emptied by a leaf that is ready, taken
    /// at the end of the turn.
    static PARKED: Cell<Option<WaitPoint>> = const { Cell::new(None) };
    /// The observer of the executor that runs on this thread. Set when a run begins,
    /// and restored when it ends, since a task may run another executor.
    static RUNNING: RefCell<Option<Rc<Observer>>> = const { RefCell::new(None) };
}

/// The end of a chain of awaits: an operation, and what it waits for.
#[derive(Debug)]
pub struct Leaf {
    name: &'static str,
    reason: WaitReason<'static>,
    /// The file that declares the leaf. If it is empty, the file of the `spawn` is
    /// shown.
    file: &'static str,
}

/// Where a leaf is pending.
#[derive(Clone, Copy)]
struct WaitPoint {
    leaf: &'static Leaf,
    line: Caller,
    /// The number of the socket that the leaf waits for; `None` if it waits for none.
    socket: Option<u64>,
}

/// The leaf of a task that has never been polled.
static NEW: Leaf = Leaf { name: "New", reason: WaitReason::Turn, file: "" };
/// The leaf of a task that waits at a leaf of another crate.
static UNKNOWN: Leaf = Leaf { name: "it", reason: UNNAMED, file: "" };
const UNNAMED: WaitReason<'static> =
    WaitReason::Named("something that it does not name");

impl Default for &'static Leaf {
    /// Returns the leaf of a socket that has no name yet.
    fn default() -> Self {
        &UNKNOWN
    }
}

impl Leaf {
    #[track_caller]
    const fn new(name: &'static str, reason: WaitReason<'static>) -> Leaf {
        Leaf { name, reason, file: panic::Location::caller().file() }
    }

    /// A leaf that waits for something with a name.
    #[track_caller]
    pub const fn named(name: &'static str, what: &'static str) -> Leaf {
        Leaf::new(name, WaitReason::Named(what))
    }

    /// A leaf that waits for its socket to be readable.
    #[track_caller]
    pub const fn readable(name: &'static str) -> Leaf {
        Leaf::new(name, WaitReason::Readable)
    }

    /// A leaf that waits for its socket to be writable.
    #[track_caller]
    pub const fn writable(name: &'static str) -> Leaf {
        Leaf::new(name, WaitReason::Writable)
    }

    /// Makes a leaf that waits for a timer.
    #[track_caller]
    pub const fn timer(name: &'static str) -> Leaf {
        Leaf::new(name, WaitReason::Timer)
    }

    /// A leaf that lets other tasks run first.
    #[track_caller]
    pub const fn turn(name: &'static str) -> Leaf {
        Leaf::new(name, WaitReason::Turn)
    }

    /// Records the result of a poll of a leaf that waits for this socket, and returns
    /// it.
    #[track_caller]
    pub(crate) fn polled<T>(&'static self, socket: Token, poll: Poll<T>) -> Poll<T> {
        match poll {
            Poll::Ready(_) => self.passed(),
            Poll::Pending => self.parked_for(Some(socket.0 as u64)),
        }
        poll
    }

    /// Records that the task is parked here. Of several pending leaves, the first
    /// counts.
    #[track_caller]
    pub fn parked(&'static self) {
        self.parked_for(None);
    }

    #[track_caller]
    fn parked_for(&'static self, socket: Option<u64>) {
        let line = panic::Location::caller();
        let first = PARKED.get().unwrap_or(WaitPoint { leaf: self, line, socket });
        PARKED.set(Some(first));
    }

    /// Records that the leaf is ready and the task runs on, so no leaf is pending now.
    pub fn passed(&'static self) {
        PARKED.set(None);
    }
}

/// Observes the tasks of one executor.
#[derive(Default)]
pub struct Observer {
    pub(crate) trace: Trace,
    /// The record of each task, at the task's place in the executor's table; `None` if
    /// the place is free.
    pub(crate) records: RefCell<Vec<Option<TaskRecord>>>,
    /// The place of the task that has its turn; `None` between turns.
    current: Cell<Option<usize>>,
    /// With a trace: the waker of each task, which records each wake.
    pub(crate) wakers: TracedWakers,
}

/// What is known of a task. Added by its spawn, removed at its end.
pub(crate) struct TaskRecord {
    id: TaskId,
    spawned: Caller,
    name: &'static str,
    url: Option<Rc<str>>,
    /// The leaf at which the latest turn ended.
    leaf: &'static Leaf,
    /// With a trace: the line where that leaf waits. Otherwise the line of the spawn.
    line: Caller,
}

impl TaskRecord {
    fn location(&self) -> Location {
        let Leaf { name, file, .. } = self.leaf;
        let file = if file.is_empty() { self.spawned.file() } else { file };
        Location { file, name, line: self.line }
    }

    fn report(&self) -> String {
        let TaskRecord { spawned, name, leaf, .. } = self;
        let url = self.url.as_ref().map_or(String::new(), |url| format!(" ({url})"));
        let at = format!("{}:{}", Location::short(spawned.file()), spawned.line());
        format!("{name}{url}, from {at}: {} waits for {}", leaf.name, leaf.reason)
    }
}

impl Observer {
    /// Makes an observer that writes to this trace.
    pub fn new(trace: Trace) -> Observer {
        Observer { trace, ..Observer::default() }
    }

    /// Returns what each task waits for, a line each. Equal lines are counted.
    ///
    /// This is a hint, not a proof: it names the first leaf that was pending in the
    /// latest turn. If the turn went on without this leaf (because another future has
    /// won a race, for example), and ended at a leaf of another crate, the hint is
    /// stale.
    pub fn waiters_report(&self) -> String {
        let records = self.records.borrow();
        let mut records: Vec<&TaskRecord> = records.iter().flatten().collect();
        // The main future comes first, then the oldest task.
        records.sort_by_key(|record| (record.id.place != MAIN, record.id));
        group_lines(records.into_iter().map(TaskRecord::report))
    }

    /// Returns the waker for the polls of a new task. With a trace it records each
    /// wake, with this source line.
    pub(crate) fn waker(&self, id: TaskId, waker: Waker, line: Caller) -> Waker {
        self.wakers.insert(id.number, &self.trace, line, waker)
    }

    /// Records a task that the caller has spawned. A refused task is never polled, and
    /// gets no record.
    #[track_caller]
    pub(crate) fn spawned(&self, task: &TaskWaker, name: &'static str) {
        if task.is_cancelled() {
            return self.wakers.remove(task.id.number);
        }
        let (id, spawned) = (task.id, panic::Location::caller());
        let mut records = self.records.borrow_mut();
        if records.len() <= id.place {
            records.resize_with(id.place + 1, || None);
        }
        let (leaf, line) = (&NEW, spawned);
        records[id.place] =
            Some(TaskRecord { id, spawned, name, url: None, leaf, line });
        self.trace.record(id.number, Event::Created { label: name });
        self.trace.record(id.number, Event::Queued);
    }

    /// Begins a run. Until the returned guard is dropped, leaves and labels on this
    /// thread belong to the tasks of this observer.
    #[track_caller]
    pub(crate) fn begin_run(self: &Rc<Self>, main: &TaskWaker) -> Run {
        self.spawned(main, "block_on");
        let outer = RUNNING.replace(Some(Rc::clone(self)));
        Run { observer: Rc::clone(self), main: main.id, outer, parked: PARKED.take() }
    }

    /// Records that a turn of the task begins.
    pub(crate) fn resumed(&self, id: TaskId) {
        self.current.set(Some(id.place));
        if self.trace.is_on() {
            self.record_resumed(id);
        }
    }

    /// Records that the turn is over, with this result.
    pub(crate) fn polled<T>(&self, id: TaskId, poll: &Poll<T>) {
        self.current.set(None);
        let parked = PARKED.take();
        if poll.is_ready() {
            return self.end(id, Event::Finished);
        }
        let leaf = parked.map_or(&UNKNOWN, |parked| parked.leaf);
        self.with_record(id.place, |record| record.leaf = leaf);
        if self.trace.is_on() {
            self.record_paused(id, parked);
        }
    }

    /// Records that the task is about to be dropped: its destructors may wake others.
    pub(crate) fn ending(&self, id: TaskId) {
        self.trace.set_caller(By::Task(id.number));
    }

    /// Records that the task was dropped. If it has returned, its record is gone
    /// already.
    pub(crate) fn ended(&self, id: TaskId) {
        self.end(id, Event::Cancelled);
        self.trace.set_caller(By::LOOP);
    }

    fn end(&self, id: TaskId, event: Event<'_>) {
        let record = &mut self.records.borrow_mut()[id.place];
        if self.trace.is_on()
            && let Some(TaskRecord { line, .. }) = record
        {
            self.trace.record_at(line, id.number, event);
            self.wakers.remove(id.number);
        }
        *record = None;
    }

    fn with_record(&self, place: usize, act: impl FnOnce(&mut TaskRecord)) {
        self.records.borrow_mut()[place].as_mut().map(act);
    }

    #[cold]
    fn record_resumed(&self, id: TaskId) {
        self.wakers.resumed(id.number);
        self.with_record(id.place, |record| {
            let (at, url) = (record.location(), record.url.as_deref());
            let label = url.unwrap_or(record.name);
            self.trace.record(id.number, Event::Resumed { state: at.name, label, at });
        });
    }

    #[cold]
    fn record_paused(&self, id: TaskId, parked: Option<WaitPoint>) {
        self.with_record(id.place, |record| {
            record.line = parked.map_or(record.spawned, |parked| parked.line);
            let (at, waits) = (record.location(), record.leaf.reason);
            let socket = parked.and_then(|parked| parked.socket);
            let event = Event::Paused { state: at.name, waits, socket, at };
            self.trace.record(id.number, event);
        });
    }
}

/// A run of an executor. When it is dropped, the main future has ended, and the state
/// of the outer run is restored.
pub(crate) struct Run {
    observer: Rc<Observer>,
    main: TaskId,
    /// The observer of the executor whose task began this run; `None` outside of a task.
    outer: Option<Rc<Observer>>,
    /// Where that task's turn would end if it ended now.
    parked: Option<WaitPoint>,
}

impl Drop for Run {
    fn drop(&mut self) {
        self.observer.current.set(None); // still set if the main future has panicked
        self.observer.ended(self.main);
        RUNNING.replace(self.outer.take());
        PARKED.set(self.parked);
    }
}

/// The trace of a reactor. Set when the executor is given an observer.
pub(crate) type ReactorTrace = RefCell<Trace>;

/// Records the events of a socket for which a task waits.
#[track_caller]
pub(crate) fn arrived(trace: &ReactorTrace, event: &MioEvent) {
    let has_failed = event.is_error();
    let ends_early = event.is_read_closed() || event.is_priority() || has_failed;
    let readable = event.is_readable() || ends_early;
    let writable = event.is_writable() || event.is_write_closed() || has_failed;
    let socket = event.token().0 as u64;
    trace.borrow().arrived(socket, readable, writable); // observe
}

/// Names the running task and the URL that it works on, for traces and stuck reports.
/// Does nothing outside of a task.
pub fn set_label(name: &'static str, url: Option<&str>) {
    RUNNING.with_borrow(|observer| {
        let Some(observer) = observer else { return };
        let Some(place) = observer.current.get() else { return };
        observer.with_record(place, |record| {
            record.name = name;
            record.url = url.map(Rc::from);
        });
    });
}
