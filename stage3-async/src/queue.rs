//! A queue whose join waits until every item has been dealt with.

use crate::machine::budget::Draw;
use crate::observe::Leaf;
use crate::waiters::Waiters;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::task::{Context, Poll, Waker, ready};
use std::{pin::Pin, rc::Rc};

static GET: Leaf = Leaf::named("get", "an item"); // observe
static JOIN: Leaf = Leaf::named("join", "all items to be done");

/// Items for workers. `put` never waits, `get` waits for an item, and `join` waits
/// until every item that was put is done.
///
/// ```
/// use stage3_async::{Executor, Queue};
/// use std::rc::Rc;
///
/// let (executor, queue) = (Executor::new()?, Rc::new(Queue::new()));
/// let items = Rc::clone(&queue);
/// drop(executor.spawn(async move {
///     loop {
///         let left: u32 = items.get().await;
///         if left > 0 {
///             items.put(left - 1);
///         }
///         items.task_done();
///     }
/// }));
/// queue.put(3);
/// executor.block_on(queue.join())?; // returns when 3, 2, 1 and 0 are done
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Queue<T> {
    state: RefCell<State<T>>,
    /// The calls of `join` that wait.
    joiners: Waiters,
}

struct State<T> {
    /// Items that are not yet taken or handed to a `get`.
    items: VecDeque<T>,
    /// The waker of each `get` that waits. Numbers ascend, so the first has waited
    /// longest, and a `put` hands its item to that one. (`Waiters` would only wake it, and
    /// another `get` could take the item first.)
    getters: BTreeMap<u64, Waker>,
    /// An item for each `get` that was woken. Removed when that `get` is polled.
    handed: BTreeMap<u64, T>,
    /// The number of the latest `get` that had to wait.
    latest: u64,
    /// How many items were put and are not done.
    unfinished: usize,
    /// How often `unfinished` has become zero. Each time ends a *round*. A `join` that is
    /// woken for this may be polled only after another `put`. It sees here that its
    /// round has ended.
    rounds: u64,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Queue::new()
    }
}

impl<T> Queue<T> {
    /// Creates an empty queue.
    pub fn new() -> Queue<T> {
        let state = State {
            items: VecDeque::new(),
            getters: BTreeMap::new(),
            handed: BTreeMap::new(),
            latest: 0,
            unfinished: 0,
            rounds: 0,
        };
        Queue { state: RefCell::new(state), joiners: Waiters::new(&JOIN) }
    }

    // ANCHOR: put
    /// Adds an item, or hands it to the `get` that has waited longest.
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

    /// Waits for an item, and takes it. When it has been dealt with, call
    /// [`task_done`](Self::task_done).
    pub fn get(&self) -> Get<'_, T> {
        Get { queue: self, number: None, draw: Draw::default() }
    }

    /// Reports that an item has been dealt with.
    ///
    /// # Panics
    /// It is called more often than items were added with `put`.
    // ANCHOR: task_done
    pub fn task_done(&self) {
        let mut state = self.state.borrow_mut();
        let left = state.unfinished.checked_sub(1);
        state.unfinished = left.expect("an item is done once");
        if state.unfinished == 0 {
            state.rounds += 1;
            drop(state); // first the borrow ends: a waker may do anything
            self.joiners.wake_all(); // each `join` that waits returns
        }
    }
    // ANCHOR_END: task_done

    /// Returns a guard that calls [`task_done`](Self::task_done) when it is dropped,
    /// on every way out of a function, so do not call it as well. In a panic, too, the
    /// item counts as done, and only that item: `join` waits until other workers have
    /// done the rest. If none is left, nothing can end it. A panic is reported by the
    /// worker's handle, so await the handles along with `join`.
    pub fn done_on_drop(self: &Rc<Self>) -> TaskDoneGuard<T> {
        TaskDoneGuard(Rc::clone(self))
    }

    // ANCHOR: join
    /// Waits until every item that was put is done. Returns at once if that is so
    /// already.
    pub async fn join(&self) {
        let began = self.state.borrow().rounds;
        Draw::default().await;
        let all_done = || {
            let state = self.state.borrow();
            (state.unfinished == 0 || state.rounds > began).then_some(())
        };
        self.joiners.wait_until(all_done).await;
    }
    // ANCHOR_END: join
}

/// Reports an item as dealt with when it is dropped.
pub struct TaskDoneGuard<T>(Rc<Queue<T>>);

impl<T> Drop for TaskDoneGuard<T> {
    fn drop(&mut self) {
        self.0.task_done();
    }
}

/// The future of `get`. A named type, because its `Drop` passes on an item that was
/// handed to it.
pub struct Get<'a, T> {
    queue: &'a Queue<T>,
    /// Its number in `getters`, and then in `handed`. Set when it has to wait,
    /// cleared when it takes its item.
    number: Option<u64>,
    draw: Draw,
}

impl<T> Future for Get<'_, T> {
    type Output = T;

    // ANCHOR: poll
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        ready!(Pin::new(&mut self.draw).poll(cx));
        let mut state = self.queue.state.borrow_mut();
        let item = match self.number {
            None => state.items.pop_front(),
            Some(number) => state.handed.remove(&number),
        };
        if let Some(item) = item {
            self.number = None;
            GET.passed(); // observe
            return Poll::Ready(item);
        }
        state.latest += u64::from(self.number.is_none());
        let number = self.number.unwrap_or(state.latest);
        let replaced = state.getters.insert(number, cx.waker().clone());
        drop(state); // first the borrow ends: a waker's destructor may use the queue
        drop(replaced);
        self.number = Some(number);
        GET.parked(); // observe
        Poll::Pending
    }
    // ANCHOR_END: poll
}

// ANCHOR: drop
impl<T> Drop for Get<'_, T> {
    /// A `get` that was woken, and is dropped before it has taken its item, passes the
    /// item on. Otherwise the item would be lost.
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
// ANCHOR_END: drop
