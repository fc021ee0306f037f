//! Chapter 22's queue for tasks on several threads: the `RefCell` is a `Mutex`.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Mutex, MutexGuard};
use std::task::{Poll, Waker};

// ANCHOR: queue
/// Items for workers. `join` waits until all of them are done.
pub(crate) struct Queue<T>(Mutex<State<T>>);

struct State<T> {
    items: VecDeque<T>,
    /// Items that were put, and are not done.
    unfinished: usize,
    /// The wakers of tasks that wait for an item.
    getters: VecDeque<Waker>,
    /// The wakers of tasks that wait until all items are done.
    joiners: Vec<Waker>,
}
// ANCHOR_END: queue

impl<T> Default for Queue<T> {
    fn default() -> Queue<T> {
        let (items, getters) = (VecDeque::new(), VecDeque::new());
        Queue(Mutex::new(State { items, unfinished: 0, getters, joiners: Vec::new() }))
    }
}

impl<T> Queue<T> {
    // ANCHOR: put
    /// Adds an item, and wakes a task that waits for one.
    pub(crate) fn put(&self, item: T) {
        let mut state = self.lock();
        state.items.push_back(item);
        state.unfinished += 1;
        let getter = state.getters.pop_front();
        drop(state); // a waker may run any code
        getter.into_iter().for_each(Waker::wake);
    }

    /// Waits for an item, and takes it.
    pub(crate) async fn get(&self) -> T {
        poll_fn(|cx| {
            let mut state = self.lock();
            state.getters.retain(|getter| !getter.will_wake(cx.waker()));
            if let Some(item) = state.items.pop_front() {
                return Poll::Ready(item);
            }
            state.getters.push_back(cx.waker().clone());
            Poll::Pending
        })
        .await
    }
    // ANCHOR_END: put

    /// Reports that an item is done.
    pub(crate) fn task_done(&self) {
        let mut state = self.lock();
        state.unfinished -= 1;
        let is_over = state.unfinished == 0;
        let joiners = if is_over { std::mem::take(&mut state.joiners) } else { vec![] };
        drop(state);
        joiners.into_iter().for_each(Waker::wake);
    }

    /// Waits until as many items are done as were put.
    pub(crate) async fn join(&self) {
        poll_fn(|cx| {
            let mut state = self.lock();
            state.joiners.retain(|joiner| !joiner.will_wake(cx.waker()));
            if state.unfinished == 0 {
                return Poll::Ready(());
            }
            state.joiners.push(cx.waker().clone());
            Poll::Pending
        })
        .await;
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().expect("nothing panics while it holds the queue")
    }
}
