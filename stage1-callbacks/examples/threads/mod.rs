//! Records what the threads of chapter 2 do, for the book: if a step gets `--trace FILE`. In
//! this trace each thread is a task.

use shared::trace::{Caller, Event, Location, ThreadTrace, WaitReason, Where};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{LazyLock, Mutex};
use url::Url;

static TRACE: LazyLock<ThreadTrace> =
    LazyLock::new(|| ThreadTrace::of_step("stage1-callbacks", Some("threads")));

/// The threads that sleep on `news`.
static ASLEEP: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());

thread_local! {
    /// The number of this thread.
    static THREAD: Cell<u64> = const { Cell::new(0) };
}

fn record(line: Caller, thread: u64, event: Event<'_>) {
    TRACE.record_at(line, thread, event, Where::default());
}

fn resumed(line: Caller, state: &str, name: &'static str) {
    let at = Location { file: line.file(), name, line };
    record(line, THREAD.get(), Event::Resumed { state, label: "a thread", at });
}

fn paused(line: Caller, name: &'static str, what: &str) {
    let at = Location { file: line.file(), name, line };
    let waits = WaitReason::Named(what);
    record(line, THREAD.get(), Event::Paused { state: name, waits, socket: None, at });
}

/// Records that a thread has started, and its end when the result is dropped.
#[track_caller]
pub(crate) fn thread() -> Running {
    static LAST: AtomicU64 = AtomicU64::new(0);
    THREAD.set(LAST.fetch_add(1, Relaxed) + 1);
    let line = panic::Location::caller();
    record(line, THREAD.get(), Event::Created { label: "a thread" });
    resumed(line, "New", "work");
    Running(line)
}

pub(crate) struct Running(Caller);

impl Drop for Running {
    fn drop(&mut self) {
        record(self.0, THREAD.get(), Event::Finished);
        TRACE.finish();
    }
}

/// The thread blocks until this page is there.
#[track_caller]
pub(crate) fn fetches(url: &Url) {
    paused(panic::Location::caller(), "fetch", url.as_str());
}

#[track_caller]
pub(crate) fn has_fetched() {
    resumed(panic::Location::caller(), "fetch", "fetch");
}

/// Wraps a condition for `wait_while`, which calls it before each sleep and after it.
#[track_caller]
pub(crate) fn while_asleep<T>(
    condition: impl Fn(&mut T) -> bool,
) -> impl Fn(&mut T) -> bool {
    let line = panic::Location::caller();
    move |books| {
        let sleeps = condition(books);
        if asleep().remove(&THREAD.get()) {
            resumed(line, "wait_while", "wait_while");
        }
        if sleeps {
            paused(line, "wait_while", "news");
            asleep().insert(THREAD.get());
        }
        sleeps
    }
}

/// Wakes all that sleep on `news`.
#[track_caller]
pub(crate) fn notifies() {
    let line = panic::Location::caller();
    for thread in asleep().iter() {
        record(line, *thread, Event::Woken { cancels: false });
        record(line, *thread, Event::Queued);
    }
}

fn asleep() -> std::sync::MutexGuard<'static, BTreeSet<u64>> {
    ASLEEP.lock().expect("nothing panics while it holds the set")
}
