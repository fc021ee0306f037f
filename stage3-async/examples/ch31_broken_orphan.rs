//! Awaiting tasks in the order in which they were spawned: an error comes late or
//! never, and tasks are left behind.
//!
//! `cargo run -p stage3-async --example ch31_broken_orphan`

use stage3_async::{Executor, JoinHandle, yield_now};
use std::error::Error;
use std::future::pending;

type Outcome = Result<(), &'static str>;

// ANCHOR: work
/// Works for this many turns of its task, and then ends.
async fn work(number: u32, turns: u32, outcome: Outcome) -> Outcome {
    for _ in 0..turns {
        yield_now().await;
    }
    println!("  worker {number} ends: {outcome:?}");
    outcome
}

/// Waits for all workers, as the crawler does.
async fn supervise(workers: Vec<JoinHandle<Outcome>>) -> Result<(), Box<dyn Error>> {
    for worker in workers {
        worker.await??;
    }
    Ok(())
}
// ANCHOR_END: work

fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    let start = |number, turns, end| executor.spawn(work(number, turns, end));
    let fails = Err("the disk is full");

    println!("the second one fails:");
    let workers = vec![start(1, 9, Ok(())), start(2, 2, fails), start(3, 5, Ok(()))];
    println!("  the crawl ends: {:?}", executor.block_on(supervise(workers))?);

    println!("the first one waits forever:");
    let workers = vec![executor.spawn(pending()), start(2, 2, fails)];
    let end = executor.block_on(supervise(workers)).map_err(|_| "Stuck");
    println!("  the crawl ends: {end:?}");

    println!("the first one fails:");
    let workers = vec![start(1, 2, fails), start(2, 5, Ok(()))];
    executor.block_on(async {
        println!("  the crawl ends: {:?}", supervise(workers).await);
        executor.spawn(work(3, 9, Ok(()))).await.ok(); // so that there are more turns
    })?;
    Ok(())
}
