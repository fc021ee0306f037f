//! Broken on purpose: a task fails, and nobody asks what became of it.
//!
//! `cargo run -p stage2-generators --example ch13_broken_swallowed`

use shared::{FetchError, Stop, Watch};
use stage2_generators::{
    Coroutine, Executor, Future, Futures, Join, Result, Resume, Step,
};
use std::io::{self, ErrorKind::ConnectionRefused};
use std::time::Instant;

// ANCHOR: fetch
/// Fetches a page, but the server refuses.
fn fetch() -> impl Coroutine<Return = Result<()>> {
    let refused = FetchError::Network(ConnectionRefused);
    move |_: &mut Futures, _: Resume| Step::Return(Err(refused.clone()))
}
// ANCHOR_END: fetch

// ANCHOR: broken
/// Starts a fetch, waits for something else, and is content.
// def crawl():
//     Task(fetch())
//     yield from something_else()
enum Broken {
    Start,
    WaitingForSomethingElse(Future),
}

impl Coroutine for Broken {
    type Return = Result<()>;

    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Result<()>> {
        match self {
            Broken::Start => {
                // The mistake. Without `drop` the compiler warns: "unused `Join`".
                drop(futures.spawn("the fetch", fetch()));
                *self = Broken::WaitingForSomethingElse(something_else(futures));
                self.resume(futures, how)
            }
            Broken::WaitingForSomethingElse(future) => future.resume(futures, how),
        }
    }
}
// ANCHOR_END: broken

/// What happens a little later.
fn something_else(futures: &mut Futures) -> Future {
    let future = futures.new_future();
    let resolve = move |futures: &mut Futures| futures.resolve(future);
    futures.timers.set(Instant::now(), Box::new(resolve));
    future
}

// ANCHOR: mended
/// Starts a fetch, and waits for it. What it returns is ours to handle, or to return.
// def crawl():
//     yield from Task(fetch())
enum Mended {
    Start,
    WaitingForFetch(Join<()>),
}

impl Coroutine for Mended {
    type Return = Result<()>;

    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Result<()>> {
        match self {
            Mended::Start => {
                *self = Mended::WaitingForFetch(futures.spawn("the fetch", fetch()));
                self.resume(futures, how)
            }
            Mended::WaitingForFetch(join) => join.resume(futures, how),
        }
    }
}
// ANCHOR_END: mended

// ANCHOR: run
/// Runs a crawl, and asks the executor whether an error was lost meanwhile. (asyncio
/// tells it when a task is destroyed: "Task exception was never retrieved".)
fn run(crawl: impl Coroutine<Return = Result<()>> + 'static) -> io::Result<()> {
    let mut executor = Executor::new(&Stop::new(), Watch::off())?;
    let crawl = executor.futures.spawn("the crawl", crawl);
    println!("  the crawl returns {:?}", executor.run_until_complete(crawl)?);
    println!("  errors nobody asked for: {:?}", executor.futures.lives.lost_errors());
    Ok(())
}

fn main() -> io::Result<()> {
    println!("broken:");
    run(Broken::Start)?;
    println!("mended:");
    run(Mended::Start)
}
// ANCHOR_END: run
