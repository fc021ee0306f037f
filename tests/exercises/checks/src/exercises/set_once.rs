//! A result that another thread brings, in every order in which the two can meet.

pub use crate::orders::{Arc, Mutex};

use crate::orders::{ThreadWaker, in_every_order, thread};
use crate::{cases, story, waker_that_sends};
use std::task::{Context, Poll, Waker};

/// What two threads share. `Arc` and `Mutex` are those of `checks::set_once`: they work
/// like std's, and the check can stop a thread wherever it uses one.
pub trait SetOnce: Send + Sync + 'static {
    /// There is no result yet.
    fn new() -> Self;
    /// Stores the result and wakes the task that waits. The other thread calls this.
    fn set(&self, number: u32);
    /// Takes the result, or registers the task to be woken.
    fn poll(&self, cx: &mut Context<'_>) -> Poll<u32>;
}

cases! {
    SetOnce:
    a_result_that_is_there_is_taken,
    the_task_gets_it_whichever_comes_first,
    the_task_that_polled_last_is_woken,
    a_waker_may_poll_at_once,
}

fn set<H: SetOnce>(set_once: &H) {
    story!("the other thread sets 7");
    set_once.set(7);
    story!("the other thread has set it");
}

fn poll<H: SetOnce>(set_once: &H, waker: &Waker) -> Poll<u32> {
    let poll = set_once.poll(&mut Context::from_waker(waker));
    story!("the task polls: {poll:?}");
    poll
}

fn a_result_that_is_there_is_taken<H: SetOnce>() {
    in_every_order(|| {
        let set_once = H::new();
        set(&set_once);
        assert_eq!(poll(&set_once, Waker::noop()), Poll::Ready(7));
        let again = poll(&set_once, Waker::noop());
        assert!(again.is_pending(), "one result was set, and it is taken twice");
    });
}

fn the_task_gets_it_whichever_comes_first<H: SetOnce>() {
    in_every_order(|| {
        let set_once = Arc::new(H::new());
        let other = Arc::clone(&set_once);
        let other_thread = thread::spawn(move || set(&*other));
        let (task, waker) = ThreadWaker::new();
        let number = loop {
            match poll(&*set_once, &waker) {
                Poll::Ready(number) => break number,
                Poll::Pending => task.wait(),
            }
        };
        assert_eq!(number, 7, "the number that the task gets");
        other_thread.join().expect("it has panicked already");
    });
}

fn the_task_that_polled_last_is_woken<H: SetOnce>() {
    in_every_order(|| {
        let set_once = Arc::new(H::new());
        let other = Arc::clone(&set_once);
        if poll(&*set_once, Waker::noop()).is_ready() {
            panic!("nothing was set yet");
        }
        let other_thread = thread::spawn(move || set(&*other));
        let (task, waker) = ThreadWaker::new();
        story!("another task polls");
        while poll(&*set_once, &waker).is_pending() {
            task.wait();
        }
        other_thread.join().expect("it has panicked already");
    });
}

fn a_waker_may_poll_at_once<H: SetOnce>() {
    in_every_order(|| {
        let set_once = Arc::new(H::new());
        let of_waker = Arc::clone(&set_once);
        let waker = waker_that_sends(move || {
            story!("the waker polls");
            let poll = poll(&*of_waker, Waker::noop());
            assert_eq!(poll, Poll::Ready(7), "store the result before you wake");
        });
        assert!(poll(&*set_once, &waker).is_pending());
        drop(waker);
        set(&*set_once);
    });
}
