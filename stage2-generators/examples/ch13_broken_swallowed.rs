//! Broken on purpose: a task fails, and nobody asks what became of it.
//!
//! `cargo run -p stage2-generators --example ch13_broken_swallowed`

use shared::{FetchError, Stop, Trace};
use stage2_generators::{
    Coroutine, Future, Join, Loop, LoopError, Result, Resume, Step,
};
use std::io::ErrorKind::ConnectionRefused;
use std::time::Instant;

// ANCHOR: fetch
/// Fetches a page, but the server refuses.
fn fetch() -> impl Coroutine<Return = Result<()>> {
    let refused = FetchError::Network(ConnectionRefused);
    move |_: &mut Loop, _: Resume| Step::Return(Err(refused.clone()))
}
// ANCHOR_END: fetch

// ANCHOR: broken
/// Starts a fetch, waits for something else, and is content.
// def crawl():
//     Task(fetch())
//     yield from something_else()
enum Broken {
    Start,
    WaitingForOther(Future),
}

impl Coroutine for Broken {
    type Return = Result<()>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<()>> {
        match self {
            Broken::Start => {
                // The mistake. Without `drop` the compiler warns: "unused `Join`".
                drop(event_loop.spawn_named("the fetch", fetch()));
                *self = Broken::WaitingForOther(something_else(event_loop));
                self.resume(event_loop, resume)
            }
            Broken::WaitingForOther(future) => future.resume(event_loop, resume),
        }
    }
}
// ANCHOR_END: broken

/// What happens a little later.
fn something_else(event_loop: &mut Loop) -> Future {
    let future = event_loop.new_future();
    let resolve = move |event_loop: &mut Loop| event_loop.resolve(future);
    event_loop.reactor.timers.set(Instant::now(), Box::new(resolve));
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

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<()>> {
        match self {
            Mended::Start => {
                *self = Mended::WaitingForFetch(
                    event_loop.spawn_named("the fetch", fetch()),
                );
                self.resume(event_loop, resume)
            }
            Mended::WaitingForFetch(join) => join.resume(event_loop, resume),
        }
    }
}
// ANCHOR_END: mended

// ANCHOR: run
/// Runs a crawl, and asks the executor whether an error was lost meanwhile. (asyncio
/// tells it when a task is destroyed: "Task exception was never retrieved".)
fn run(crawl: impl Coroutine<Return = Result<()>> + 'static) -> Result<(), LoopError> {
    let mut event_loop = Loop::new(&Stop::new(), Trace::off())?;
    let crawl = event_loop.spawn(crawl);
    println!("  the crawl returns {:?}", event_loop.run_until_complete(crawl)?);
    println!("  errors nobody asked for: {:?}", event_loop.lost_errors());
    Ok(())
}

fn main() -> Result<(), LoopError> {
    println!("broken:");
    run(Broken::Start)?;
    println!("mended:");
    run(Mended::Start)
}
// ANCHOR_END: run
