//! One way to wait: a caller cannot tell a future from a coroutine, and need not.
//!
//! `cargo run -p stage2-generators --example ch13_one_way`
//!
//! In Python a future can be delegated to, because it iterates over itself:
//!
//! ```python
//! def __iter__(self):
//!     yield self
//!     return self.result
//! ```
//!
//! Here a trait says the same: `impl Coroutine for Future`. (Ours have no result.)

use shared::{Stop, Trace};
use stage2_generators::{Coroutine, Future, Loop, Result, Resume, Step, yield_from};
use std::io;

// ANCHOR: cache
/// A cache of one page. Somebody else loads it, and then checks it.
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

    /// A plain function. It says what there is to wait for, and waits for nothing.
    pub(super) fn cached(cache: Cache) -> Future {
        cache.loaded
    }
}
// ANCHOR_END: before

// ANCHOR: after
mod after {
    use super::*;

    /// A coroutine. One day the cache is to check its pages, and that takes time, too.
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
/// Waits for a page. It is one text for both, and for whatever else can be waited for:
/// a `Join` is a coroutine, too. (It is what `spawn` returns: to wait for it is to wait
/// for the task. And a closure with these two parameters is one: its captures are its
/// frame.)
// def show(cached, cache):
//     yield from cached(cache)
//     return cache.page
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
/// Makes a cache, and shows its page. Whatever the caller waits for happens at once.
fn drive<C: Coroutine<Return = Result<()>>>(cached: fn(Cache) -> C) -> io::Result<()> {
    let mut event_loop = Loop::new(&Stop::new(), Trace::off())?;
    let (loaded, checked) = (event_loop.new_future(), event_loop.new_future());
    let cache = Cache { loaded, checked, page: "a page" };
    let mut caller = show(cached, cache);
    loop {
        match caller.resume(&mut event_loop, Resume::Send) {
            Step::Yield(future) => {
                let what = if future == loaded { "loaded" } else { "checked" };
                println!("  it waits until the page is {what}");
                event_loop.resolve(future);
            }
            Step::Return(page) => {
                println!("  it returns {page:?}");
                return Ok(());
            }
        }
    }
}
// ANCHOR_END: drive

// ANCHOR: main
fn main() -> io::Result<()> {
    println!("the caller of a function that returns a future:");
    drive(before::cached)?;
    println!("the caller of a coroutine:");
    drive(after::cached)
}
// ANCHOR_END: main
