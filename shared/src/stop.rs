//! A flag that any thread may raise, and the bells that tell sleeping loops of it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

type Ring = Box<dyn Fn() + Send>;

/// Asks a crawl to end. `main` ties it to Ctrl-C, a loop hangs its waker on it, tests
/// pull it. Clones share one flag.
#[derive(Clone, Default)]
pub struct Stop(Arc<Inner>);

#[derive(Default)]
struct Inner {
    pulled: AtomicBool,
    next: AtomicUsize,
    bells: Mutex<Vec<(usize, Ring)>>,
}

impl Stop {
    /// A stop that nobody has pulled yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Raises the flag and rings every bell. Pulling twice is the same as pulling once.
    pub fn pull(&self) {
        self.0.pulled.store(true, Ordering::SeqCst);
        for (_, ring) in self.bells().iter() {
            ring();
        }
    }

    /// Has somebody pulled it?
    pub fn is_pulled(&self) -> bool {
        self.0.pulled.load(Ordering::SeqCst)
    }

    /// Calls `ring` when the stop is pulled (at once, if it was already), from the thread
    /// that pulls, until the bell is dropped. `ring` must be short: it wakes a loop.
    pub fn hang(&self, ring: impl Fn() + Send + 'static) -> Bell {
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        let mut bells = self.bells();
        if self.is_pulled() {
            ring();
        }
        bells.push((number, Box::new(ring)));
        Bell { number, stop: self.clone() }
    }

    fn bells(&self) -> MutexGuard<'_, Vec<(usize, Ring)>> {
        self.0.bells.lock().expect("no bell panics while it rings")
    }
}

impl std::fmt::Debug for Stop {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Stop").field(&self.is_pulled()).finish()
    }
}

/// A bell that hangs on a [`Stop`]; dropping it takes it down.
#[derive(Debug)]
pub struct Bell {
    number: usize,
    stop: Stop,
}

impl Drop for Bell {
    fn drop(&mut self) {
        self.stop.bells().retain(|(number, _)| *number != self.number);
    }
}
