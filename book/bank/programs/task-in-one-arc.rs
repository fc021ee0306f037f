//! A future in an `Arc`, behind a lock, is not pinned.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

// ANCHOR: shown
struct Task<F>(Mutex<F>);

impl<F: Future> Task<F> {
    fn run(self: Arc<Self>) -> Poll<F::Output> {
        let mut future = self.0.lock().unwrap();
        let mut cx = Context::from_waker(Waker::noop());
        Pin::new(&mut *future).poll(&mut cx)
    }
}
// ANCHOR_END: shown

fn main() {}
