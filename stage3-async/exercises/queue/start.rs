//! A queue: `put` never waits, `get` waits for an item. No item is lost.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/queue.rs`.

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

// ANCHOR: task
impl Mine {
    /// Hands the item to the `get` that has waited longest. If none waits, keeps it: a
    /// new item at the back, one that is passed on at the front.
    fn hand(&self, item: u32, keep: fn(&mut VecDeque<u32>, u32)) {
        todo!("hand {item} to the get that has waited longest; if none waits, keep it")
    }
}

impl Future for Get {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        todo!("take an item; otherwise wait, under a number")
    }
}

impl Drop for Get {
    fn drop(&mut self) {
        // Yours: a get that is dropped waits no longer, and passes its item on.
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::queue::check::<Mine>()
}
