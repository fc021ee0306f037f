//! Broken on purpose: a leaf keeps its first waker, and wakes the wrong task.
//!
//! `cargo run -p stage3-async --example ch19_broken_stale_waker`

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::task::{Context, Poll, Wake, Waker};

// ANCHOR: leaf
/// A number that is delivered later, and the waker of the task that waits for it.
#[derive(Default)]
struct Letter {
    number: Option<u32>,
    waiter: Option<Waker>,
}

/// A leaf that waits for the number.
struct Receive {
    letter: Rc<RefCell<Letter>>,
    is_fixed: bool,
}

// ANCHOR_END: leaf

// Each poll may come from another task, so the latest waker counts: the fixed leaf
// stores it on each poll.
// ANCHOR: poll
impl Future for Receive {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        let mut letter = self.letter.borrow_mut();
        if let Some(number) = letter.number.take() {
            return Poll::Ready(number);
        }
        if self.is_fixed || letter.waiter.is_none() {
            letter.waiter = Some(cx.waker().clone());
        }
        Poll::Pending
    }
}
// ANCHOR_END: poll

// ANCHOR: named
/// A waker that prints which task it wakes, and remembers that it was called.
struct Named(&'static str, AtomicBool);

impl Wake for Named {
    fn wake(self: Arc<Self>) {
        println!("  {} is woken", self.0);
        self.1.store(true, SeqCst);
    }
}

fn poll_as(task: &'static str, future: &mut Pin<Box<Receive>>) -> Arc<Named> {
    let named = Arc::new(Named(task, AtomicBool::new(false)));
    let waker = Waker::from(Arc::clone(&named));
    let poll = future.as_mut().poll(&mut Context::from_waker(&waker));
    println!("  {task} polls: {poll:?}");
    named
}
// ANCHOR_END: named

// ANCHOR: hand_over
/// One task begins to poll a future, and hands it to another task, which continues.
fn hand_over(is_fixed: bool) {
    let letter: Rc<RefCell<Letter>> = Rc::default();
    let mut receive = Box::pin(Receive { letter: Rc::clone(&letter), is_fixed });
    poll_as("task 1", &mut receive);
    let second = poll_as("task 2", &mut receive);
    let waiter = {
        let mut letter = letter.borrow_mut();
        letter.number = Some(7);
        letter.waiter.take()
    };
    waiter.into_iter().for_each(Waker::wake);
    // Like an executor, it polls only tasks that were woken. Task 1 no longer has a
    // future to poll.
    match second.1.load(SeqCst) {
        true => drop(poll_as("task 2", &mut receive)),
        false => println!("  task 2 is not woken, and never polls again"),
    }
}
// ANCHOR_END: hand_over

// ANCHOR: main
fn main() {
    println!("broken:");
    hand_over(false);
    println!("fixed:");
    hand_over(true);
}
// ANCHOR_END: main
