//! A hang: a future was created, and nothing polls it.
//!
//! `cargo run -p recorder --example ch28_hang_unpolled`
//!
//! It does not run in a page: it uses threads.

mod watch;

use recorder::Recorder;
use tokio::sync::oneshot;

// ANCHOR: program
async fn program(recorder: Recorder) {
    let (send, receive) = oneshot::channel();
    let sender = recorder.task("sender", async move { send.send(7) });
    let r = recorder.clone();
    let receiver = recorder.task("receiver", async move {
        println!("{:?}", r.wait("the sender's number", receive).await);
    });
    receiver.await;
    let _ = sender.await;
}
// ANCHOR_END: program

fn main() {
    watch::watch(program);
}
