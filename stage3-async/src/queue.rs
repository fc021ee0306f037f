//! A queue whose `join` waits until every item has been dealt with.

use shared::watch::{Leaf, Says, Waiting, Watch};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::future::{Future, poll_fn};
use std::task::{Context, Poll, Waker};
use std::{mem, pin::Pin, rc::Rc};

static GET: Leaf = Leaf::new(file!(), "get", Waiting::Named("an item"));
static JOIN: Leaf = Leaf::new(file!(), "join", Waiting::Named("all items to be done"));

/// Items for workers. `put` never waits; `get` waits for an item; `join` waits until as
/// many items are done as were put.
pub struct Queue<T> {
    state: RefCell<State<T>>,
    says: Says,
}

struct State<T> {
    /// Items for which nobody waits.
    items: VecDeque<T>,
    /// Who waits for an item. Numbers ascend: the first has waited for longest.
    getters: BTreeMap<u64, Waker>,
    /// Items for those who were woken and have not come yet.
    handed: BTreeMap<u64, T>,
    latest: u64,
    unfinished: usize,
    /// How often all was done: who waits in `join` sees it, also where another item was
    /// put before it ran.
    rounds: u64,
    joiners: Vec<Waker>,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Queue::new(&Says::new(Watch::off()))
    }
}

impl<T> Queue<T> {
    /// An empty queue. Who waits in it tells so.
    pub fn new(says: &Says) -> Queue<T> {
        let state = State {
            items: VecDeque::new(),
            getters: BTreeMap::new(),
            handed: BTreeMap::new(),
            latest: 0,
            unfinished: 0,
            rounds: 0,
            joiners: Vec::new(),
        };
        Queue { state: RefCell::new(state), says: says.clone() }
    }

    // ANCHOR: put
    /// Adds an item; or hands it to the one who has waited for longest.
    pub fn put(&self, item: T) {
        self.state.borrow_mut().unfinished += 1;
        self.hand(item, VecDeque::push_back);
    }

    fn hand(&self, item: T, keep: impl FnOnce(&mut VecDeque<T>, T)) {
        let mut state = self.state.borrow_mut();
        let Some((getter, waker)) = state.getters.pop_first() else {
            return keep(&mut state.items, item);
        };
        state.handed.insert(getter, item);
        drop(state); // collected under the borrow, woken after it
        waker.wake();
    }
    // ANCHOR_END: put

    /// Waits for an item, and takes it. Each item that was taken is to be reported by
    /// [`task_done`](Self::task_done).
    pub fn get(&self) -> Get<'_, T> {
        Get { queue: self, number: None }
    }

    /// An item has been dealt with.
    ///
    /// # Panics
    /// More items are reported than were put.
    // ANCHOR: task_done
    pub fn task_done(&self) {
        let mut state = self.state.borrow_mut();
        let left = state.unfinished.checked_sub(1);
        state.unfinished = left.expect("an item is done once");
        if state.unfinished == 0 {
            state.rounds += 1;
            let joiners = mem::take(&mut state.joiners);
            drop(state);
            joiners.into_iter().for_each(Waker::wake);
        }
    }
    // ANCHOR_END: task_done

    /// Calls [`task_done`](Self::task_done) when it is dropped: on every way out.
    pub fn done_at_end(self: &Rc<Self>) -> Done<T> {
        Done(Rc::clone(self))
    }

    // ANCHOR: join
    /// Waits until as many items are done as were put; not at all, if they are.
    pub async fn join(&self) {
        let began = self.state.borrow().rounds;
        poll_fn(|cx| {
            let mut state = self.state.borrow_mut();
            let is_over = state.unfinished == 0 || state.rounds > began;
            let poll = if is_over { Poll::Ready(()) } else { Poll::Pending };
            if poll.is_pending()
                && !state.joiners.iter().any(|it| it.will_wake(cx.waker()))
            {
                state.joiners.push(cx.waker().clone());
            }
            self.says.polled(&JOIN, poll)
        })
        .await;
    }
    // ANCHOR_END: join
}

/// An item is dealt with when this is dropped.
pub struct Done<T>(Rc<Queue<T>>);

impl<T> Drop for Done<T> {
    fn drop(&mut self) {
        self.0.task_done();
    }
}

/// A wait for an item. It has a name, so that dropping it can pass its item on.
pub struct Get<'a, T> {
    queue: &'a Queue<T>,
    /// Its place among those who wait, once it does.
    number: Option<u64>,
}

impl<T> Future for Get<'_, T> {
    type Output = T;

    // ANCHOR: poll
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let mut state = self.queue.state.borrow_mut();
        let item = match self.number {
            None => state.items.pop_front(),
            Some(number) => state.handed.remove(&number),
        };
        let poll = item.map_or(Poll::Pending, Poll::Ready);
        let mut replaced = None;
        if poll.is_pending() {
            state.latest += u64::from(self.number.is_none());
            let number = self.number.unwrap_or(state.latest);
            replaced = state.getters.insert(number, cx.waker().clone());
            self.number = Some(number);
        } else {
            self.number = None;
        }
        drop(state);
        drop(replaced);
        self.queue.says.polled(&GET, poll)
    }
    // ANCHOR_END: poll
}

impl<T> Drop for Get<'_, T> {
    /// Who was woken and does not come passes the item on: else it would lie there, and
    /// nobody would be told.
    fn drop(&mut self) {
        let Some(number) = self.number else { return };
        let mut state = self.queue.state.borrow_mut();
        let waker = state.getters.remove(&number);
        let item = state.handed.remove(&number);
        drop(state);
        drop(waker);
        if let Some(item) = item {
            self.queue.hand(item, VecDeque::push_front);
        }
    }
}
