//! A queue with a fixed number of places: a put waits until one is free.

use checks::bounded::{Bounded, Hand};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

struct State {
    bound: usize,
    items: VecDeque<u32>,
    /// The waker of each put that waits. Numbers ascend: the first has waited longest.
    waiting: BTreeMap<u64, Waker>,
    /// The puts that were woken: each has a place, and has not used it yet.
    promised: BTreeSet<u64>,
    /// The number of the latest put that had to wait.
    latest: u64,
}

#[derive(Clone)]
struct Mine(Rc<RefCell<State>>);

struct Put {
    queue: Mine,
    hand: Hand,
    /// Set when it has to wait, until it has put its item.
    number: Option<u64>,
}

impl Bounded for Mine {
    type Put = Put;

    fn new(bound: usize) -> Mine {
        let (items, waiting, promised) = Default::default();
        Mine(Rc::new(RefCell::new(State {
            bound,
            items,
            waiting,
            promised,
            latest: 0,
        })))
    }

    fn put(&self, hand: &Hand) -> Put {
        Put { queue: self.clone(), hand: Rc::clone(hand), number: None }
    }

    // ANCHOR: task
    // A put has its item in a `Hand`, an `Rc<Cell<Option<u32>>>`, and its caller keeps
    // a clone of that. It takes the item out only when it has a place. So, unlike in
    // the chapter, a put that is dropped does not lose its item.
    fn take(&self) -> Option<u32> {
        todo!("take the first item, and give its place to the put that waits longest")
    }
}

impl Future for Put {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        todo!("put the item of the hand if there is a place; otherwise wait for one")
    }
}

impl Drop for Put {
    fn drop(&mut self) {
        // Yours: it may wait, or it may have a place that it will never use.
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::bounded::check::<Mine>()
}
