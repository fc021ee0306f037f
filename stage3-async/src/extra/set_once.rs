//! A value that one thread sets, and tasks of another thread await.

use crate::machine::budget::Draw;
use crate::{Leaf, Reactor};
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Poll, Waker};

/// A value that is set once, by another thread. Clones share it.
pub(crate) struct SetOnce<T>(Arc<Mutex<State<T>>>);

struct State<T> {
    /// `None` until the other thread sets it. A task then takes it, or copies it for
    /// itself and leaves it to the others.
    value: Option<T>,
    /// The waker of each wait, by its number. Added by a poll that finds no value,
    /// and taken when the value is set.
    waiters: BTreeMap<u64, Waker>,
    /// The number of the latest wait.
    latest: u64,
}

impl<T> SetOnce<T> {
    /// Makes a cell for a value: one that is known already, or `None`.
    pub(crate) fn new(value: Option<T>) -> SetOnce<T> {
        let state = State { value, waiters: BTreeMap::new(), latest: 0 };
        SetOnce(Arc::new(Mutex::new(state)))
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().expect("nothing panics while it holds a value")
    }

    /// Sets the value and wakes all tasks that wait for it.
    pub(crate) fn set(&self, value: T) {
        let mut state = self.state();
        state.value = Some(value);
        let waiters = mem::take(&mut state.waiters);
        drop(state); // collected under the lock, woken after it
        waiters.into_values().for_each(Waker::wake);
    }

    /// Looks at the value, if it is set, without waiting.
    pub(crate) fn peek<R>(&self, look: impl FnOnce(&Option<T>) -> R) -> R {
        look(&self.state().value)
    }

    /// Waits until the value is set. `take` takes it out, or copies it.
    pub(crate) async fn get(
        &self,
        take: impl Fn(&mut Option<T>) -> Option<T>,
        reactor: &Reactor,
        leaf: &'static Leaf,
    ) -> T {
        Draw::default().await;
        let _work = reactor.work_guard();
        let wait = self.wait();
        poll_fn(|cx| {
            let mut state = self.state();
            if let Some(value) = take(&mut state.value) {
                leaf.passed(); // observe
                return Poll::Ready(value);
            }
            let replaced = state.waiters.insert(wait.number, cx.waker().clone());
            drop(state); // a waker is dropped when nothing is locked
            drop(replaced);
            leaf.parked(); // observe
            Poll::Pending
        })
        .await
    }

    fn wait(&self) -> Wait<'_, T> {
        let mut state = self.state();
        state.latest += 1;
        Wait { set_once: self, number: state.latest }
    }
}

impl<T> Clone for SetOnce<T> {
    fn clone(&self) -> Self {
        SetOnce(Arc::clone(&self.0))
    }
}

/// Removes the waker of a wait, however the wait ends.
struct Wait<'a, T> {
    set_once: &'a SetOnce<T>,
    number: u64,
}

impl<T> Drop for Wait<'_, T> {
    fn drop(&mut self) {
        let waker = self.set_once.state().waiters.remove(&self.number);
        drop(waker); // when nothing is locked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Executor, timeout};
    use std::time::Duration;

    static TEST: Leaf = Leaf::named("get", "a test");

    #[test]
    fn waits_that_are_given_up_leave_no_waker() {
        let executor = Executor::new().expect("a selector");
        let reactor = executor.reactor();
        let value = SetOnce::<()>::new(None);
        let waits = async {
            for _ in 0..1000 {
                let wait = value.get(Option::take, reactor, &TEST);
                timeout(Duration::ZERO, wait, reactor)
                    .await
                    .expect_err("it is not set");
            }
            // All of them, while the value lives on.
            value.state().waiters.len()
        };
        assert_eq!(executor.block_on(waits), Ok(0));
    }

    #[test]
    fn each_wait_has_one_waker_however_often_it_is_polled() {
        let executor = Executor::new().expect("a selector");
        let value = SetOnce::<()>::new(None);
        let mut wait = Box::pin(value.get(Option::take, executor.reactor(), &TEST));
        let mut context = std::task::Context::from_waker(Waker::noop());
        for _ in 0..3 {
            assert!(wait.as_mut().poll(&mut context).is_pending());
        }
        assert_eq!(value.state().waiters.len(), 1);
        value.set(());
        assert!(wait.as_mut().poll(&mut context).is_ready());
    }
}
