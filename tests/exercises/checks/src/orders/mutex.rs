//! loom's `Mutex` and `Condvar`, with a `try_lock` that fails while another thread has the
//! lock.
//!
//! loom switches threads where a lock is taken, and not where it is released: a `try_lock` of
//! its own finds the lock taken in none of the orders. Here a release reads an atomic to
//! which `try_lock` writes, so that loom tries both orders of the two. It does not try orders
//! of two reads, so code without `try_lock` has no more orders than before.

use loom::sync::atomic::AtomicUsize;
use loom::sync::atomic::Ordering::Relaxed;
use std::ops::{Deref, DerefMut};
use std::sync::{LockResult, TryLockError, TryLockResult};

/// Works like std's, and is never poisoned: a panic ends the case.
#[derive(Debug, Default)]
pub struct Mutex<T> {
    inner: loom::sync::Mutex<T>,
    /// Written by `try_lock`, read before the lock is released. Its value does not matter.
    tries: AtomicUsize,
}

/// Works like std's.
#[derive(Debug)]
pub struct MutexGuard<'a, T> {
    /// `None` once a [`Condvar`] has taken it.
    inner: Option<loom::sync::MutexGuard<'a, T>>,
    tries: &'a AtomicUsize,
}

impl<T> Mutex<T> {
    /// Creates a mutex that no thread has locked.
    pub fn new(value: T) -> Mutex<T> {
        Mutex { inner: loom::sync::Mutex::new(value), tries: AtomicUsize::new(0) }
    }

    /// Waits until no other thread has the lock, and takes it.
    #[track_caller]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        let inner = self.inner.lock().expect("it is never poisoned");
        Ok(MutexGuard { inner: Some(inner), tries: &self.tries })
    }

    /// Takes the lock, or returns `WouldBlock` if a thread has it.
    #[track_caller]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        self.tries.store(0, Relaxed);
        let inner = self.inner.try_lock().map_err(|_| TryLockError::WouldBlock)?;
        Ok(MutexGuard { inner: Some(inner), tries: &self.tries })
    }

    /// Returns the value, which no other thread can see.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        self.inner.get_mut()
    }

    /// Returns the value.
    pub fn into_inner(self) -> LockResult<T> {
        self.inner.into_inner()
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.inner.as_ref().expect("a condvar takes the whole guard")
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.inner.as_mut().expect("a condvar takes the whole guard")
    }
}

impl<T> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        if let Some(inner) = self.inner.take() {
            self.tries.load(Relaxed);
            drop(inner);
        }
    }
}

/// Works like std's. A wait ends only if the condvar is notified.
#[derive(Debug, Default)]
pub struct Condvar(loom::sync::Condvar);

impl Condvar {
    /// Creates a condvar for which no thread waits.
    pub fn new() -> Condvar {
        Condvar::default()
    }

    /// Releases the lock, waits until the condvar is notified, and takes the lock again.
    #[track_caller]
    pub fn wait<'a, T>(
        &self,
        mut guard: MutexGuard<'a, T>,
    ) -> LockResult<MutexGuard<'a, T>> {
        let (inner, tries) = (guard.inner.take(), guard.tries);
        tries.load(Relaxed);
        let inner = inner.expect("a guard that exists has its lock");
        let inner = self.0.wait(inner).expect("it is never poisoned");
        Ok(MutexGuard { inner: Some(inner), tries })
    }

    /// Waits while `condition` returns `true`.
    #[track_caller]
    pub fn wait_while<'a, T>(
        &self,
        mut guard: MutexGuard<'a, T>,
        mut condition: impl FnMut(&mut T) -> bool,
    ) -> LockResult<MutexGuard<'a, T>> {
        while condition(&mut guard) {
            guard = self.wait(guard)?;
        }
        Ok(guard)
    }

    /// Ends the wait of one thread, if a thread waits.
    #[track_caller]
    pub fn notify_one(&self) {
        self.0.notify_one();
    }

    /// Ends the waits of all threads.
    #[track_caller]
    pub fn notify_all(&self) {
        self.0.notify_all();
    }
}
