//! A time-out as a struct with a future in it: in a box, and in its place.
//!
//! `cargo run -p stage3-async --example ch34_timeout_by_hand`
//!
//! It does not run in a page: it counts what the real allocator gives.

use pin_project_lite::pin_project;
use stage3_async::{Executor, Reactor, Sleep, yield_now};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::error::Error;
use std::future::{Future, pending};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The time was over first.
#[derive(Debug)]
struct Elapsed;

/// The future is in a box of its own, so all fields are pointers, or may move.
struct Boxed<F> {
    future: Pin<Box<F>>,
    sleep: Sleep,
}

impl<F: Future> Future for Boxed<F> {
    type Output = Result<F::Output, Elapsed>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let Poll::Ready(output) = self.future.as_mut().poll(cx) {
            return Poll::Ready(Ok(output));
        }
        Pin::new(&mut self.sleep).poll(cx).map(|()| Err(Elapsed))
    }
}

// ANCHOR: projected
pin_project! {
    /// The future is in its place. A pinned `Timeout` has a pinned `future`.
    struct Timeout<F> {
        #[pin]
        future: F,
        sleep: Sleep,
    }
}

impl<F: Future> Future for Timeout<F> {
    type Output = Result<F::Output, Elapsed>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        // `this.future` is a `Pin<&mut F>`, and `this.sleep` a `&mut Sleep`.
        if let Poll::Ready(output) = this.future.poll(cx) {
            return Poll::Ready(Ok(output));
        }
        Pin::new(this.sleep).poll(cx).map(|()| Err(Elapsed))
    }
}
// ANCHOR_END: projected

fn boxed<F: Future>(time: Duration, future: F, reactor: &Reactor) -> Boxed<F> {
    Boxed { future: Box::pin(future), sleep: reactor.sleep(time) }
}

fn projected<F: Future>(time: Duration, future: F, reactor: &Reactor) -> Timeout<F> {
    Timeout { future, sleep: reactor.sleep(time) }
}

/// Returns what `make` returns, and how many times it has allocated.
fn allocations<T>(make: impl FnOnce() -> T) -> (T, usize) {
    let region = Region::new(COUNTED);
    let made = make();
    (made, region.change().allocations)
}

/// A future that is not `Unpin`. Ready at its second poll.
async fn seven() -> u32 {
    yield_now().await;
    7
}

const LONG: Duration = Duration::from_secs(10);
const SHORT: Duration = Duration::from_millis(1);

fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    let reactor = executor.reactor();
    let (timeout, count) = allocations(|| boxed(LONG, seven(), reactor));
    let output = executor.block_on(timeout)?;
    println!("in a box:     {output:?}, {count} allocation");
    let (timeout, count) = allocations(|| projected(LONG, seven(), reactor));
    let output = executor.block_on(timeout)?;
    println!("in its place: {output:?}, {count} allocations");
    let timeout = projected(SHORT, pending::<u32>(), reactor);
    println!("it never comes: {:?}", executor.block_on(timeout)?);
    Ok(())
}
