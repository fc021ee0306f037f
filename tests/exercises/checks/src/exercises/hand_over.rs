//! A result that another thread brings, in every order in which the two can meet.

pub use crate::orders::{Arc, Mutex};

use crate::orders::{ThreadWaker, in_every_order, thread};
use crate::{cases, story, waker_that_sends};
use std::task::{Context, Poll, Waker};

/// What two threads share. `Arc` and `Mutex` are those of `checks::hand_over`: they work
/// like std's, and the check can stop a thread wherever it uses one.
pub trait HandOver: Send + Sync + 'static {
    /// There is no result yet.
    fn new() -> Self;
    /// Stores the result, and wakes the task that waits: for the other thread.
    fn put(&self, number: u32);
    /// Takes the result, or registers the task to be woken.
    fn poll(&self, cx: &mut Context<'_>) -> Poll<u32>;
}

cases! {
    HandOver:
    a_result_that_is_there_is_taken,
    the_task_gets_it_whichever_comes_first,
    the_task_that_polled_last_is_woken,
    a_waker_may_poll_at_once,
}

fn put<H: HandOver>(hand_over: &H) {
    story!("the other thread puts 7");
    hand_over.put(7);
    story!("the other thread has put it");
}

fn poll<H: HandOver>(hand_over: &H, waker: &Waker) -> Poll<u32> {
    let poll = hand_over.poll(&mut Context::from_waker(waker));
    story!("the task polls: {poll:?}");
    poll
}

fn a_result_that_is_there_is_taken<H: HandOver>() {
    in_every_order(|| {
        let hand_over = H::new();
        put(&hand_over);
        assert_eq!(poll(&hand_over, Waker::noop()), Poll::Ready(7));
        let again = poll(&hand_over, Waker::noop());
        assert!(again.is_pending(), "one result was put, and it is taken twice");
    });
}

fn the_task_gets_it_whichever_comes_first<H: HandOver>() {
    in_every_order(|| {
        let hand_over = Arc::new(H::new());
        let other = Arc::clone(&hand_over);
        let other_thread = thread::spawn(move || put(&*other));
        let (task, waker) = ThreadWaker::new();
        let number = loop {
            match poll(&*hand_over, &waker) {
                Poll::Ready(number) => break number,
                Poll::Pending => task.wait(),
            }
        };
        assert_eq!(number, 7);
        other_thread.join().expect("it has panicked already");
    });
}

fn the_task_that_polled_last_is_woken<H: HandOver>() {
    in_every_order(|| {
        let hand_over = Arc::new(H::new());
        let other = Arc::clone(&hand_over);
        if poll(&*hand_over, Waker::noop()).is_ready() {
            panic!("nothing was put yet");
        }
        let other_thread = thread::spawn(move || put(&*other));
        let (task, waker) = ThreadWaker::new();
        story!("another task polls");
        while poll(&*hand_over, &waker).is_pending() {
            task.wait();
        }
        other_thread.join().expect("it has panicked already");
    });
}

fn a_waker_may_poll_at_once<H: HandOver>() {
    in_every_order(|| {
        let hand_over = Arc::new(H::new());
        let of_waker = Arc::clone(&hand_over);
        let waker = waker_that_sends(move || {
            story!("the waker polls");
            let poll = poll(&*of_waker, Waker::noop());
            assert_eq!(poll, Poll::Ready(7), "store the result before you wake");
        });
        assert!(poll(&*hand_over, &waker).is_pending());
        drop(waker);
        put(&*hand_over);
    });
}
