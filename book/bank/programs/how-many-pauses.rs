//! How often an `async fn` with three awaits pauses depends on what it awaits.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Is pending this number of times, and then ready.
async fn pending(mut times: u32) {
    poll_fn(|cx| {
        if times == 0 {
            return Poll::Ready(());
        }
        times -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

async fn three(times: u32) {
    pending(times).await;
    pending(times).await;
    pending(times).await;
}

fn pauses(times: u32) -> usize {
    let (mut future, mut pauses) = (pin!(three(times)), 0);
    let mut cx = Context::from_waker(Waker::noop());
    while future.as_mut().poll(&mut cx).is_pending() {
        pauses += 1;
    }
    pauses
}

fn main() {
    println!("all are ready: {} pauses", pauses(0));
    println!("each is pending once: {} pauses", pauses(1));
    println!("each is pending twice: {} pauses", pauses(2));
}
