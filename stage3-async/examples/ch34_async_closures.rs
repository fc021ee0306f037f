//! An async closure borrows what it uses, at each of its calls.
//!
//! `cargo run -p stage3-async --example ch34_async_closures`

use stage3_async::{Executor, yield_now};
use std::error::Error;

/// A server that is busy at first.
struct Server {
    busy: u32,
}

impl Server {
    /// Waits, and answers with a status.
    async fn get(&mut self) -> u16 {
        yield_now().await;
        match self.busy.checked_sub(1) {
            Some(left) => {
                self.busy = left;
                503
            }
            None => 200,
        }
    }
}

// ANCHOR: retry
/// Attempts something until it succeeds, up to `times` times.
async fn retry<T, E>(
    times: u32,
    mut attempt: impl AsyncFnMut() -> Result<T, E>,
) -> Result<T, E> {
    for _ in 1..times {
        if let Ok(output) = attempt().await {
            return Ok(output);
        }
    }
    attempt().await
}

async fn fetch(server: &mut Server, times: u32) {
    let mut seen = Vec::new();
    let result = retry(times, async || {
        let status = server.get().await;
        seen.push(status);
        if status == 200 { Ok(status) } else { Err(status) }
    })
    .await;
    println!("{times} attempts at most: {result:?} after {seen:?}");
}
// ANCHOR_END: retry

fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    executor.block_on(async {
        for times in [2, 4] {
            fetch(&mut Server { busy: 2 }, times).await;
        }
    })?;
    Ok(())
}
