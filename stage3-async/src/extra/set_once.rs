//! A value that one thread sets, and tasks of another thread await.

use crate::machine::budget::Draw;
use crate::waiters::Waiters;
use crate::{Leaf, Reactor};
use std::sync::{Arc, Mutex, MutexGuard};

/// A value that is set once, by another thread. Clones share it.
pub(crate) struct SetOnce<T>(Arc<Shared<T>>);

struct Shared<T> {
    /// `None` until the other thread sets it. A task then takes it, or copies it so
    /// that other tasks can copy it, too.
    value: Mutex<Option<T>>,
    /// The tasks that wait until it is set.
    waiters: Waiters,
}

impl<T> SetOnce<T> {
    /// Creates a cell with a value that is known already, or with `None`. `leaf` tells
    /// a trace what tasks wait for.
    pub(crate) fn new(value: Option<T>, leaf: &'static Leaf) -> SetOnce<T> {
        let (value, waiters) = (Mutex::new(value), Waiters::new(leaf));
        SetOnce(Arc::new(Shared { value, waiters }))
    }

    /// Sets the value and wakes all tasks that wait for it.
    pub(crate) fn set(&self, value: T) {
        *self.value() = Some(value);
        self.0.waiters.wake_all();
    }

    /// Looks at the value, if it is set, without waiting.
    pub(crate) fn peek<R>(&self, look: impl FnOnce(&Option<T>) -> R) -> R {
        look(&self.value())
    }

    /// Waits until the value is set. `take` takes it out, or copies it.
    pub(crate) async fn get(
        &self,
        take: impl Fn(&mut Option<T>) -> Option<T>,
        reactor: &Reactor,
    ) -> T {
        Draw::default().await;
        let _work = reactor.work_guard();
        self.0.waiters.wait_until(|| take(&mut self.value())).await
    }

    fn value(&self) -> MutexGuard<'_, Option<T>> {
        self.0.value.lock().expect("nothing panics while it holds a value")
    }
}

impl<T> Clone for SetOnce<T> {
    fn clone(&self) -> Self {
        SetOnce(Arc::clone(&self.0))
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
        let value = SetOnce::<()>::new(None, &TEST);
        let waits = async {
            for _ in 0..1000 {
                let wait = value.get(Option::take, reactor);
                timeout(Duration::ZERO, wait, reactor)
                    .await
                    .expect_err("it is not set");
            }
            // Counts the waiters that are left. The value itself is still alive.
            value.0.waiters.len()
        };
        assert_eq!(executor.block_on(waits), Ok(0));
    }

    #[test]
    fn each_wait_has_one_waker_however_often_it_is_polled() {
        let executor = Executor::new().expect("a selector");
        let value = SetOnce::<()>::new(None, &TEST);
        let mut wait = Box::pin(value.get(Option::take, executor.reactor()));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        for _ in 0..3 {
            assert!(wait.as_mut().poll(&mut context).is_pending());
        }
        assert_eq!(value.0.waiters.len(), 1);
        value.set(());
        assert!(wait.as_mut().poll(&mut context).is_ready());
    }
}
