//! What each task waits for: for `--trace`, and for the report of a stuck executor.
//!
//! The machine would run without this file, so read it last. A task is observed by a future
//! that wraps the task's own, and by a waker that wraps the executor's. A leaf gives its
//! name by one call on the result of its poll: [`Leaf::polled`].

use crate::machine::{executor::Executor, ready::WAKES};
use mio::{Token, event::Event as Readiness};
use shared::Timers;
use shared::trace::{
    Caller, Event, Location, Trace, TracedWakers, WaitReason, grouped,
};
use std::cell::{Cell, RefCell};
use std::task::{Context, Poll};
use std::{future::Future, panic, pin::Pin, rc::Rc};

thread_local! {
    /// The task that is polled on this thread now.
    static CURRENT: RefCell<Option<Task>> = const { RefCell::new(None) };
    /// Where this task is parked, as far as its poll has come.
    static PARKED: Cell<Option<Parked>> = const { Cell::new(None) };
}

/// The end of a chain of awaits: an operation, and what it waits for.
#[derive(Debug)]
pub struct Leaf {
    name: &'static str,
    reason: WaitReason<'static>,
    /// Where it is declared. Empty: the file that spawned the task counts.
    file: &'static str,
}

/// Where a task is parked.
#[derive(Clone, Copy)]
struct Parked {
    leaf: &'static Leaf,
    line: Caller,
    socket: Option<u64>,
}

/// The leaf of a task that was never polled.
static NEW: Leaf = Leaf { name: "New", reason: WaitReason::Turn, file: "" };
/// The leaf of a task that is parked at none of ours.
static UNKNOWN: Leaf = Leaf { name: "it", reason: UNNAMED, file: "" };
const UNNAMED: WaitReason<'static> =
    WaitReason::Named("something that it does not name");
/// The name of the future that `block_on` polls.
const MAIN: &str = "block_on";

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

    /// A leaf that waits for a timer.
    #[track_caller]
    pub const fn timer(name: &'static str) -> Leaf {
        Leaf::new(name, WaitReason::Timer)
    }

    /// A leaf that lets other tasks run first.
    #[track_caller]
    pub const fn turn(name: &'static str) -> Leaf {
        Leaf::new(name, WaitReason::Turn)
    }

    /// Notes the result of a poll of a leaf that waits for this socket, and passes it on.
    #[track_caller]
    pub(crate) fn polled<T>(&'static self, socket: Token, poll: Poll<T>) -> Poll<T> {
        match poll {
            Poll::Ready(_) => self.passed(),
            Poll::Pending => self.parked_for(Some(socket.0 as u64)),
        }
        poll
    }

    /// The task is parked here. Of several leaves that are pending the first one counts.
    #[track_caller]
    pub fn parked(&'static self) {
        self.parked_for(None);
    }

    #[track_caller]
    fn parked_for(&'static self, socket: Option<u64>) {
        let here = Parked { leaf: self, line: panic::Location::caller(), socket };
        PARKED.set(PARKED.get().or(Some(here)));
    }

    /// The leaf is ready, so the task runs on: what was noted before is over.
    pub fn passed(&'static self) {
        PARKED.set(None);
    }
}

/// Observes the tasks of one executor. Clones are handles to the same observer.
#[derive(Clone, Default)]
pub struct Observer(Rc<Tasks>);

#[derive(Default)]
struct Tasks {
    trace: Trace,
    /// The number of the latest task. Traces name tasks by it.
    latest: Cell<u32>,
    /// A slot for each task that has not ended.
    records: RefCell<Vec<Option<Record>>>,
    /// Slots without a task.
    free: RefCell<Vec<u32>>,
    /// With a trace: what the leaves of each task wake.
    wakers: TracedWakers,
}

/// What is known of a task.
struct Record {
    number: u32,
    spawned: Caller,
    name: &'static str,
    url: Option<Rc<str>>,
    parked: Parked,
}

impl Record {
    fn place(&self) -> Location {
        let Parked { leaf: Leaf { name, file, .. }, line, .. } = self.parked;
        let file = if file.is_empty() { self.spawned.file() } else { file };
        Location { file, name, line }
    }

    fn line(&self) -> String {
        let Record { spawned, name, parked: Parked { leaf, .. }, .. } = self;
        let url = self.url.as_ref().map_or(String::new(), |url| format!(" ({url})"));
        let at = format!("{}:{}", Location::short(spawned.file()), spawned.line());
        format!("{name}{url}, from {at}: {} waits for {}", leaf.name, leaf.reason)
    }
}

impl Observer {
    /// Writes what happens to this trace.
    pub fn new(trace: Trace) -> Observer {
        Observer(Rc::new(Tasks { trace, ..Tasks::default() }))
    }

    /// The same future, observed. The caller has spawned it.
    #[track_caller]
    pub(crate) fn task<F: Future>(&self, name: &'static str, future: F) -> Watched<F> {
        let tasks = &self.0;
        let number = tasks.latest.get() + 1;
        tasks.latest.set(number);
        let spawned = panic::Location::caller();
        let parked = Parked { leaf: &NEW, line: spawned, socket: None };
        let record = Some(Record { number, spawned, name, url: None, parked });
        let mut records = tasks.records.borrow_mut();
        let slot = tasks.free.borrow_mut().pop().unwrap_or(records.len() as u32);
        match records.get_mut(slot as usize) {
            Some(free) => *free = record,
            None => records.push(record),
        }
        let task = Task { observer: self.clone(), number, slot };
        task.note(Event::Created { label: name });
        task.note(Event::Queued);
        Watched { future, life: Life { task, is_finished: false } }
    }

