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

    // ANCHOR: solution
    // hole 2
    //| // A put has its item in a `Hand`, an `Rc<Cell<Option<u32>>>`, and its caller keeps
    //| // a clone of that. The put takes the item out only when it has a place. Unlike in
    //| // the chapter, a put that is dropped therefore does not lose its item.
    // end hole
    fn take(&self) -> Option<u32> {
        // hole 2
        //| todo!("take the first item, and give its place to the put that waits longest")
        let item = self.0.borrow_mut().items.pop_front();
        self.offer();
        item
        // end hole
    }
}
// hole 2

impl State {
    fn has_room(&self) -> bool {
        // hole 1
        //| todo!("which places are not free?")
        self.items.len() + self.promised.len() < self.bound
        // end hole
    }
}

impl Mine {
    /// Promises a place that is free to the put that has waited longest, and wakes it.
    fn offer(&self) {
        let mut state = self.0.borrow_mut();
        let first = if state.has_room() { state.waiting.pop_first() } else { None };
        let Some((number, waker)) = first else { return };
        // hole 1
        //| let _ = waker;
        //| todo!("put {number} gets the place; what must end before it is woken?")
        state.promised.insert(number);
        drop(state);
        waker.wake();
        // end hole
    }
}
// end hole

impl Future for Put {
    type Output = ();

    // hole 2
    //| fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
    //|     todo!("put the item of the hand if there is a place; otherwise wait for one")
    //| }
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let mut state = this.queue.0.borrow_mut();
        let has_place = match this.number {
            None => state.has_room(),
            Some(number) => state.promised.remove(&number),
        };
        if has_place {
            this.number = None;
            state.items.extend(this.hand.take());
            return Poll::Ready(());
        }
        state.latest += u64::from(this.number.is_none());
        let number = *this.number.get_or_insert(state.latest);
        let replaced = state.waiting.insert(number, cx.waker().clone());
        drop(state);
        drop(replaced); // nothing is borrowed: it may run any code
        Poll::Pending
    }
    // end hole
}

impl Drop for Put {
    fn drop(&mut self) {
        // hole 2
        //| // Yours: it may wait, or it may have a place that it will never use.
        let Some(number) = self.number else { return };
        let mut state = self.queue.0.borrow_mut();
        // hole 1
        //| // Yours: it may wait, or it may have a place that it will never use.
        //| let _ = (number, &mut state);
        let waker = state.waiting.remove(&number);
        state.promised.remove(&number);
        drop(state);
        drop(waker);
        self.queue.offer();
        // end hole
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::bounded::check::<Mine>()
}
