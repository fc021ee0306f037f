//! A list of tasks that wait for one thing, as a condition variable is for threads.

use crate::observe::Leaf;
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::mem;
use std::sync::{Mutex, MutexGuard};
use std::task::{Poll, Waker};

/// The wakers of tasks that wait until something changes. The thing that changes is
/// stored elsewhere, and a task that is woken looks at it again. Another thread may
/// change it.
pub(crate) struct Waiters {
    list: Mutex<List>,
    leaf: &'static Leaf,
}

#[derive(Default)]
struct List {
    /// By number, so the first has waited longest.
    wakers: BTreeMap<u64, Waker>,
    /// The number of the latest waiter.
    latest: u64,
}

/// A number in the list, for one task. When this is dropped, the task's waker is removed.
pub(crate) struct Waiter<'a> {
    waiters: &'a Waiters,
    pub(crate) number: u64,
}

impl Waiters {
    /// Creates an empty list. `leaf` names what tasks wait for, in traces.
    pub(crate) fn new(leaf: &'static Leaf) -> Waiters {
        Waiters { list: Mutex::default(), leaf }
    }

    /// Returns the next number, for a task that may have to wait.
    pub(crate) fn waiter(&self) -> Waiter<'_> {
        let mut list = self.list();
        list.latest += 1;
        Waiter { waiters: self, number: list.latest }
    }

    /// Waits until `look` finds something, and returns it.
    pub(crate) async fn wait_until<R>(&self, look: impl FnMut() -> Option<R>) -> R {
        self.waiter().wait_until(look).await
    }

    /// Wakes every task that waits.
    pub(crate) fn wake_all(&self) {
        self.wake_first(usize::MAX);
    }

    /// Wakes at most `most` tasks: the oldest.
    pub(crate) fn wake_first(&self, most: usize) {
        let mut list = self.list();
        let rest = list.wakers.keys().nth(most).copied();
        let later = rest.map(|number| list.wakers.split_off(&number));
        let woken = mem::replace(&mut list.wakers, later.unwrap_or_default());
        drop(list); // collected under the lock, woken after it
        woken.into_values().for_each(Waker::wake);
    }

    /// Wakes the task with this number, if it waits.
    pub(crate) fn wake(&self, number: u64) {
        let waker = self.list().wakers.remove(&number);
        waker.into_iter().for_each(Waker::wake);
    }

    /// Returns how many tasks wait.
    pub(crate) fn len(&self) -> usize {
        self.list().wakers.len()
    }

    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().expect("nothing panics while it holds the list")
    }
}

impl Waiter<'_> {
    // ANCHOR: wait_until
    /// Waits until `look` finds something, and returns it.
    pub(crate) async fn wait_until<R>(&self, mut look: impl FnMut() -> Option<R>) -> R {
        poll_fn(|cx| {
            let mut found = look();
            if found.is_none() {
                self.register(cx.waker().clone());
                found = look(); // another thread may have been between the two
            }
            match found {
                Some(found) => {
                    self.waiters.leaf.passed(); // observe
                    Poll::Ready(found)
                }
                None => {
                    self.waiters.leaf.parked(); // observe
                    Poll::Pending
                }
            }
        })
        .await
    }
    // ANCHOR_END: wait_until

    fn register(&self, waker: Waker) {
        let replaced = self.waiters.list().wakers.insert(self.number, waker);
        drop(replaced); // when nothing is locked: a waker's destructor may do anything
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        let waker = self.waiters.list().wakers.remove(&self.number);
        drop(waker); // when nothing is locked
    }
}
