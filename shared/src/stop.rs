//! A flag that any thread may raise, and the bells that tell sleeping loops of it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

type Ring = Arc<dyn Fn() + Send + Sync>;

/// Asks a crawl to end. `main` ties it to Ctrl-C, a loop hangs its waker on it, tests
/// pull it. Clones share one flag.
#[derive(Clone, Default)]
pub struct Stop(Arc<Inner>);

#[derive(Default)]
struct Inner {
    pulled: AtomicBool,
    next: AtomicUsize,
    /// In the order in which they were hung.
    bells: Mutex<BTreeMap<usize, Ring>>,
}

impl Stop {
    /// A stop that nobody has pulled yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Raises the flag and rings every bell. Pulling twice is the same as pulling once.
    pub fn pull(&self) {
        if self.0.pulled.swap(true, Ordering::SeqCst) {
            return;
        }
        // Collected under the lock and rung after it: a ring may do what it likes.
        let bells: Vec<Ring> = self.bells().values().cloned().collect();
        for ring in bells {
            ring();
        }
    }

    /// Has somebody pulled it?
    pub fn is_pulled(&self) -> bool {
        self.0.pulled.load(Ordering::SeqCst)
    }

    /// Calls `ring` once when the stop is pulled (at once, if it was already), from the
    /// thread that pulls, unless the bell is dropped before. `ring` must be short: it
    /// wakes a loop. What it holds lives as long as the bell: a waker that died with
    /// its first ring would take the news with it.
    pub fn hang(&self, ring: impl Fn() + Send + Sync + 'static) -> Bell {
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        let bell = Bell { number, ring: Arc::new(ring), stop: self.clone() };
        let mut bells = self.bells();
        if self.is_pulled() {
            drop(bells);
            (bell.ring)();
        } else {
            bells.insert(number, bell.ring.clone());
        }
        bell
    }

    fn bells(&self) -> MutexGuard<'_, BTreeMap<usize, Ring>> {
        self.0.bells.lock().expect("nothing panics while it holds the bells")
    }
}

impl std::fmt::Debug for Stop {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Stop").field(&self.is_pulled()).finish()
    }
}

/// A bell that hangs on a [`Stop`]; dropping it takes it down.
pub struct Bell {
    number: usize,
    ring: Ring,
    stop: Stop,
}

impl Bell {
    /// Has somebody pulled the stop that it hangs on?
    pub fn is_rung(&self) -> bool {
        self.stop.is_pulled()
    }
}

impl Drop for Bell {
    fn drop(&mut self) {
        // The ring itself is dropped with the bell, when the lock is free again.
        self.stop.bells().remove(&self.number);
    }
}
