//! Timers: whoever sleeps costs nothing, and the wait ends with the next one.
//!
//! `cargo run -p stage3-async --example ch20_timers`

use stage3_async::{Executor, Stuck, timeout};
use std::error::Error;
use std::future::pending;
use std::time::{Duration, Instant};

const SLEEPERS: u64 = 10_000;

// ANCHOR: sleepers
/// Ten thousand tasks that sleep side by side, and end one after the other.
fn sleepers(executor: &Executor) -> Result<u64, Box<dyn Error>> {
    let now = Instant::now();
    let tasks: Vec<_> = (0..SLEEPERS)
        .map(|number| {
            let reactor = executor.reactor().clone();
            let when = now + Duration::from_micros(100_000 + number);
            executor.spawn(async move {
                reactor.sleep_until(when).await;
                u64::from(Instant::now() >= when)
            })
        })
        .collect();
    executor.block_on(async {
        let mut in_time = 0;
        for task in tasks {
            in_time += task.await?; // a panic of a task would be told here
        }
        Ok(in_time)
    })?
}
// ANCHOR_END: sleepers

// ANCHOR: time_out
/// A time-out is a race between a future and a sleep. The loser is dropped.
fn time_out(executor: &Executor) -> Result<(), Stuck> {
    let reactor = executor.reactor().clone();
    executor.block_on(async {
        let never = async {
            let _guard = Guard;
            pending::<()>().await;
        };
        match timeout(Duration::from_millis(50), never, &reactor).await {
            Ok(()) => println!("it was in time"),
            Err(elapsed) => println!("{elapsed}"),
        }
    })
}

struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        println!("what has waited is dropped where it stood");
    }
}
// ANCHOR_END: time_out

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    let start = Instant::now();
    let in_time = sleepers(&executor)?;
    println!("{in_time} of {SLEEPERS} slept long enough");
    println!("one after the other they would have slept for some 1050 seconds");
    println!("and it took {} ms", start.elapsed().as_millis());
    time_out(&executor).map_err(|stuck| -> Box<dyn Error> { Box::new(stuck) })?;
    let stuck = executor.block_on(pending::<()>());
    println!("and without a timer it is {}", stuck.expect_err("nobody wakes it"));
    Ok(())
}
// ANCHOR_END: main
