//! A number that is delivered later, and a leaf future that waits for it.

use checks::leaf::Delivery;
use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// What the leaf shares with the side that delivers.
#[derive(Default)]
struct Slot {
    number: Option<u32>,
    /// The waker of the task that polled last, or `None` if no task waits.
    waiter: Option<Waker>,
}

#[derive(Clone)]
struct Mine(Rc<RefCell<Slot>>);

struct Wait(Rc<RefCell<Slot>>);

// ANCHOR: solution
impl Delivery for Mine {
    type Wait = Wait;

    fn new() -> Mine {
        Mine(Rc::default())
    }

    fn wait(&self) -> Wait {
        Wait(Rc::clone(&self.0))
    }

    // ANCHOR: task
    fn deliver(&self, number: u32) {
        // hole 2
        //| todo!("store the number {number}, and call the waker of the task that waits")
        let mut slot = self.0.borrow_mut();
        slot.number = Some(number);
        // hole 1
        //| todo!("wake the task that waits; what must end before?")
        let waiter = slot.waiter.take();
        drop(slot); // a waker may run any code
        waiter.into_iter().for_each(Waker::wake);
        // end hole
        // end hole
    }
}

impl Future for Wait {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        // hole 2
        //| todo!("take the number if it is there; otherwise keep the waker")
        let mut slot = self.0.borrow_mut();
        if let Some(number) = slot.number.take() {
            return Poll::Ready(number);
        }
        // hole 1
        //| todo!("keep the waker of the task that polls, which waits from now on")
        slot.waiter = Some(cx.waker().clone());
        Poll::Pending
        // end hole
        // end hole
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        // hole 2
        //| // Yours: a task that no longer waits must not be woken.
        self.0.borrow_mut().waiter = None;
        // end hole
    }
}
// ANCHOR_END: task
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::leaf::check::<Mine>()
}
