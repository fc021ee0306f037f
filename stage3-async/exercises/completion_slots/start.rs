//! Slots of operations: a slot and its buffer stay until the completion has come.
//!
//! Here, as with io_uring, the kernel gets only an address, so the slot has the buffer.

use checks::completion_slots::{Buffer, Kernel, Ring};
use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// What is known of an operation. Its number is its place in the list.
enum Slot {
    /// No operation has this number.
    Free,
    /// In flight, with the waker of the task that waits, if it was polled.
    Waiting(Buffer, Option<Waker>),
    /// In flight, and its future was dropped.
    Abandoned(Buffer),
    /// Done, and its future has not taken the buffer.
    Done(Buffer),
}

#[derive(Clone)]
struct Mine {
    kernel: Kernel,
    slots: Rc<RefCell<Vec<Slot>>>,
}

struct Read {
    ring: Mine,
    /// `None`: it has ended.
    number: Option<usize>,
}

impl Mine {
    /// Puts something into a slot, and returns what was there.
    fn replace(&self, number: usize, slot: Slot) -> Slot {
        std::mem::replace(&mut self.slots.borrow_mut()[number], slot)
    }
}

// ANCHOR: task
// Here, the slot keeps the buffer: `Free`, `Waiting(Buffer, Option<Waker>)`,
// `Abandoned(Buffer)`, `Done(Buffer)`. `replace(number, slot)` returns the old one.
impl Ring for Mine {
    fn new(kernel: Kernel) -> Mine {
        Mine { kernel, slots: Rc::default() }
    }

    fn read(&self, buffer: Buffer) -> Pin<Box<dyn Future<Output = Buffer>>> {
        todo!("find a free slot, submit the buffer with its number, fill the slot")
    }

    fn complete(&self, user_data: usize) {
        todo!("the read with this number is done: keep its buffer, and wake its task")
    }
}

impl Future for Read {
    type Output = Buffer;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Buffer> {
        todo!("take the buffer if the read is done; else store the waker")
    }
}

// Yours: `Read` may be dropped before the completion has come, or after it.
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::completion_slots::check::<Mine>()
}
