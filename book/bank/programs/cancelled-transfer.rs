//! A function that is cancelled half-way.

use std::cell::Cell;
use std::future::{Future, pending};
use std::task::{Context, Waker};

// ANCHOR: shown
async fn transfer(from: &Cell<u32>, to: &Cell<u32>) {
    from.set(from.get() - 1);
    ask().await;
    to.set(to.get() + 1);
}
// ANCHOR_END: shown

/// Waits for an answer that has not come yet.
async fn ask() {
    pending().await
}

fn main() {
    let (from, to) = (Cell::new(10), Cell::new(0));
    let mut task = Box::pin(transfer(&from, &to));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(task.as_mut().poll(&mut cx).is_pending());
    drop(task);
    println!("from: {}, to: {}", from.get(), to.get());
}
