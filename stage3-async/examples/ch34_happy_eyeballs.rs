//! Two addresses of one host: the second gets its chance before the first has failed.
//!
//! `cargo run -p stage3-async --example ch34_happy_eyeballs`
//!
//! The attempts are only simulated, because no two systems agree on how to make an
//! address that never answers.

use stage3_async::{Either, Executor, Reactor, race, yield_now};
use std::error::Error;
use std::future::pending;
use std::pin::pin;
use std::time::Duration;

/// How long the first attempt is alone: what RFC 8305 recommends.
const DELAY: Duration = Duration::from_millis(250);

/// A socket to an address, from the first packet on.
struct Socket(&'static str);

impl Drop for Socket {
    fn drop(&mut self) {
        println!("  {}: the socket is closed", self.0);
    }
}

/// What an address does.
enum Address {
    /// It never answers.
    Silent,
    Answers,
    Refuses,
}

/// A connection, or why there is none.
type Outcome = Result<Socket, &'static str>;

async fn attempt(name: &'static str, address: Address) -> Outcome {
    println!("  {name}: an attempt begins");
    let socket = Socket(name);
    yield_now().await; // no answer is there at once
    match address {
        Address::Silent => pending().await,
        Address::Answers => Ok(socket),
        Address::Refuses => Err("refused"),
    }
}

// ANCHOR: connect
/// Connects to one of two addresses. A future does nothing until it is polled: so an
/// attempt begins with its first poll.
async fn connect(
    first: impl Future<Output = Outcome>,
    second: impl Future<Output = Outcome>,
    reactor: &Reactor,
) -> Outcome {
    let (mut first, mut second) = (pin!(first), pin!(second));
    match race(first.as_mut(), reactor.sleep(DELAY)).await {
        Either::First(Ok(socket)) => return Ok(socket),
        Either::First(Err(_)) => return second.await,
        Either::Second(()) => println!("  {DELAY:?} are over"),
    }
    match race(first.as_mut(), second.as_mut()).await {
        Either::First(Ok(socket)) | Either::Second(Ok(socket)) => Ok(socket),
        Either::First(Err(_)) => second.await,
        Either::Second(Err(_)) => first.await,
    }
}
// ANCHOR_END: connect

fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    executor.block_on(async {
        let addresses = [
            ("the first address never answers", Address::Silent),
            ("the first one refuses", Address::Refuses),
        ];
        for (text, address) in addresses {
            println!("{text}:");
            let (v6, v4) = (attempt("v6", address), attempt("v4", Address::Answers));
            match connect(v6, v4, executor.reactor()).await {
                Ok(socket) => println!("  connected: {}", socket.0),
                Err(error) => println!("  not connected: {error}"),
            }
        }
    })?;
    Ok(())
}
