//! Cases with threads: loom runs them in every order in which the threads can meet.
//!
//! loom sees a thread only where it uses loom's own types. They have the names of std's,
//! and an exercise with threads exports them.

mod mutex;

use crate::story;
pub use loom::sync::Arc;
pub use loom::sync::atomic::AtomicU8;
pub use loom::thread;
pub use mutex::{Condvar, Mutex, MutexGuard};
use std::task::{Wake, Waker};

/// Runs `case` in every order of its threads with at most three preemptions. The story is
/// that of the latest order: if the case fails, of the one that failed.
pub fn in_every_order(case: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(move || {
        story::begin();
        case();
    });
}

/// Ends a wait, once for each call of its waker.
pub struct ThreadWaker(std::sync::Arc<Signal>);

struct Signal {
    is_woken: Mutex<bool>,
    changed: Condvar,
}

impl Wake for Signal {
    fn wake(self: std::sync::Arc<Self>) {
        *self.is_woken.lock().expect("no thread panics under this lock") = true;
        self.changed.notify_one();
    }
}

impl ThreadWaker {
    /// Returns the side that waits, and the waker that ends its wait.
    pub fn new() -> (ThreadWaker, Waker) {
        let (is_woken, changed) = (Mutex::new(false), Condvar::new());
        let signal = std::sync::Arc::new(Signal { is_woken, changed });
        (ThreadWaker(std::sync::Arc::clone(&signal)), Waker::from(signal))
    }

    /// Waits until the waker has been called since the last wait.
    pub fn wait(&self) {
        let mut is_woken =
            self.0.is_woken.lock().expect("no thread panics under this lock");
        while !*is_woken {
            is_woken = self
                .0
                .changed
                .wait(is_woken)
                .expect("no thread panics under this lock");
        }
        *is_woken = false;
    }
}
