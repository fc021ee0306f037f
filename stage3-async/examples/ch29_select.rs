//! A fair select: it begins at a different branch each time.
//!
//! `cargo run -p stage3-async --example ch29_select [0,1,2]`: these queues have
//! items.

use stage3_async::{Executor, Queue};
use std::env;
use std::error::Error;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

// ANCHOR: select
/// Returns the number of a branch that is ready, and its output. Polls branch `first`
/// first, then those after it, and then those before it.
async fn select<F: Future + Unpin, const N: usize>(
    first: usize,
    mut branches: [F; N],
) -> (usize, F::Output) {
    poll_fn(|cx| {
        for number in (first..first + N).map(|number| number % N) {
            if let Poll::Ready(output) = Pin::new(&mut branches[number]).poll(cx) {
                return Poll::Ready((number, output));
            }
        }
        Poll::Pending
    })
    .await
}
// ANCHOR_END: select

// ANCHOR: rounds
/// Takes 300 items from three queues. Returns how many came from each.
async fn rounds(queues: &[Queue<()>; 3], next: fn(usize, usize) -> usize) -> [u32; 3] {
    let (mut taken, mut first) = ([0; 3], 0);
    for round in 1..=300 {
        let (number, ()) = select(first, queues.each_ref().map(Queue::get)).await;
        taken[number] += 1;
        queues[number].put(()); // there is always a next one
        first = next(round, number);
    }
    taken
}
// ANCHOR_END: rounds

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let full = env::args().nth(1).unwrap_or("0,1,2".to_string());
    let full = full.split(',').map(str::parse).collect::<Result<Vec<usize>, _>>()?;
    let one_further: fn(usize, usize) -> usize = |round, _| round;
    let after_the_winner: fn(usize, usize) -> usize = |_, number| number + 1;
    for (how, next) in [
        ("one further in each round", one_further),
        ("after the branch that has won", after_the_winner),
    ] {
        let queues = [(); 3].map(|()| Queue::new());
        for number in &full {
            queues.get(*number).ok_or("the queues are 0, 1 and 2")?.put(());
        }
        let taken = Executor::new()?.block_on(rounds(&queues, next))?;
        println!("begin {how}");
        println!("  queues with items {full:?}: {taken:?}");
    }
    Ok(())
}
// ANCHOR_END: main
