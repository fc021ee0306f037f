//! Wakers for checks: one that counts, and one that runs code.

use crate::story;
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::task::{Wake, Waker};

/// Counts how often a task is woken, and how many of its wakers are held.
pub struct CountingWaker {
    task: &'static str,
    wakes: AtomicUsize,
}

impl CountingWaker {
    /// A counter for the task with this name, which the story uses.
    pub fn new(task: &'static str) -> Arc<CountingWaker> {
        Arc::new(CountingWaker { task, wakes: AtomicUsize::new(0) })
    }

    /// Returns a waker that counts here. Each call makes another one of the same task.
    pub fn waker(self: &Arc<Self>) -> Waker {
        Waker::from(Arc::clone(self))
    }

    /// Returns how often the task was woken.
    pub fn wakes(&self) -> usize {
        self.wakes.load(SeqCst)
    }

    /// Returns how many wakers of this task are still held somewhere.
    pub fn held(self: &Arc<Self>) -> usize {
        Arc::strong_count(self) - 1
    }
}

impl Wake for CountingWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        story!("{} is woken", self.task);
        self.wakes.fetch_add(1, SeqCst);
    }
}

struct Runs(Mutex<Option<Box<dyn FnOnce() + Send>>>);

impl Wake for Runs {
    fn wake(self: Arc<Self>) {
        let action = self.0.lock().expect("no action runs under this lock").take();
        if let Some(action) = action {
            action();
        }
    }
}

/// Returns a waker that runs `action` at its first call: a waker may run any code.
pub fn waker_that_sends(action: impl FnOnce() + Send + 'static) -> Waker {
    Waker::from(Arc::new(Runs(Mutex::new(Some(Box::new(action))))))
}

type Action = Box<dyn FnOnce()>;

thread_local! {
    static ACTIONS: RefCell<Vec<Option<Action>>> = const { RefCell::new(Vec::new()) };
}

/// The same for code that stays on this thread. Call the waker on this thread only.
pub fn waker_that(action: impl FnOnce() + 'static) -> Waker {
    let number = store(action);
    waker_that_sends(move || run(number))
}

/// Returns a waker that does nothing when it is called, and runs `action` when its last
/// clone is dropped: that may be any code, too. Drop it on this thread only.
pub fn waker_that_ends_with(action: impl FnOnce() + 'static) -> Waker {
    Waker::from(Arc::new(EndsWith(store(action))))
}

/// The number of an action.
struct EndsWith(usize);

impl Wake for EndsWith {
    fn wake(self: Arc<Self>) {}
}

impl Drop for EndsWith {
    fn drop(&mut self) {
        run(self.0);
    }
}

/// Keeps an action of this thread. Returns its number.
fn store(action: impl FnOnce() + 'static) -> usize {
    ACTIONS.with_borrow_mut(|actions| {
        actions.push(Some(Box::new(action)));
        actions.len() - 1
    })
}

/// Runs an action of this thread, once. When the thread ends, there are none any more.
fn run(number: usize) {
    let action = ACTIONS.try_with(|actions| actions.borrow_mut()[number].take());
    if let Ok(Some(action)) = action {
        action();
    }
}
