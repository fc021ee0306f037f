//! A list of tasks that wait for one thing, as a condition variable is for threads.

use crate::observe::Leaf;
use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::sync::{Mutex, MutexGuard};
use std::task::{Poll, Waker};

/// The wakers of tasks that wait until something changes. The thing that changes is
/// stored elsewhere, and a task that is woken looks at it again. Another thread may
/// change it.
///
/// Each wait has a number (`ticket`), and a smaller one is older. The tasks of a list
/// are woken either by number or by age. A wake by number is meant for one task, and
/// nothing is done for it if that task is dropped. A wake by age is meant for any task:
/// if the task is dropped before it looks, another one is woken in its place.
pub(crate) struct Waiters {
    list: Mutex<List>,
    /// Only a name, for traces and stuck reports.
    leaf: &'static Leaf,
}

#[derive(Default)]
struct List {
    /// By number: the first is the oldest.
    wakers: BTreeMap<u64, Waker>,
    /// The tasks that were woken by age, and have not looked since.
    on_their_way: BTreeSet<u64>,
    /// The latest number.
    latest: u64,
}

/// One wait of a task. When this is dropped, the task leaves the list, and a wake by age
/// that it has not used is passed on.
struct Wait<'a> {
    waiters: &'a Waiters,
    number: u64,
}

impl Waiters {
    /// Creates an empty list. `leaf` names what tasks wait for, in traces.
    pub(crate) fn new(leaf: &'static Leaf) -> Waiters {
        Waiters { list: Mutex::default(), leaf }
    }

    /// Returns the next number, for a task that may have to wait.
    pub(crate) fn ticket(&self) -> u64 {
        let mut list = self.list();
        list.latest += 1;
        list.latest
    }

    /// Waits until `look` finds something, and returns it.
    pub(crate) async fn wait_until<R>(&self, look: impl FnMut() -> Option<R>) -> R {
        self.wait_with(self.ticket(), look).await
    }

    /// Like `wait_until`, under this number. Only one task at a time may use it.
    pub(crate) async fn wait_with<R>(
        &self,
        number: u64,
        mut look: impl FnMut() -> Option<R>,
    ) -> R {
        // ANCHOR: wait_until
        let wait = Wait { waiters: self, number };
        poll_fn(|cx| {
            wait.unregister(); // this poll is a look: the wake has arrived
            let mut found = look();
            if found.is_none() {
                wait.register(cx.waker().clone());
                found = look(); // another thread may have been between the two
            }
            match found {
                Some(found) => {
                    self.leaf.passed(); // observe
                    Poll::Ready(found)
                }
                None => {
                    self.leaf.parked(); // observe
                    Poll::Pending
                }
            }
        })
        .await
        // ANCHOR_END: wait_until
    }

    /// Wakes every task that waits.
    pub(crate) fn wake_all(&self) {
        self.top_up(usize::MAX);
    }

    /// Makes sure that `count` tasks are on their way: woken, but not yet polled. Counts
    /// those that are on their way already, and wakes the oldest of the rest.
    pub(crate) fn top_up(&self, count: usize) {
        let mut list = self.list();
        let more = count.saturating_sub(list.on_their_way.len());
        let to_wake = list.take_oldest(more);
        drop(list); // collected under the lock, woken after it
        to_wake.into_iter().for_each(Waker::wake);
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

impl List {
    /// Takes the oldest tasks, at most `count`. The caller wakes them.
    fn take_oldest(&mut self, count: usize) -> Vec<Waker> {
        let mut oldest = Vec::new();
        while oldest.len() < count
            && let Some((number, waker)) = self.wakers.pop_first()
        {
            self.on_their_way.insert(number);
            oldest.push(waker);
        }
        oldest
    }
}

impl Wait<'_> {
    fn register(&self, waker: Waker) {
        self.waiters.list().wakers.insert(self.number, waker);
    }

    fn unregister(&self) {
        let mut list = self.waiters.list();
        list.on_their_way.remove(&self.number);
        let waker = list.wakers.remove(&self.number);
        drop(list);
        drop(waker); // when nothing is locked: a waker's destructor may do anything
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        let mut list = self.waiters.list();
        let waker = list.wakers.remove(&self.number);
        let was_woken = list.on_their_way.remove(&self.number);
        // It does not use its wake, so the oldest gets it. Both under one lock: a
        // `top_up` between them would find one task too few on its way.
        let to_wake = list.take_oldest(usize::from(was_woken));
        drop(list);
        drop(waker);
        to_wake.into_iter().for_each(Waker::wake);
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
            waiters.top_up(all);
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
        waiters.top_up(9);
        assert_eq!((woken(), waiters.len()), (13, 88));
        room.set(1);
        assert!(tasks[0].as_mut().poll(&mut cx).is_ready());
    }

    #[test]
    fn a_task_that_is_woken_by_its_number_is_not_counted_with_those_woken_by_age() {
        let (waiters, wakes) = (Waiters::new(&TEST), Arc::new(Wakes::default()));
        let waker = Waker::from(Arc::clone(&wakes));
        let mut cx = Context::from_waker(&waker);
        let number = waiters.ticket();
        let mut first = Box::pin(waiters.wait_with(number, || None::<()>));
        let mut second = Box::pin(waiters.wait_until(|| None::<()>));
        assert!(first.as_mut().poll(&mut cx).is_pending());
        assert!(second.as_mut().poll(&mut cx).is_pending());
        waiters.wake(number);
        waiters.top_up(1);
        assert_eq!((wakes.0.load(SeqCst), waiters.len()), (2, 0));
    }

    #[test]
    fn a_number_that_outlives_its_wait_is_not_in_the_list() {
        let waiters = Waiters::new(&TEST);
        let mut cx = Context::from_waker(Waker::noop());
        let number = waiters.ticket();
        for is_woken in [false, true] {
            let mut wait = Box::pin(waiters.wait_with(number, || None::<()>));
            assert!(wait.as_mut().poll(&mut cx).is_pending());
            assert_eq!(waiters.len(), 1);
            if is_woken {
                waiters.top_up(1);
            }
            drop(wait);
            let list = waiters.list();
            assert!(list.wakers.is_empty() && list.on_their_way.is_empty());
        }
    }
}
