//! Completion instead of readiness: a task is woken when its read is done.
//!
//! `cargo run -p stage3-async --example ch35_completion`
//!
//! It does not run in a page: it uses threads.

mod completion;

use completion::executor::run;
use completion::kernel::{Completion, Kernel, Submission};
use completion::text;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::future::poll_fn;
use std::task::{Context, Poll, Waker};

// ANCHOR: ring
/// The kernel's two queues, and what is known of each operation.
struct Ring {
    kernel: Kernel,
    slots: RefCell<HashMap<u64, Slot>>,
    next_number: Cell<u64>,
}

enum Slot {
    /// This task waits for the completion.
    Waiting(Waker),
    /// The task has not yet taken it.
    Done(Completion),
}
// ANCHOR_END: ring

impl Ring {
    // ANCHOR: wait
    /// The reactor: takes a completion, and wakes its task. Sleeps until there is one.
    fn wait(&self) {
        println!("no task is ready: the reactor waits for a completion");
        let completion = self.kernel.next();
        let number = completion.user_data;
        println!("  operation {number} is done: {:?}", completion.result);
        let slot = self.slots.borrow_mut().insert(number, Slot::Done(completion));
        if let Some(Slot::Waiting(waker)) = slot {
            waker.wake();
        }
    }
    // ANCHOR_END: wait

    fn submit(&self, stream: u32, buffer: Vec<u8>) -> u64 {
        let user_data = self.next_number.replace(self.next_number.get() + 1);
        self.kernel.submit(Submission { user_data, stream, buffer });
        user_data
    }

    fn poll(&self, number: u64, cx: &mut Context<'_>) -> Poll<Completion> {
        let waker = cx.waker().clone();
        let found = self.slots.borrow_mut().remove(&number); // the borrow ends here
        if let Some(Slot::Done(completion)) = found {
            return Poll::Ready(completion);
        }
        self.slots.borrow_mut().insert(number, Slot::Waiting(waker));
        Poll::Pending
    }
}

// ANCHOR: read
/// Submits a read, and waits until it is done.
async fn read(task: u32, stream: u32, buffer: Vec<u8>, ring: &Ring) -> Completion {
    let number = ring.submit(stream, buffer);
    println!("task {task} submits operation {number}: read from stream {stream}");
    poll_fn(|cx| ring.poll(number, cx)).await
}

async fn show_stream(task: u32, stream: u32, ring: &Ring) {
    let Completion { result, buffer, .. } = read(task, stream, vec![0; 16], ring).await;
    let count = result.expect("nothing is cancelled here");
    println!("task {task} has {:?}", text(&buffer[..count]));
}
// ANCHOR_END: read

fn main() {
    let (slots, next_number) = (RefCell::default(), Cell::new(0));
    let ring = Ring { kernel: Kernel::start(), slots, next_number };
    let network = async {
        println!("bytes arrive in stream 8, and then in stream 7");
        ring.kernel.arrive(8, "a page");
        ring.kernel.arrive(7, "an image");
    };
    let first = show_stream(1, 7, &ring);
    let second = show_stream(2, 8, &ring);
    run(vec![Box::pin(first), Box::pin(second), Box::pin(network)], || ring.wait());
}
