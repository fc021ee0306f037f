//! Two tasks on one thread, and an await between a check and an act.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

thread_local! {
    static FETCHES: Cell<u32> = const { Cell::new(0) };
}

// ANCHOR: shown
async fn visit(seen: &RefCell<HashSet<String>>, url: String) {
    if !seen.borrow().contains(&url) {
        fetch(&url).await;
        seen.borrow_mut().insert(url);
    }
}
// ANCHOR_END: shown

/// Is pending once, as a fetch is that has to wait.
async fn fetch(_: &str) {
    FETCHES.set(FETCHES.get() + 1);
    let mut is_first = true;
    poll_fn(|_| match std::mem::take(&mut is_first) {
        true => Poll::Pending,
        false => Poll::Ready(()),
    })
    .await;
}

fn main() {
    let seen = RefCell::default();
    let mut one = pin!(visit(&seen, "/".to_string()));
    let mut two = pin!(visit(&seen, "/".to_string()));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(one.as_mut().poll(&mut cx).is_pending());
    assert!(two.as_mut().poll(&mut cx).is_pending());
    assert!(one.as_mut().poll(&mut cx).is_ready());
    assert!(two.as_mut().poll(&mut cx).is_ready());
    println!("fetches: {}", FETCHES.get());
    println!("seen: {}", seen.borrow().len());
}
