//! Records what the threads do with tasks, for the book: if a step gets `--trace FILE`.

use super::task::Task;
use shared::trace::{Event, Location, ThreadTrace, WaitReason, Where};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Mutex};

static TRACE: LazyLock<ThreadTrace> =
    LazyLock::new(|| ThreadTrace::of_step("stage3-async", None));

/// The tasks that have not ended, each with its state: `New`, or `again` after its first poll.
static TASKS: Mutex<BTreeMap<u64, &str>> = Mutex::new(BTreeMap::new());

thread_local! {
    /// The number of this thread; `None` if it is not one of the executor's.
    static THREAD: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Numbers this thread.
pub(crate) fn is_thread(number: usize) {
    THREAD.set(Some(number));
}

#[track_caller]
fn record(task: u64, event: Event<'_>, queue: Option<usize>) {
    if !TRACE.is_on() {
        return; // the benchmarks have no trace
    }
    let thread = match THREAD.get() {
        Some(number) => format!("thread {number}"),
        None => "main".to_string(),
    };
    let queue = queue.map(|number| match number {
        SHARED => "shared queue".to_string(),
        number => format!("queue of thread {number}"),
    });
    let at = Where { thread: Some(&thread), queue: queue.as_deref() };
    TRACE.record(task, event, at);
}

/// The number of the shared queue.
pub(crate) const SHARED: usize = usize::MAX;

/// Returns the number of a new task.
#[track_caller]
pub(crate) fn created(label: &str) -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let task = LAST.fetch_add(1, Relaxed) + 1;
    set_state(task, Some("New"));
    record(task, Event::Created { label }, None);
    task
}

/// `queue` is its number, if there is more than one.
#[track_caller]
pub(crate) fn queued(task: u64, queue: Option<usize>) {
    record(task, Event::Queued, queue);
}

/// These tasks are now in the queue with this number.
#[track_caller]
pub(crate) fn moved<'a>(stolen: impl IntoIterator<Item = &'a Arc<Task>>, queue: usize) {
    for task in stolen {
        record(task.number, Event::Moved, Some(queue));
    }
}

#[track_caller]
pub(crate) fn resumed(task: u64, label: &str) {
    let state = set_state(task, Some("again")).unwrap_or("again");
    let at = Location::caller("poll");
    record(task, Event::Resumed { state, label, at }, None);
}

#[track_caller]
pub(crate) fn paused(task: u64, what: &str) {
    let (at, waits) = (Location::caller("poll"), WaitReason::Named(what));
    record(task, Event::Paused { state: "again", waits, socket: None, at }, None);
}

#[track_caller]
pub(crate) fn woken(task: u64) {
    record(task, Event::Woken { cancels: false }, None);
}

#[track_caller]
pub(crate) fn finished(task: u64) {
    set_state(task, None);
    record(task, Event::Finished, None);
}

/// Ends the trace. The program ends, and drops all tasks that are left.
#[track_caller]
pub(crate) fn finish() {
    let left = std::mem::take(&mut *TASKS.lock().expect(NOT_POISONED));
    for task in left.into_keys() {
        record(task, Event::Cancelled, None);
    }
    TRACE.finish();
}

/// Returns the state before. `None` is the state of a task that has ended.
fn set_state(task: u64, state: Option<&'static str>) -> Option<&'static str> {
    if !TRACE.is_on() {
        return None;
    }
    let mut tasks = TASKS.lock().expect(NOT_POISONED);
    match state {
        Some(state) => tasks.insert(task, state),
        None => tasks.remove(&task),
    }
}

const NOT_POISONED: &str = "nothing panics while it observes";
