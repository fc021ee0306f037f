//! What fetches in a stream do while the loop that owns it awaits something else.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

type Fetch<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// Is ready at its poll with this number, and counts all polls.
async fn fetch(polls: &Cell<u32>, needed: u32) {
    let mut own = 0;
    poll_fn(|cx| {
        own += 1;
        polls.set(polls.get() + 1);
        cx.waker().wake_by_ref();
        if own < needed { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
}

/// The next output of those that run: `None` at the end.
async fn next(running: &mut Vec<Fetch<'_>>) -> Option<()> {
    poll_fn(|cx| {
        let ready = (0..running.len())
            .find(|place| running[*place].as_mut().poll(cx).is_ready());
        match ready {
            Some(place) => {
                drop(running.remove(place));
                Poll::Ready(Some(()))
            }
            None if running.is_empty() => Poll::Ready(None),
            None => Poll::Pending,
        }
    })
    .await
}

/// Takes a hundred polls.
async fn sleep() {
    let mut left = 100;
    poll_fn(|cx| {
        left -= 1;
        cx.waker().wake_by_ref();
        if left > 0 { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
}

async fn crawl() {
    let polls = Cell::new(0);
    let mut running: Vec<Fetch> = Vec::new();
    for needed in [1, 2, 3] {
        running.push(Box::pin(fetch(&polls, needed)));
    }
    next(&mut running).await;
    println!("one page");
    let before = polls.get();
    sleep().await;
    println!("polls of the others while the loop sleeps: {}", polls.get() - before);
    println!("the stream is polled again");
    while next(&mut running).await.is_some() {}
    println!("all pages");
}

fn main() {
    let mut crawl = pin!(crawl());
    let mut cx = Context::from_waker(Waker::noop());
    while crawl.as_mut().poll(&mut cx).is_pending() {}
}
