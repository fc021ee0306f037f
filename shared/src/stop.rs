//! A cancellation token: a flag that any thread may set, with callbacks that wake
//! sleeping loops.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

type Callback = Arc<dyn Fn() + Send + Sync>;

/// Asks a crawl to end. `main` requests the stop at Ctrl-C. Each loop registers a
/// callback that wakes it. Clones share one flag.
#[derive(Clone, Default)]
pub struct Stop(Arc<Inner>);

#[derive(Default)]
struct Inner {
    /// Set once, by the first request.
    requested: AtomicBool,
    /// The number for the next callback.
    next: AtomicUsize,
    /// The registered callbacks by number, so in the order of registration.
    callbacks: Mutex<BTreeMap<usize, Callback>>,
}

impl Stop {
    /// Creates a stop that has not been requested.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Sets the flag and calls every callback. A second request does nothing.
    pub fn request(&self) {
        if self.0.requested.swap(true, Ordering::SeqCst) {
            return;
        }
        // The lock is released before the calls, because a callback may use this stop.
        let callbacks: Vec<Callback> = self.callbacks().values().cloned().collect();
        for callback in callbacks {
            callback();
        }
    }

    /// Returns whether the stop has been requested.
    pub fn is_requested(&self) -> bool {
        self.0.requested.load(Ordering::SeqCst)
    }

    /// Registers `callback`, which must be short: it only wakes a loop. It is called
    /// once, by the thread that requests the stop. If the stop was requested before,
    /// it is called now, by this thread.
    ///
    /// Dropping the returned value removes the callback. Until then the callback is
    /// stored, even after the call: it may own the waker, which must live until the
    /// loop has seen its event.
    pub fn on_stop(&self, callback: impl Fn() + Send + Sync + 'static) -> StopCallback {
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        let registered =
            StopCallback { number, callback: Arc::new(callback), stop: self.clone() };
        let mut callbacks = self.callbacks();
        if self.is_requested() {
            drop(callbacks);
            (registered.callback)();
        } else {
            callbacks.insert(number, registered.callback.clone());
        }
        registered
    }

    fn callbacks(&self) -> MutexGuard<'_, BTreeMap<usize, Callback>> {
        self.0.callbacks.lock().expect("nothing panics while it holds the callbacks")
    }
}

impl std::fmt::Debug for Stop {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Stop").field(&self.is_requested()).finish()
    }
}

/// A callback that is registered with a [`Stop`], until this value is dropped.
pub struct StopCallback {
    number: usize,
    callback: Callback,
    stop: Stop,
}

impl StopCallback {
    /// Returns whether the stop has been requested.
    pub fn is_requested(&self) -> bool {
        self.stop.is_requested()
    }
}

impl Drop for StopCallback {
    fn drop(&mut self) {
        // `self` still owns the callback, so its captured values are dropped after the
        // lock is released.
        self.stop.callbacks().remove(&self.number);
    }
}
