//! A list of tasks that wait for one thing, as a condition variable is for threads.

use crate::observe::Leaf;
use std::collections::{BTreeMap, BTreeSet};
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
    /// The tasks that were woken, and have not looked since.
    woken: BTreeSet<u64>,
    /// The latest number.
    latest: u64,
}

/// A number in the list, for one task. When this is dropped, the task's waker is removed;
/// if the task was woken and has not looked since, another one is woken in its place.
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

    /// Wakes the oldest tasks, until `most` tasks are woken that have not looked since.
    pub(crate) fn wake_first(&self, most: usize) {
        let mut list = self.list();
        let more = most.saturating_sub(list.woken.len());
        let rest = list.wakers.keys().nth(more).copied();
        let later = rest.map(|number| list.wakers.split_off(&number));
        let woken = mem::replace(&mut list.wakers, later.unwrap_or_default());
        list.woken.extend(woken.keys());
        drop(list); // collected under the lock, woken after it
        woken.into_values().for_each(Waker::wake);
    }

    /// Wakes the task with this number, if it waits.
    pub(crate) fn wake(&self, number: u64) {
        let mut list = self.list();
        let Some(waker) = list.wakers.remove(&number) else { return };
        list.woken.insert(number);
        drop(list);
        waker.wake();
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
            self.unregister();
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
        self.waiters.list().wakers.insert(self.number, waker);
    }

    /// Takes the task off the list. Returns whether it was woken since it has looked.
    fn unregister(&self) -> bool {
        let mut list = self.waiters.list();
        let waker = list.wakers.remove(&self.number);
        let was_woken = list.woken.remove(&self.number);
        drop(list);
        drop(waker); // when nothing is locked: a waker's destructor may do anything
        was_woken
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        if self.unregister() {
            let woken = self.waiters.list().woken.len();
            self.waiters.wake_first(woken + 1); // what it was woken for is for another
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::future::Future;
    use std::pin::Pin;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::task::{Context, Wake};

    static TEST: Leaf = Leaf::named("wait_until", "a test");

    /// Counts wakes.
    #[derive(Default)]
    struct Wakes(AtomicUsize);

    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, SeqCst);
        }
    }

    #[test]
    fn no_more_are_woken_than_there_is_room_for_and_no_wake_is_lost() {
        let (waiters, room, wakes) =
            (Waiters::new(&TEST), Cell::new(0), Arc::new(Wakes::default()));
        let waker = Waker::from(Arc::clone(&wakes));
        let mut cx = Context::from_waker(&waker);
        let enter = || (room.get() > 0).then(|| room.set(room.get() - 1));
        let enter = || Box::pin(waiters.wait_until(enter));
        let mut tasks: Vec<Pin<Box<dyn Future<Output = ()>>>> = Vec::new();
        for _ in 0..100 {
            tasks.push(enter());
            assert!(tasks.last_mut().expect("one").as_mut().poll(&mut cx).is_pending());
        }
        let woken = || wakes.0.load(SeqCst);
        for all in 1..=10 {
            room.set(all); // one more each time, and no task has looked yet
            waiters.wake_first(all);
            assert_eq!(woken(), all);
        }
        // The ninth and tenth are given up: the 11th and 12th are woken for them.
        tasks.drain(8..10);
        assert_eq!((woken(), waiters.len()), (12, 88));
        // The first finds room. The second finds none and waits again, as the oldest.
        assert!(tasks[0].as_mut().poll(&mut cx).is_ready());
        drop(tasks.remove(0));
        room.set(0);
        assert!(tasks[0].as_mut().poll(&mut cx).is_pending());
        assert_eq!((woken(), waiters.len()), (12, 89), "neither passes a wake on");
        waiters.wake_first(9);
        assert_eq!((woken(), waiters.len()), (13, 88));
        room.set(1);
        assert!(tasks[0].as_mut().poll(&mut cx).is_ready());
    }
}
