//! A std future does nothing by itself: each `poll` runs it up to its next wait.
//!
//! `cargo run -p stage3-async --example ch16_poll_by_hand`

use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

// ANCHOR: leaf
/// A leaf: a future at the end of a chain of awaits, which awaits no other. It is
/// ready after this many polls.
struct Countdown(u32);

impl std::future::Future for Countdown {
    type Output = &'static str;

    // A `Context` holds a waker, and nothing else. Calling the waker asks for this
    // future to be polled again.
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<&'static str> {
        println!("    the countdown is polled at {}", self.0);
        if self.0 == 0 {
            return Poll::Ready("lift-off");
        }
        self.0 -= 1;
        Poll::Pending // a real leaf keeps the waker first, or it is never polled again
    }
}
// ANCHOR_END: leaf

// ANCHOR: launch
/// The compiler turns this function into a std future.
async fn launch() -> usize {
    let _crew = Crew;
    println!("    the launch begins");
    let word = Countdown(1).await;
    println!("    the launch goes on: {word}");
    word.len()
}

/// A local of `launch`, which prints a line when it is dropped.
struct Crew;

impl Drop for Crew {
    fn drop(&mut self) {
        println!("    the crew goes home");
    }
}
// ANCHOR_END: launch

// ANCHOR: main
fn main() {
    // A waker that does nothing: we poll by hand, and poll again anyway.
    let mut context = Context::from_waker(Waker::noop());
    println!("called: nothing has run");
    let mut first = pin!(launch()); // from here on it does not move
    for number in 1..=2 {
        println!("poll {number}");
        match first.as_mut().poll(&mut context) {
            Poll::Pending => println!("  pending"),
            Poll::Ready(size) => println!("  ready: {size}"),
        }
    }
    let mut second = Box::pin(launch());
    println!("another one is polled once, and dropped");
    assert!(second.as_mut().poll(&mut context).is_pending());
    drop(second); // that is all it takes to cancel it
}
// ANCHOR_END: main
