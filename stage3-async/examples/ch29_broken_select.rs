//! Broken on purpose: a select that always begins with its first branch starves others.
//!
//! `cargo run -p stage3-async --example ch29_broken_select`

use stage3_async::{Executor, Queue};
use std::error::Error;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;

// Broken: a branch that is always ready is always polled first.
// ANCHOR: select
/// Returns the number of the first branch that is ready, and its output. The others are
/// dropped.
async fn select<F: Future + Unpin, const N: usize>(
    mut branches: [F; N],
) -> (usize, F::Output) {
    poll_fn(|cx| {
        for (number, branch) in branches.iter_mut().enumerate() {
            if let Poll::Ready(output) = Pin::new(branch).poll(cx) {
                return Poll::Ready((number, output));
            }
        }
        Poll::Pending
    })
    .await
}
// ANCHOR_END: select

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let queues = ["pages", "links", "stop"].map(|name| {
        let queue = Queue::new();
        queue.put(name);
        queue
    });
    let mut rounds = pin!(async {
        let mut taken = [0; 3];
        for _ in 0..300 {
            let (number, item) = select(queues.each_ref().map(Queue::get)).await;
            taken[number] += 1;
            queues[number].put(item); // there is always a next one
        }
        taken
    });
    let mut polls = 0;
    let taken = Executor::new()?.block_on(poll_fn(|cx| {
        polls += 1;
        rounds.as_mut().poll(cx)
    }))?;
    println!("300 rounds in {polls} turns");
    println!("  pages, links, stop: {taken:?}");
    Ok(())
}
// ANCHOR_END: main
