//! A ring whose operations own their buffers until they are done.

use super::kernel::{Cancelled, Completion, Kernel, Submission};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

const KNOWN: &str = "an operation has a slot until its completion is taken";

// ANCHOR: slot
/// What is known of an operation. Its slot is freed when the completion has come, and
/// its future has taken it or is gone.
enum Slot {
    /// In flight, and its future was not polled yet.
    Submitted,
    /// In flight, and this task waits for it.
    Waiting(Waker),
    /// In flight, and its future was dropped.
    Abandoned,
    /// The future has not yet taken it.
    Done(Completion),
}
// ANCHOR_END: slot

/// The kernel's two queues, the operations, and buffers that no operation has. It may be
/// dropped while operations are in flight, because their buffers are with the kernel.
pub(crate) struct Ring {
    pub(crate) kernel: Kernel,
    slots: RefCell<HashMap<u64, Slot>>,
    next_number: Cell<u64>,
    pool: RefCell<Vec<Vec<u8>>>,
    /// Whether a dropped future asks the kernel to cancel.
    cancels: bool,
}

impl Ring {
    /// A ring that lets an operation run to its end when its future is dropped.
    pub(crate) fn new(buffers: usize) -> Ring {
        let pool = (0..buffers).map(|_| vec![0; 16]).collect();
        Ring {
            kernel: Kernel::start(),
            slots: RefCell::default(),
            next_number: Cell::new(0),
            pool: RefCell::new(pool),
            cancels: false,
        }
    }

    /// A ring that asks for a cancellation when a future is dropped.
    pub(crate) fn cancelling() -> Ring {
        Ring { cancels: true, ..Ring::new(1) }
    }

    /// Takes a buffer of the pool, or makes one.
    pub(crate) fn buffer(&self) -> Vec<u8> {
        self.pool.borrow_mut().pop().unwrap_or_else(|| vec![0; 16])
    }

    /// Puts a buffer back into the pool.
    pub(crate) fn give_back(&self, buffer: Vec<u8>) {
        self.pool.borrow_mut().push(buffer);
    }

    /// Operations that have a slot, and buffers that have no operation.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.slots.borrow().len(), self.pool.borrow().len())
    }

    /// Submits a read into this buffer.
    pub(crate) fn read(&self, stream: u32, buffer: Vec<u8>) -> Read<'_> {
        let user_data = self.next_number.replace(self.next_number.get() + 1);
        self.slots.borrow_mut().insert(user_data, Slot::Submitted);
        self.kernel.submit(Submission { user_data, stream, buffer });
        Read { number: user_data, is_taken: false, is_asked: false, ring: self }
    }

    // ANCHOR: wait
    /// Takes a completion. Wakes its task, or frees its slot if no future wants it.
    pub(crate) fn wait(&self) -> (u64, Result<usize, Cancelled>) {
        let completion = self.kernel.next();
        let (number, result) = (completion.user_data, completion.result);
        let slot = self.slots.borrow_mut().remove(&number).expect(KNOWN);
        if let Slot::Abandoned = slot {
            self.give_back(completion.buffer); // only now is it free
        } else {
            self.slots.borrow_mut().insert(number, Slot::Done(completion));
        }
        if let Slot::Waiting(waker) = slot {
            waker.wake();
        }
        (number, result)
    }
    // ANCHOR_END: wait
}

/// A read in flight, or done. It has no buffer: that is with the operation.
pub(crate) struct Read<'a> {
    number: u64,
    /// Whether it has returned its completion.
    is_taken: bool,
    /// Whether it has asked the kernel to cancel.
    is_asked: bool,
    ring: &'a Ring,
}

impl Future for Read<'_> {
    type Output = Completion;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Completion> {
        assert!(!self.is_taken, "it is polled again after its end");
        let waker = cx.waker().clone();
        let slot = self.ring.slots.borrow_mut().remove(&self.number);
        if let Some(Slot::Done(completion)) = slot {
            self.is_taken = true;
            return Poll::Ready(completion);
        }
        self.ring.slots.borrow_mut().insert(self.number, Slot::Waiting(waker));
        Poll::Pending // and `slot`, with the old waker, is dropped after the borrow
    }
}

impl Read<'_> {
    /// Its `user_data`.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    // ANCHOR: cancel
    /// Asks for a cancellation unless the read is done, and waits for the completion,
    /// whatever it is.
    pub(crate) async fn cancel(mut self) -> Completion {
        if !self.is_done() {
            self.is_asked = true;
            self.ring.kernel.request_cancel(self.number);
        }
        self.await
    }
    // ANCHOR_END: cancel

    fn is_done(&self) -> bool {
        matches!(self.ring.slots.borrow().get(&self.number), Some(Slot::Done(_)))
    }
}

// ANCHOR: drop
impl Drop for Read<'_> {
    fn drop(&mut self) {
        if self.is_taken {
            return;
        }
        let slot = self.ring.slots.borrow_mut().remove(&self.number);
        if let Some(Slot::Done(completion)) = slot {
            return self.ring.give_back(completion.buffer);
        }
        self.ring.slots.borrow_mut().insert(self.number, Slot::Abandoned);
        if self.ring.cancels && !self.is_asked {
            self.ring.kernel.request_cancel(self.number);
        }
    }
}
// ANCHOR_END: drop
