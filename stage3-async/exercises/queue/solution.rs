//! A queue: `put` never waits, `get` waits for an item. No item is lost.

use checks::queue::{Boxed, Queue};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct State {
    /// Items for which no `get` waits.
    items: VecDeque<u32>,
    /// The waker of each `get` that waits. Numbers ascend: the first has waited longest.
    getters: BTreeMap<u64, Waker>,
    /// An item for each `get` that was woken, until it is polled and takes the item.
    handed: BTreeMap<u64, u32>,
    /// The number of the latest `get` that had to wait.
    latest: u64,
}

#[derive(Default)]
struct Mine(RefCell<State>);

struct Get {
    queue: Rc<Mine>,
    /// Set while it waits: its number in `getters`, and then in `handed`.
    number: Option<u64>,
}

impl Queue for Mine {
    fn new() -> Rc<Mine> {
        Rc::default()
    }

    fn put(&self, item: u32) {
        self.hand(item, VecDeque::push_back);
    }

    fn get(self: &Rc<Mine>) -> Boxed {
        Box::pin(Get { queue: Rc::clone(self), number: None })
    }
}

// ANCHOR: solution
impl Mine {
    /// Hands the item to the `get` that has waited longest. If none waits, keeps it: a
    /// new item at the back, one that is passed on at the front.
    fn hand(&self, item: u32, keep: fn(&mut VecDeque<u32>, u32)) {
        // hole 2
        //| todo!("hand {item} to the get that has waited longest; if none waits, keep it")
        let mut state = self.0.borrow_mut();
        let Some((getter, waker)) = state.getters.pop_first() else {
            return keep(&mut state.items, item);
        };
        // hole 1
        //| let _ = waker;
        //| todo!("keep {item} for get {getter}, and wake it; what must end before?")
        state.handed.insert(getter, item);
        drop(state); // collected under the borrow, woken after it
        waker.wake();
        // end hole
        // end hole
    }
}

impl Future for Get {
    type Output = u32;

    // hole 2
    //| fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
    //|     todo!("take an item; otherwise wait, under a number")
    //| }
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        let queue = Rc::clone(&self.queue);
        let mut state = queue.0.borrow_mut();
        let item = match self.number {
            None => state.items.pop_front(),
            Some(number) => state.handed.remove(&number),
        };
        if let Some(item) = item {
            self.number = None;
            return Poll::Ready(item);
        }
        state.latest += u64::from(self.number.is_none());
        let number = self.number.unwrap_or(state.latest);
        let replaced = state.getters.insert(number, cx.waker().clone());
        drop(state); // first the borrow ends: a waker's destructor may use the queue
        drop(replaced);
        self.number = Some(number);
        Poll::Pending
    }
    // end hole
}

impl Drop for Get {
    fn drop(&mut self) {
        // hole 2
        //| // Yours: a get that is dropped waits no longer, and passes its item on.
        let Some(number) = self.number else { return };
        let mut state = self.queue.0.borrow_mut();
        let waker = state.getters.remove(&number);
        let item = state.handed.remove(&number);
        drop(state);
        drop(waker);
        // hole 1
        //| // Yours: an item that was handed to this get is not lost.
        //| let _ = item;
        if let Some(item) = item {
            self.queue.hand(item, VecDeque::push_front);
        }
        // end hole
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::queue::check::<Mine>()
}
