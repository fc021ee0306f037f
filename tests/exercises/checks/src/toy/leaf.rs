//! A leaf future that is ready when the case says so. It counts its polls, and the case
//! sees when it is dropped.

use crate::story;
use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// The polls after which a leaf panics: it is polled without end.
const MOST_POLLS: usize = 1000;

/// What a leaf and its [`Control`] share.
struct Inner {
    name: &'static str,
    number: Cell<Option<u32>>,
    waker: RefCell<Option<Waker>>,
    polls: Cell<usize>,
    has_ended: Cell<bool>,
    is_dropped: Cell<bool>,
}

/// A future whose output a case delivers. It panics if it is polled after its end.
pub struct Leaf(Rc<Inner>);

/// The side of a leaf that the case holds.
pub struct Control(Rc<Inner>);

/// Returns a leaf with this name, and its control.
pub fn leaf(name: &'static str) -> (Leaf, Control) {
    let inner = Rc::new(Inner {
        name,
        number: Cell::default(),
        waker: RefCell::default(),
        polls: Cell::default(),
        has_ended: Cell::default(),
        is_dropped: Cell::default(),
    });
    (Leaf(Rc::clone(&inner)), Control(inner))
}

impl Control {
    /// Makes the leaf ready, and wakes the task that has polled it last.
    pub fn deliver(&self, number: u32) {
        story!("{} is ready: {number}", self.0.name);
        self.0.number.set(Some(number));
        self.wake();
    }

    /// Wakes the task that has polled the leaf last. The leaf may still have to wait.
    pub fn wake(&self) {
        let waker = self.0.waker.take();
        waker.into_iter().for_each(Waker::wake);
    }

    /// Returns how often the leaf was polled.
    pub fn polls(&self) -> usize {
        self.0.polls.get()
    }

    /// Returns whether the leaf no longer exists.
    pub fn is_dropped(&self) -> bool {
        self.0.is_dropped.get()
    }
}

impl Future for Leaf {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        let Inner { name, number, waker, polls, has_ended, .. } = &*self.0;
        assert!(!has_ended.get(), "{name} was ready before, and is polled again");
        polls.set(polls.get() + 1);
        assert!(polls.get() < MOST_POLLS, "{name} is polled without end");
        let poll = number.get().map_or(Poll::Pending, Poll::Ready);
        story!("  {name} is polled: {poll:?}");
        has_ended.set(poll.is_ready());
        waker.replace(poll.is_pending().then(|| cx.waker().clone()));
        poll
    }
}

impl Drop for Leaf {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            story!("  {} is dropped", self.0.name); // after a panic that says nothing
        }
        self.0.is_dropped.set(true);
    }
}
