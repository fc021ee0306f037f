//! Timers: tasks sleep side by side, and the reactor sleeps until the first one is due.
//!
//! `cargo run -p stage3-async --example ch20_timers [SLEEPERS]`

use stage3_async::{Executor, Stuck, timeout};
use std::env;
use std::error::Error;
use std::future::pending;
use std::time::{Duration, Instant};

// ANCHOR: sleepers
/// Starts tasks that sleep, each a microsecond longer than the one before. Returns how
/// many of them slept long enough.
fn sleepers(count: u64, executor: &Executor) -> Result<u64, Box<dyn Error>> {
    let now = Instant::now();
    let tasks: Vec<_> = (0..count)
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
            in_time += task.await?; // an error if the task panicked
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
        println!("the loser is dropped where it waits");
    }
}
// ANCHOR_END: time_out

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let count = env::args().nth(1).map_or(Ok(10_000), |count| count.parse())?;
    let executor = Executor::new()?;
    let start = Instant::now();
    let in_time = sleepers(count, &executor)?;
    println!("{in_time} of {count} slept long enough");
    let sum = Duration::from_micros((0..count).map(|number| 100_000 + number).sum());
    let sum = sum.as_secs_f64();
    println!("one after the other they would have slept for {sum:.0} seconds");
    println!("and it took {} ms", start.elapsed().as_millis());
    time_out(&executor).map_err(|stuck| -> Box<dyn Error> { Box::new(stuck) })?;
    let stuck = executor.block_on(pending::<()>());
    println!("without a timer: {}", stuck.expect_err("nothing can wake it"));
    Ok(())
}
// ANCHOR_END: main
