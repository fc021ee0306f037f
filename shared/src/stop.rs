//! A cancellation token: a flag that any thread may set, with callbacks that wake
//! sleeping loops.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

type Callback = Arc<dyn Fn() + Send + Sync>;

/// Asks a crawl to end. `main` requests it at Ctrl-C, tests do when they like, and a
/// loop registers a callback that wakes it. Clones share one flag.
#[derive(Clone, Default)]
pub struct Stop(Arc<Inner>);

#[derive(Default)]
struct Inner {
    /// Set once, by the first request.
    requested: AtomicBool,
    /// The number of the next callback.
    next: AtomicUsize,
    /// The callbacks that are registered, by number: in the order of their
    /// registration.
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
        // Collected under the lock and called after it: a callback may use this stop.
        let callbacks: Vec<Callback> = self.callbacks().values().cloned().collect();
        for callback in callbacks {
            callback();
        }
    }

    /// Returns whether the stop has been requested.
    pub fn is_requested(&self) -> bool {
        self.0.requested.load(Ordering::SeqCst)
    }

    /// Registers `callback`. It is called once, by the thread that requests the stop;
    /// or by this thread, now, if the stop was requested before. It must be short: it
    /// only wakes a loop.
    ///
    /// Dropping the returned value removes the callback. Until then it is kept, even
    /// after it was called: otherwise the waker in it could be dropped before the loop
    /// has seen the event.
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

/// A callback that is registered with a [`Stop`]. Dropping it removes it.
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
        // `self` still has the callback: what it captured is dropped after the lock.
        self.stop.callbacks().remove(&self.number);
    }
}
