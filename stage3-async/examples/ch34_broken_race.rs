//! Broken on purpose: two attempts to connect, in a race of outcomes.
//!
//! `cargo run -p stage3-async --example ch34_broken_race`

use stage3_async::{Either, Executor, race, yield_now};
use std::error::Error;

/// A socket to an address, from the first packet on.
struct Socket(&'static str);

impl Drop for Socket {
    fn drop(&mut self) {
        println!("  {}: the socket is closed", self.0);
    }
}

/// A connection, or why there is none.
type Outcome = Result<Socket, &'static str>;

async fn attempt(name: &'static str, refuses: bool) -> Outcome {
    println!("  {name}: an attempt begins");
    let socket = Socket(name);
    yield_now().await; // no answer is there at once
    if refuses { Err("refused") } else { Ok(socket) }
}

// ANCHOR: hasty
/// Connects to one of two addresses, with both attempts at once.
async fn hasty(
    first: impl Future<Output = Outcome>,
    second: impl Future<Output = Outcome>,
) -> Outcome {
    match race(first, second).await {
        Either::First(outcome) | Either::Second(outcome) => outcome,
    }
}
// ANCHOR_END: hasty

fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    executor.block_on(async {
        println!(
            "the first address refuses, and the second one answers at the same moment:"
        );
        match hasty(attempt("v6", true), attempt("v4", false)).await {
            Ok(socket) => println!("  connected: {}", socket.0),
            Err(error) => println!("  not connected: {error}"),
        }
    })?;
    Ok(())
}
