//! `Pin::new` does not take a future that could still be moved.

use std::future::{Future, ready};
use std::pin::Pin;
use std::task::{Context, Waker};

// ANCHOR: shown
fn main() {
    let mut future = async { ready(7).await };
    let mut cx = Context::from_waker(Waker::noop());
    let _ = Pin::new(&mut future).poll(&mut cx);
}
// ANCHOR_END: shown
