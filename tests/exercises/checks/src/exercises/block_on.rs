//! The smallest executor that waits, on a thread that loom can stop anywhere.

pub use crate::orders::{Condvar, Mutex};

use crate::orders::{self, in_every_order};
use crate::{cases, story};
use std::cell::Cell;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Poll, Waker};

thread_local! {
    /// How often the case has called `yield_now`.
    static YIELDS: Cell<u32> = const { Cell::new(0) };
}

/// Works like std's, and counts calls of `yield_now`.
pub mod thread {
    pub use crate::orders::thread::*;

    /// Lets other threads run. It does not sleep.
    pub fn yield_now() {
        super::YIELDS.set(super::YIELDS.get() + 1);
        crate::orders::thread::yield_now();
    }
}

/// A future in a box.
pub type Boxed = Pin<Box<dyn Future<Output = u32>>>;

/// An executor for one future.
pub trait BlockOn: 'static {
    /// Runs a future to its end on this thread, which sleeps while the future waits.
    fn block_on(future: Boxed) -> u32;
}

cases! {
    BlockOn:
    a_future_that_is_ready_is_polled_once,
    a_wake_during_the_poll_is_not_lost,
    it_sleeps_until_another_thread_wakes_it,
    each_wake_is_worth_one_poll,
}

/// A future that counts its polls, and panics if there are more than wakes explain.
fn counted(most: u32, poll: impl Fn(u32, &Waker) -> Poll<u32> + 'static) -> Boxed {
    let polls = Cell::new(0);
    Box::pin(poll_fn(move |cx| {
        polls.set(polls.get() + 1);
        let number = polls.get();
        assert!(
            number <= most,
            "poll {number}, and nothing has woken it since: it spins"
        );
        let poll = poll(number, cx.waker());
        story!("poll {number}: {poll:?}");
        poll
    }))
}

fn a_future_that_is_ready_is_polled_once<B: BlockOn>() {
    in_every_order(|| {
        let number = B::block_on(counted(1, |_, _| Poll::Ready(7)));
        assert_eq!(number, 7, "what `block_on` returns");
    });
}

fn a_wake_during_the_poll_is_not_lost<B: BlockOn>() {
    in_every_order(|| {
        let future = counted(3, |number, waker| {
            if number == 3 {
                return Poll::Ready(7);
            }
            story!("the future wakes itself");
            waker.wake_by_ref();
            Poll::Pending
        });
        assert_eq!(B::block_on(future), 7, "what `block_on` returns");
    });
}

fn it_sleeps_until_another_thread_wakes_it<B: BlockOn>() {
    in_every_order(|| {
        YIELDS.set(0);
        let is_there = orders::Arc::new(Mutex::new(false));
        let future = counted(2, move |number, waker| {
            if *is_there.lock().expect("no panic holds it") {
                return Poll::Ready(7);
            }
            if number == 1 {
                let (is_there, waker) = (orders::Arc::clone(&is_there), waker.clone());
                thread::spawn(move || {
                    *is_there.lock().expect("no panic holds it") = true;
                    story!("another thread wakes it");
                    waker.wake();
                });
            }
            Poll::Pending
        });
        assert_eq!(B::block_on(future), 7, "what `block_on` returns");
        assert_eq!(
            YIELDS.get(),
            0,
            "calls of `yield_now`, which does not sleep: it spins"
        );
    });
}

fn each_wake_is_worth_one_poll<B: BlockOn>() {
    in_every_order(|| {
        let count = orders::Arc::new(Mutex::new(0));
        let future = counted(3, move |number, waker| {
            if *count.lock().expect("no panic holds it") == 2 {
                return Poll::Ready(7);
            }
            if number == 1 {
                let (count, waker) = (orders::Arc::clone(&count), waker.clone());
                thread::spawn(move || {
                    for _ in 0..2 {
                        *count.lock().expect("no panic holds it") += 1;
                        story!("another thread wakes it");
                        waker.wake_by_ref();
                    }
                });
            }
            Poll::Pending
        });
        assert_eq!(B::block_on(future), 7, "what `block_on` returns");
    });
}
