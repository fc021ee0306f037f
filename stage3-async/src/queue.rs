//! A queue whose `join` waits until every item has been dealt with.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Items for workers. `put` never waits; `get` waits for an item; `join` waits until as
/// many items are done as were put.
pub struct Queue<T> {
    state: RefCell<State<T>>,
}

struct State<T> {
    items: VecDeque<T>,
    /// Who waits for an item. Numbers ascend: the first has waited for longest.
    getters: BTreeMap<u64, Waker>,
    /// Getters that were woken and have not come yet: an item is there for each.
    woken: BTreeSet<u64>,
    latest: u64,
    unfinished: usize,
    joiners: Vec<Waker>,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        let (items, getters) = (VecDeque::new(), BTreeMap::new());
        let (woken, joiners) = (BTreeSet::new(), Vec::new());
        let state = State { items, getters, woken, latest: 0, unfinished: 0, joiners };
        Queue { state: RefCell::new(state) }
    }
}

impl<T> Queue<T> {
    /// Adds an item, and wakes the one who has waited for longest.
    pub fn put(&self, item: T) {
        let mut state = self.state.borrow_mut();
        state.items.push_back(item);
        state.unfinished += 1;
        let waker = state.next_getter();
        drop(state); // collected under the borrow, woken after it
        waker.into_iter().for_each(Waker::wake);
    }

    /// Waits for an item, and takes it. Each item that was taken is to be reported by
    /// [`task_done`](Self::task_done).
    pub fn get(&self) -> Get<'_, T> {
        Get { queue: self, number: None }
    }

    /// An item has been dealt with.
    ///
    /// # Panics
    /// More items are reported than were put.
    pub fn task_done(&self) {
        let mut state = self.state.borrow_mut();
        let left = state.unfinished.checked_sub(1);
        state.unfinished = left.expect("an item is done once");
        let is_over = state.unfinished == 0;
        let joiners =
            if is_over { std::mem::take(&mut state.joiners) } else { Vec::new() };
        drop(state);
        joiners.into_iter().for_each(Waker::wake);
    }

    /// Waits until as many items are done as were put; not at all, if they are.
    pub async fn join(&self) {
        poll_fn(|cx| {
            let mut state = self.state.borrow_mut();
            if state.unfinished == 0 {
                return Poll::Ready(());
            }
            state.joiners.retain(|joiner| !joiner.will_wake(cx.waker()));
            state.joiners.push(cx.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

impl<T> State<T> {
    fn next_getter(&mut self) -> Option<Waker> {
        let (number, waker) = self.getters.pop_first()?;
        self.woken.insert(number);
        Some(waker)
    }
}

/// A wait for an item. It has a name, so that dropping it can pass on its wake.
pub struct Get<'a, T> {
    queue: &'a Queue<T>,
    /// Its place among those who wait, once it does.
    number: Option<u64>,
}

impl<T> Future for Get<'_, T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let mut state = self.queue.state.borrow_mut();
        let was_woken = self.number.is_some_and(|number| state.woken.contains(&number));
        // An item is there for each who was woken: who comes late leaves them theirs.
        let is_mine = was_woken || state.items.len() > state.woken.len();
        if is_mine && let Some(item) = state.items.pop_front() {
            if let Some(number) = self.number {
                state.woken.remove(&number);
                state.getters.remove(&number);
            }
            drop(state);
            self.number = None;
            return Poll::Ready(item);
        }
        let number = self.number.unwrap_or(state.latest + 1);
        state.latest = state.latest.max(number);
        state.getters.insert(number, cx.waker().clone());
        drop(state);
        self.number = Some(number);
        Poll::Pending
    }
}

impl<T> Drop for Get<'_, T> {
    /// Who was woken and does not come passes the wake on: else an item would lie there,
    /// and nobody would be told.
    fn drop(&mut self) {
        let Some(number) = self.number else { return };
        let mut state = self.queue.state.borrow_mut();
        state.getters.remove(&number);
        let was_woken = state.woken.remove(&number);
        let next = if was_woken { state.next_getter() } else { None };
        drop(state);
        next.into_iter().for_each(Waker::wake);
    }
}
