//! An async closure borrows what it uses, at each of its calls.
//!
//! `cargo run -p stage3-async --example ch34_async_closures`

use stage3_async::{Executor, Reactor};
use std::error::Error;
use std::time::Duration;

// ANCHOR: retry
/// Attempts something up to `times` times. After a failure, waits for longer and longer.
async fn retry<T, E>(
    times: u32,
    reactor: &Reactor,
    mut attempt: impl AsyncFnMut() -> Result<T, E>,
) -> Result<T, E> {
    let mut pause = Duration::from_millis(1);
    for _ in 1..times {
        if let Ok(output) = attempt().await {
            return Ok(output);
        }
        reactor.sleep(pause).await;
        pause *= 2;
    }
    attempt().await
}
// ANCHOR_END: retry

/// A server that is busy at first.
struct Server {
    busy: u32,
}

impl Server {
    /// Takes some time, and answers with a status.
    async fn get(&mut self, reactor: &Reactor) -> u16 {
        reactor.sleep(Duration::from_millis(1)).await;
        match self.busy.checked_sub(1) {
            Some(left) => {
                self.busy = left;
                503
            }
            None => 200,
        }
    }
}

// ANCHOR: main
async fn fetch(server: &mut Server, times: u32, reactor: &Reactor) {
    let mut seen = Vec::new();
    let result = retry(times, reactor, async || {
        let status = server.get(reactor).await;
        seen.push(status);
        if status == 200 { Ok(status) } else { Err(status) }
    })
    .await;
    println!("{times} attempts at most: {result:?} after {seen:?}");
}
// ANCHOR_END: main

fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    executor.block_on(async {
        for times in [2, 4] {
            fetch(&mut Server { busy: 2 }, times, executor.reactor()).await;
        }
    })?;
    Ok(())
}
