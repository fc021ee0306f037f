//! What each task waits for: for `--trace`, and for the report of a stuck executor.
//!
//! The machine would run without this file, so read it last. A task is observed by a future
//! that wraps the task's own, and by a waker that wraps the executor's. A leaf gives its
//! name by one call on the result of its poll: [`Leaf::polled`].

use crate::machine::executor::Executor;
use shared::trace::{Event, Location, Trace, WaitReason, grouped};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::{Arc, atomic::AtomicBool, atomic::Ordering::SeqCst};
use std::task::{Context, Poll, Wake, Waker};
use std::{future::Future, panic, pin::Pin, rc::Rc};

thread_local! {
    /// The task that is polled on this thread now.
    static CURRENT: RefCell<Option<Task>> = const { RefCell::new(None) };
    /// The leaf at which this task is parked, as far as its poll has come.
    static LEAF: Cell<Option<&'static Leaf>> = const { Cell::new(None) };
}

/// The end of a chain of awaits: an operation, and what it waits for.
#[derive(Debug)]
pub struct Leaf {
    name: &'static str,
    reason: WaitReason<'static>,
    /// Where it is declared. Empty: the file that spawned the task counts.
    file: &'static str,
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

    /// Notes the result of a leaf's poll, and passes it on.
    pub fn polled<T>(&'static self, poll: Poll<T>) -> Poll<T> {
        match poll {
            Poll::Ready(_) => self.passed(),
            Poll::Pending => self.parked(),
        }
        poll
    }

    /// The task is parked here. Of several leaves that are pending the first one counts.
    pub fn parked(&'static self) {
        LEAF.set(LEAF.get().or(Some(self)));
    }

    /// The leaf is ready, so the task runs on: what was noted before is over.
    pub fn passed(&'static self) {
        LEAF.set(None);
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
    /// With a trace: what the leaves of each task wake, from its first poll to its end.
    wakers: RefCell<HashMap<u32, Arc<TracedWaker>>>,
}

/// What is known of a task.
struct Record {
    number: u32,
    spawned: &'static panic::Location<'static>,
    name: &'static str,
    url: Option<Rc<str>>,
    leaf: &'static Leaf,
}

impl Record {
    fn place(&self) -> Location {
        let Leaf { name, file, .. } = self.leaf;
        let file = if file.is_empty() { self.spawned.file() } else { file };
        Location { file, name }
    }

    fn line(&self) -> String {
        let Record { spawned, name, leaf, .. } = self;
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
        let (spawned, url, leaf) = (panic::Location::caller(), None, &NEW);
        let record = Some(Record { number, spawned, name, url, leaf });
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
        // The future of `block_on` stands first, then the oldest task.
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
    fn note(&self, event: Event<'_>) {
        self.observer.0.trace.record(self.number.into(), event);
    }

    fn with_record(&self, act: impl FnOnce(&mut Record)) {
        let mut records = self.observer.0.records.borrow_mut();
        let record = records.get_mut(self.slot as usize).and_then(Option::as_mut);
        record.filter(|record| record.number == self.number).map(act);
    }

    fn resumed(&self) {
        LEAF.set(None);
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
            record.leaf = LEAF.take().unwrap_or(&UNKNOWN);
            let (at, waits) = (record.place(), record.leaf.reason);
            self.note(Event::Paused { state: at.name, waits, at });
        });
    }

    /// The system has reported something about the socket that the task waits for.
    pub(crate) fn arrived(&self, readable: bool, writable: bool) {
        self.note(Event::Arrived { readable, writable });
    }

    /// With a trace: the waker that the task's leaves are given. It notes each wake.
    fn traced_waker(&self, cx: &Context<'_>) -> Option<Waker> {
        let tasks = &self.observer.0;
        let make = || {
            let (task, trace) = (u64::from(self.number), tasks.trace.clone());
            let (is_queued, inner) = (AtomicBool::new(false), cx.waker().clone());
            Arc::new(TracedWaker { task, trace, is_queued, inner })
        };
        tasks.trace.is_on().then(|| {
            let mut wakers = tasks.wakers.borrow_mut();
            let traced = wakers.entry(self.number).or_insert_with(make);
            traced.is_queued.store(false, SeqCst);
            Waker::from(Arc::clone(traced))
        })
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
        let traced = task.traced_waker(cx);
        let waker = traced.as_ref().unwrap_or(cx.waker());
        let _restore = Restore(CURRENT.replace(Some(task.clone())), LEAF.get());
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
struct Restore(Option<Task>, Option<&'static Leaf>);

impl Drop for Restore {
    fn drop(&mut self) {
        LEAF.set(self.1);
        let inner = CURRENT.replace(self.0.take());
        drop(inner); // with nothing borrowed
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        let (task, tasks) = (&self.task, &self.task.observer.0);
        task.note(if self.is_finished { Event::Finished } else { Event::Cancelled });
        let record = tasks.records.borrow_mut()[task.slot as usize].take();
        let waker = tasks.wakers.borrow_mut().remove(&task.number);
        tasks.free.borrow_mut().push(task.slot);
        drop((record, waker)); // with nothing borrowed
    }
}

/// Tells of a wake, and passes it on.
struct TracedWaker {
    task: u64,
    trace: Trace,
    /// Repeats what the machine knows: whether the task is in the ready queue.
    is_queued: AtomicBool,
    inner: Waker,
}

impl Wake for TracedWaker {
    fn wake(self: Arc<Self>) {
        self.trace.record(self.task, Event::Woken);
        if !self.is_queued.swap(true, SeqCst) {
            self.trace.record(self.task, Event::Queued);
        }
        self.inner.wake_by_ref();
    }
}

/// The task that is polled now. `None` outside of our executor.
pub(crate) fn current_task() -> Option<Task> {
    CURRENT.with_borrow(Clone::clone)
}

/// The task that is polled now has registered a socket.
pub(crate) fn registered() {
    current_task().inspect(|task| task.note(Event::Registered));
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
