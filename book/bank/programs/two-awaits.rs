//! Two futures that are awaited one after the other.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

// ANCHOR: shown
async fn fetch_both() -> (Page, Page) {
    let one = fetch("one");
    let two = fetch("two");
    (one.await, two.await)
}
// ANCHOR_END: shown

type Page = &'static str;

/// Is pending once, as a fetch is that has to wait for its server.
async fn fetch(page: Page) -> Page {
    println!("{page} begins");
    let mut is_first = true;
    poll_fn(|_| match std::mem::take(&mut is_first) {
        true => Poll::Pending,
        false => Poll::Ready(()),
    })
    .await;
    println!("{page} ends");
    page
}

fn main() {
    let (one, two) = (fetch("one"), fetch("two"));
    println!("both are called");
    drop((one, two));
    let mut both = pin!(fetch_both());
    let mut cx = Context::from_waker(Waker::noop());
    while both.as_mut().poll(&mut cx).is_pending() {
        println!("  a wait");
    }
}
