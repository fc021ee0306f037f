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
    /// `None` once it has ended.
    number: Option<usize>,
}

impl Mine {
    /// Puts something into a slot, and returns what was there.
    fn replace(&self, number: usize, slot: Slot) -> Slot {
        std::mem::replace(&mut self.slots.borrow_mut()[number], slot)
    }
}

// ANCHOR: solution
// hole 2
//| // Here, the slot keeps the buffer: `Free`, `Waiting(Buffer, Option<Waker>)`,
//| // `Abandoned(Buffer)`, `Done(Buffer)`. `replace(number, slot)` returns the old one.
// end hole
impl Ring for Mine {
    fn new(kernel: Kernel) -> Mine {
        Mine { kernel, slots: Rc::default() }
    }

    fn read(&self, buffer: Buffer) -> Pin<Box<dyn Future<Output = Buffer>>> {
        // hole 2
        //| todo!("find a free slot, submit the buffer with its number, fill the slot")
        let mut slots = self.slots.borrow_mut();
        let free = slots.iter().position(|slot| matches!(slot, Slot::Free));
        let number = free.unwrap_or(slots.len());
        if free.is_none() {
            slots.push(Slot::Free);
        }
        self.kernel.submit(number, &buffer);
        slots[number] = Slot::Waiting(buffer, None);
        Box::pin(Read { ring: self.clone(), number: Some(number) })
        // end hole
    }

    fn complete(&self, user_data: usize) {
        // hole 2
        //| todo!("the read with this number is done: keep its buffer, and wake its task")
        match self.replace(user_data, Slot::Free) {
            Slot::Waiting(buffer, waker) => {
                // hole 1
                //| let _ = (buffer, waker);
                //| todo!("the read is done: keep the buffer for the task, and wake it")
                self.replace(user_data, Slot::Done(buffer));
                waker.into_iter().for_each(Waker::wake);
                // end hole
            }
            Slot::Abandoned(buffer) => drop(buffer), // the kernel is done with it
            Slot::Free | Slot::Done(_) => unreachable!("it was in flight"),
        }
        // end hole
    }
}

impl Future for Read {
    type Output = Buffer;

    // hole 2
    //| fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Buffer> {
    //|     todo!("take the buffer if the read is done; else store the waker")
    //| }
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Buffer> {
        let number = self.number.expect("it has not ended");
        let waker = Some(cx.waker().clone());
        match self.ring.replace(number, Slot::Free) {
            Slot::Done(buffer) => {
                self.number = None;
                Poll::Ready(buffer)
            }
            Slot::Waiting(buffer, _) => {
                self.ring.replace(number, Slot::Waiting(buffer, waker));
                Poll::Pending
            }
            Slot::Free | Slot::Abandoned(_) => unreachable!("it has a future"),
        }
    }
    // end hole
}

// hole 2
//| // Yours: `Read` may be dropped before the completion has come, or after it.
impl Drop for Read {
    fn drop(&mut self) {
        let Some(number) = self.number else { return };
        if let Slot::Waiting(buffer, _) = self.ring.replace(number, Slot::Free) {
            // hole 1
            //| // Yours: until the completion comes, the kernel writes into this buffer.
            //| drop(buffer);
            self.ring.replace(number, Slot::Abandoned(buffer));
            // end hole
        }
    }
}
// end hole
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::completion_slots::check::<Mine>()
}