    /// What each task waits for, a line each. Equal lines are counted.
    pub fn who_waits(&self) -> String {
        let records = self.0.records.borrow();
        let mut records: Vec<&Record> = records.iter().flatten().collect();
        // The future of `block_on` comes first, then the oldest task.
        records.sort_by_key(|record| (record.name != MAIN, record.number));
        grouped(records.into_iter().map(Record::line))
    }
}

impl Executor {
    /// Reports to `observer` what its tasks do.
    ///
    /// # Panics
    /// The executor was cloned before.
    pub fn observed(mut self, observer: Observer) -> Executor {
        let timers = Timers::traced(observer.0.trace.clone());
        self.reactor().0.timers.replace(timers);
        Rc::get_mut(&mut self.0).expect("it has one handle").observer = observer;
        self
    }

    /// What is known of its tasks.
    pub fn observer(&self) -> &Observer {
        &self.0.observer
    }
}

/// A handle to the record of a task.
#[derive(Clone)]
pub(crate) struct Task {
    observer: Observer,
    number: u32,
    slot: u32,
}

impl Task {
    #[track_caller]
    fn note(&self, event: Event<'_>) {
        self.observer.0.trace.record(self.number.into(), event);
    }

    fn with_record(&self, act: impl FnOnce(&mut Record)) {
        let mut records = self.observer.0.records.borrow_mut();
        let record = records.get_mut(self.slot as usize).and_then(Option::as_mut);
        record.filter(|record| record.number == self.number).map(act);
    }

    fn resumed(&self) {
        PARKED.set(None);
        if self.observer.0.trace.is_on() {
            self.with_record(|record| {
                let (at, url) = (record.place(), record.url.as_deref());
                let label = url.unwrap_or(record.name);
                self.note(Event::Resumed { state: at.name, label, at });
            });
        }
    }

    fn paused(&self) {
        self.with_record(|record| {
            let unknown = Parked { leaf: &UNKNOWN, line: record.spawned, socket: None };
            record.parked = PARKED.take().unwrap_or(unknown);
            let Parked { leaf: Leaf { reason, .. }, socket, .. } = record.parked;
            let (waits, at) = (*reason, record.place());
            self.note(Event::Paused { state: at.name, waits, socket, at });
        });
    }

    /// The system has reported something about the socket that the task waits for.
    #[track_caller]
    pub(crate) fn arrived(&self, event: &Readiness, readable: bool, writable: bool) {
        let socket = event.token().0 as u64;
        self.note(Event::Arrived { socket, readable, writable });
    }
}

/// A future that is observed. Its fields are dropped in this order.
pub(crate) struct Watched<F> {
    future: F,
    life: Life,
}

/// Notes the end of a task when it is dropped.
struct Life {
    task: Task,
    is_finished: bool,
}

impl<F: Future + Unpin> Future for Watched<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let task = self.life.task.clone();
        let Tasks { trace, wakers, .. } = &*task.observer.0;
        // The task's leaves are given a waker that records each wake.
        let traced = wakers.of(task.number.into(), trace, WAKES, cx.waker());
        let waker = traced.as_ref().unwrap_or(cx.waker());
        let _restore = Restore(CURRENT.replace(Some(task.clone())), PARKED.get());
        task.resumed();
        let poll = Pin::new(&mut self.future).poll(&mut Context::from_waker(waker));
        match poll {
            Poll::Ready(_) => self.life.is_finished = true,
            Poll::Pending => task.paused(),
        }
        poll
    }
}

/// The task in whose poll this one is polled, and its leaf. They are the current ones again
/// after this poll, even if it panics.
struct Restore(Option<Task>, Option<Parked>);

impl Drop for Restore {
    fn drop(&mut self) {
        PARKED.set(self.1);
        let inner = CURRENT.replace(self.0.take());
        drop(inner); // with nothing borrowed
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        let (task, tasks) = (&self.task, &self.task.observer.0);
        let record = tasks.records.borrow_mut()[task.slot as usize].take();
        // Where it was suspended last, or where it was spawned.
        let line = record.as_ref().map_or(WAKES, |record| record.parked.line);
        let end = if self.is_finished { Event::Finished } else { Event::Cancelled };
        tasks.trace.record_at(line, task.number.into(), end);
        let waker = tasks.wakers.remove(task.number.into());
        tasks.free.borrow_mut().push(task.slot);
        drop((record, waker)); // with nothing borrowed
    }
}

/// The task that is polled now. `None` outside of our executor.
pub(crate) fn current_task() -> Option<Task> {
    CURRENT.with_borrow(Clone::clone)
}

/// The task that is polled now has registered a socket.
#[track_caller]
pub(crate) fn registered(socket: Token) {
    if let Some(task) = current_task() {
        task.note(Event::Registered { socket: socket.0 as u64 });
    }
}

/// Names the task that is polled now, and the URL for which it works: for traces and stuck
/// reports.
pub fn set_label(name: &'static str, url: Option<&str>) {
    if let Some(task) = current_task() {
        task.with_record(|record| {
            record.name = name;
            record.url = url.map(Rc::from);
        });
    }
}
