//! A name is looked up on another thread, with a time-out of ten seconds, on a clock
//! that jumps.
//!
//! `cargo run -p stage3-async --example ch36_broken_jump`
//!
//! It does not run in a page: it uses threads.

mod clock;

use clock::{Clock, Executor};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

const NOT_POISONED: &str = "nothing panics while it holds the answer";

// ANCHOR: look_up
/// Looks up a name, which takes half a second of the real time.
async fn look_up(clock: Clock) {
    let answer = elsewhere(|| thread::sleep(Duration::from_millis(500)));
    let time_out = clock.sleep(Duration::from_secs(10));
    let is_in_time = race(answer, time_out).await;
    let end = if is_in_time { "an answer" } else { "a time-out" };
    println!("  at second {}: {end}", clock.now().as_secs());
}
// ANCHOR_END: look_up

// ANCHOR: guarded
/// The same, with a work guard.
async fn look_up_guarded(clock: Clock) {
    let _guard = clock.work_guard();
    look_up(clock).await;
}
// ANCHOR_END: guarded

/// Does some work on another thread.
fn elsewhere(work: impl FnOnce() + Send + 'static) -> impl Future<Output = ()> {
    let shared = Arc::new(Mutex::new((false, None::<Waker>)));
    let for_thread = Arc::clone(&shared);
    thread::spawn(move || {
        work();
        let mut shared = for_thread.lock().expect(NOT_POISONED);
        shared.0 = true;
        let waker = shared.1.take();
        drop(shared);
        waker.into_iter().for_each(Waker::wake);
    });
    poll_fn(move |cx| {
        let mut shared = shared.lock().expect(NOT_POISONED);
        if shared.0 {
            return Poll::Ready(());
        }
        let older = shared.1.replace(cx.waker().clone());
        drop(shared);
        drop(older);
        Poll::Pending
    })
}

/// Returns whether the first of two futures is ready before the second one.
async fn race(
    first: impl Future<Output = ()>,
    second: impl Future<Output = ()>,
) -> bool {
    let (mut first, mut second) = (pin!(first), pin!(second));
    poll_fn(|cx| match (first.as_mut().poll(cx), second.as_mut().poll(cx)) {
        (Poll::Ready(()), _) => Poll::Ready(true),
        (_, poll) => poll.map(|()| false),
    })
    .await
}

fn run<F: Future<Output = ()> + 'static>(name: &str, task: fn(Clock) -> F) {
    let (clock, mut executor) = (Clock::default(), Executor::default());
    println!("{name}:");
    executor.spawn(task(clock.clone()));
    executor.run(&clock);
}

fn main() {
    run("without a guard", look_up);
    run("with a guard", look_up_guarded);
}
