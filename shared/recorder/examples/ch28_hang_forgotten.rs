//! A hang: a future returns `Pending` and has not stored the waker.
//!
//! `cargo run -p recorder --example ch28_hang_forgotten`
//!
//! It does not run in a page: it uses threads.

mod watch;

use recorder::Recorder;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::{Context, Poll};

// ANCHOR: program
/// Ready when the flag is set.
struct IsSet(Arc<AtomicBool>);

impl Future for IsSet {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<()> {
        if self.0.load(Relaxed) { Poll::Ready(()) } else { Poll::Pending }
    }
}

async fn program(recorder: Recorder) {
    let flag = Arc::new(AtomicBool::new(false));
    let (r, is_set) = (recorder.clone(), IsSet(Arc::clone(&flag)));
    let waiter = tokio::spawn(recorder.task("waiter", async move {
        r.wait("the flag", is_set).await;
        println!("the flag is set");
    }));
    let setter = tokio::spawn(recorder.task("setter", async move {
        flag.store(true, Relaxed);
    }));
    let _ = tokio::join!(waiter, setter);
}
// ANCHOR_END: program

fn main() {
    watch::watch(program);
}
