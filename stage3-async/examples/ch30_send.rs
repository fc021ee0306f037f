//! A task goes on in another thread: what it keeps across an await goes with it.
//!
//! `cargo run -p stage3-async --example ch30_send`
//!
//! It does not run in a page: it uses threads.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::thread;

// ANCHOR: visit
/// Has a clone of `page` in its frame while it waits.
async fn visit(page: Arc<str>) {
    let link = Arc::clone(&page);
    println!("  {} clones the page, and waits", name());
    yield_once().await;
    println!("  {} drops the clone of {link:?}", name());
}
// ANCHOR_END: visit

/// Is pending once. It registers no waker: this program polls by hand.
async fn yield_once() {
    let mut is_second = false;
    poll_fn(|_| match std::mem::replace(&mut is_second, true) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
    .await;
}

// ANCHOR: main
type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Polls the task once, and gives it back.
fn poll(mut task: Task) -> Task {
    let poll = task.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    println!("  {} has polled it: {poll:?}", name());
    task
}

fn main() {
    let page: Arc<str> = Arc::from("/task");
    let mut task: Task = Box::pin(visit(Arc::clone(&page)));
    for thread in ["thread a", "thread b"] {
        println!("{thread}; owners of the page: {}", Arc::strong_count(&page));
        let builder = thread::Builder::new().name(thread.to_string());
        let polls = builder.spawn(move || poll(task)).expect("a thread");
        task = polls.join().expect("it has panicked already");
    }
    println!("the end; owners of the page: {}", Arc::strong_count(&page));
}
// ANCHOR_END: main

fn name() -> String {
    thread::current().name().unwrap_or("a thread").to_string()
}
