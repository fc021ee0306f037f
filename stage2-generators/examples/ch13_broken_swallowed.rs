//! Broken on purpose: a task fails, and its result is never asked for.
//!
//! `cargo run -p stage2-generators --example ch13_broken_swallowed`

use shared::{FetchError, Stop, Trace};
use stage2_generators::{
    Coroutine, Future, Join, Loop, LoopError, Result, Resume, Step,
};
use std::io::ErrorKind::ConnectionRefused;
use std::time::Instant;

// ANCHOR: fetch
/// A fetch that the server refuses.
fn fetch() -> impl Coroutine<Return = Result<()>> {
    let refused = FetchError::Network(ConnectionRefused);
    move |_: &mut Loop, _: Resume| Step::Return(Err(refused.clone()))
}
// ANCHOR_END: fetch

// The bug: the `Join` is dropped, and with it the only way to the error of the fetch.
// ANCHOR: broken
/// Starts a fetch, waits for something else, and returns.
enum Broken {
    Start,
    WaitingForOther(Future),
}

impl Coroutine for Broken {
    type Return = Result<()>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<()>> {
        match self {
            Broken::Start => {
                // Without the `drop` the compiler warns: "unused `Join`".
                drop(event_loop.spawn_named("the fetch", fetch()));
                *self = Broken::WaitingForOther(something_else(event_loop));
                self.resume(event_loop, resume)
            }
            Broken::WaitingForOther(future) => future.resume(event_loop, resume),
        }
    }
}
// ANCHOR_END: broken

/// Makes a future that is resolved a little later.
fn something_else(event_loop: &mut Loop) -> Future {
    let future = event_loop.new_future();
    let resolve = move |event_loop: &mut Loop| event_loop.resolve(future);
    event_loop.reactor.timers.set(Instant::now(), Box::new(resolve));
    future
}

// ANCHOR: fixed
/// Starts a fetch, waits for it, and returns what it returns.
enum Fixed {
    Start,
    WaitingForFetch(Join<()>),
}

impl Coroutine for Fixed {
    type Return = Result<()>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<()>> {
        match self {
            Fixed::Start => {
                *self = Fixed::WaitingForFetch(
                    event_loop.spawn_named("the fetch", fetch()),
                );
                self.resume(event_loop, resume)
            }
            Fixed::WaitingForFetch(join) => join.resume(event_loop, resume),
        }
    }
}
// ANCHOR_END: fixed

// ANCHOR: run
/// Runs a crawl, and asks the loop for errors that were lost meanwhile. (asyncio logs
/// them when a task is destroyed: "Task exception was never retrieved".)
fn run(crawl: impl Coroutine<Return = Result<()>> + 'static) -> Result<(), LoopError> {
    let mut event_loop = Loop::new(&Stop::new(), Trace::off())?;
    let crawl = event_loop.spawn(crawl);
    println!("  the crawl returns {:?}", event_loop.run_until_complete(crawl)?);
    println!("  lost errors: {:?}", event_loop.lost_errors());
    Ok(())
}

fn main() -> Result<(), LoopError> {
    println!("broken:");
    run(Broken::Start)?;
    println!("fixed:");
    run(Fixed::Start)
}
// ANCHOR_END: run
