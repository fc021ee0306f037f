//! Broken on purpose: a look-up in the loop, and all other tasks' time-outs come late.
//!
//! `cargo run -p stage3-async --example ch26_broken_lookup`
//!
//! The tests run it alone: a page has to arrive during a look-up.
//! It does not run in a page: it looks up a name.

mod fetch;

use shared::demo_site::DemoSite;
use shared::{FetchError, Response};
use stage3_async::{Executor, Reactor, timeout, unblock};
use std::error::Error;
use std::future::pending;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::{Duration, Instant};
use std::{io, thread};
use url::Url;

const SHORT: Duration = Duration::from_millis(50);
const PATIENCE: Duration = Duration::from_millis(900);
const PAGE: &str = "/wiki/web/url";

// ANCHOR: look_up
type Found = io::Result<Vec<SocketAddr>>;

/// This call of std blocks until there is an answer. The machine's own name is found at
/// once, so a sleep stands in for a slow name server.
fn look_up() -> Found {
    thread::sleep(Duration::from_millis(1_000));
    Ok("localhost:80".to_socket_addrs()?.collect())
}
// ANCHOR_END: look_up

// ANCHOR: others
/// Two other tasks. The first gives up after a short time, and returns when that was.
async fn give_up(reactor: Reactor) -> Instant {
    timeout(SHORT, pending::<()>(), &reactor).await.ok();
    Instant::now()
}

/// The second fetches a page that is served at once.
async fn fetch(url: Url, reactor: Reactor) -> Result<Response, FetchError> {
    let fetched = timeout(PATIENCE, fetch::fetch(&url, &reactor), &reactor).await;
    fetched.unwrap_or(Err(FetchError::TimedOut(PATIENCE)))
}
// ANCHOR_END: others

// ANCHOR: aside
/// The same look-up on a thread of its own. (The library's `unblock` is like the one in
/// `ch26_blocking`: if the look-up panics, so does this task, and it does not wait any
/// longer.)
async fn look_up_aside(reactor: &Reactor) -> Found {
    unblock(look_up, reactor).await
}
// ANCHOR_END: aside

// ANCHOR: run
fn run(is_fixed: bool) -> Result<(), Box<dyn Error>> {
    let (site, executor) = (DemoSite::start()?, Executor::new()?);
    let (reactor, url) = (executor.reactor(), Url::parse(&site.url(PAGE))?);
    let given_up = executor.spawn(give_up(reactor.clone()));
    let fetched = executor.spawn(fetch(url, reactor.clone()));
    executor.block_on(async {
        let found = match is_fixed {
            // Here is the bug: nothing is awaited, so no other task has a turn.
            false => look_up(),
            true => look_up_aside(reactor).await,
        };
        let looked_up = Instant::now();
        println!("  an address is found: {}", found.is_ok_and(|all| !all.is_empty()));
        println!("  the page was requested meanwhile: {}", site.requests(PAGE) > 0);
        match fetched.await? {
            Ok(response) => println!("  and it came: status {}", response.status),
            Err(error) => println!("  and it did not come: {error}"),
        }
        let in_time = given_up.await? < looked_up;
        println!("  the other task gave up before that: {in_time}");
        Ok(())
    })?
}
// ANCHOR_END: run

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    println!("broken: a look-up in the loop");
    run(false)?;
    println!("fixed: on a thread of its own");
    run(true)
}
// ANCHOR_END: main
