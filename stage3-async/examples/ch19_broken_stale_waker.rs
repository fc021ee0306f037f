//! Broken on purpose: a leaf keeps its first waker, and wakes who waits no more.
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
/// A number that somebody else brings, and who is woken then.
#[derive(Default)]
struct Delivery {
    number: Option<u32>,
    waiter: Option<Waker>,
}

/// A leaf that waits for it.
struct Receive {
    delivery: Rc<RefCell<Delivery>>,
    is_mended: bool,
}

// ANCHOR_END: leaf

// ANCHOR: poll
impl Future for Receive {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        let mut delivery = self.delivery.borrow_mut();
        if let Some(number) = delivery.number.take() {
            return Poll::Ready(number);
        }
        // Whoever polls may be another task each time: the latest waker counts.
        if self.is_mended || delivery.waiter.is_none() {
            delivery.waiter = Some(cx.waker().clone());
        }
        Poll::Pending
    }
}
// ANCHOR_END: poll

// ANCHOR: named
/// A waker that tells whom it wakes, and remembers it.
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

// ANCHOR: main
/// A future is begun by one task, and handed to another one, which goes on with it.
fn hand_over(is_mended: bool) {
    let delivery: Rc<RefCell<Delivery>> = Rc::default();
    let mut receive = Box::pin(Receive { delivery: Rc::clone(&delivery), is_mended });
    poll_as("task 1", &mut receive);
    let second = poll_as("task 2", &mut receive);
    let waiter = {
        let mut delivery = delivery.borrow_mut();
        delivery.number = Some(7);
        delivery.waiter.take()
    };
    waiter.into_iter().for_each(Waker::wake);
    // As an executor does it: who was woken polls. Task 1 has no future any more.
    match second.1.load(SeqCst) {
        true => drop(poll_as("task 2", &mut receive)),
        false => println!("  task 2 is not, and nobody polls"),
    }
}

fn main() {
    println!("broken: task 2 waits, and will not hear of it");
    hand_over(false);
    println!("mended:");
    hand_over(true);
}
// ANCHOR_END: main
