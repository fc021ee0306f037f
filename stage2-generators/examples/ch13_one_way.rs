//! One way to wait: a caller cannot tell a future from a coroutine, and need not.
//!
//! `cargo run -p stage2-generators --example ch13_one_way`
//!
//! In Python a future can be delegated to, because it is its own iterator: it yields
//! itself once, and then returns its result. Here `impl Coroutine for Future` does the
//! same. (Our futures have no result.)

use shared::{Stop, Trace};
use stage2_generators::{Coroutine, Future, Loop, Result, Resume, Step, yield_from};
use std::io;

// ANCHOR: cache
/// A cache of one page. Other code loads it, and then checks it.
#[derive(Clone, Copy)]
struct Cache {
    loaded: Future,
    checked: Future,
    page: &'static str,
}
// ANCHOR_END: cache

// ANCHOR: before
mod before {
    use super::*;

    // ANCHOR: cached
    /// A plain function. It returns what its caller has to wait for.
    pub(super) fn cached(cache: Cache) -> Future {
        cache.loaded
    }
    // ANCHOR_END: cached
}
// ANCHOR_END: before

// ANCHOR: after
mod after {
    use super::*;

    /// A coroutine. Now the cache checks its pages too, and that takes time.
    pub(super) fn cached(cache: Cache) -> impl Coroutine<Return = Result<()>> {
        Cached::Loading(cache)
    }

    enum Cached {
        Loading(Cache),
        Checking(Cache),
    }
    // ANCHOR_END: after

    // ANCHOR: checking
    impl Coroutine for Cached {
        type Return = Result<()>;

        fn resume(
            &mut self,
            event_loop: &mut Loop,
            resume: Resume,
        ) -> Step<Result<()>> {
            match self {
                Cached::Loading(cache) => {
                    if let Err(error) = yield_from!(cache.loaded, event_loop, resume) {
                        return Step::Return(Err(error));
                    }
                    *self = Cached::Checking(*cache);
                    self.resume(event_loop, Resume::Send)
                }
                Cached::Checking(cache) => cache.checked.resume(event_loop, resume),
            }
        }
    }
    // ANCHOR_END: checking
}

// ANCHOR: caller
/// Waits until the page is there, with either version of `cached`. (A closure with
/// these two parameters is a coroutine, too. Its captures are its frame.)
fn show<C: Coroutine<Return = Result<()>>>(
    cached: fn(Cache) -> C,
    cache: Cache,
) -> impl Coroutine<Return = Result<&'static str>> {
    let mut callee = cached(cache);
    move |event_loop: &mut Loop, resume: Resume| {
        let there = yield_from!(callee, event_loop, resume);
        Step::Return(there.map(|()| cache.page))
    }
}
// ANCHOR_END: caller

// ANCHOR: drive
/// Makes a cache, and shows its page. Each future is resolved at once.
fn drive<C: Coroutine<Return = Result<()>>>(cached: fn(Cache) -> C) -> io::Result<()> {
    let mut event_loop = Loop::new(&Stop::new(), Trace::off())?;
    let (loaded, checked) = (event_loop.new_future(), event_loop.new_future());
    let cache = Cache { loaded, checked, page: "a page" };
    let mut caller = show(cached, cache);
    loop {
        match caller.resume(&mut event_loop, Resume::Send) {
            Step::Yield(future) => {
                let what = if future == loaded { "loaded" } else { "checked" };
                println!("  its caller waits until the page is {what}");
                event_loop.resolve(future);
            }
            Step::Return(page) => {
                println!("  the caller returns {page:?}");
                return Ok(());
            }
        }
    }
}
// ANCHOR_END: drive

// ANCHOR: main
fn main() -> io::Result<()> {
    println!("`cached` is a function that returns a future:");
    drive(before::cached)?;
    println!("`cached` is a coroutine:");
    drive(after::cached)
}
// ANCHOR_END: main
