//! A hang: a task sends into a full channel, and no task receives.
//!
//! `cargo run -p recorder --example ch28_hang_full`
//!
//! It does not run in a page: it uses threads.

mod watch;

use recorder::Recorder;
use tokio::sync::mpsc::channel;

// ANCHOR: program
async fn program(recorder: Recorder) {
    let (send, mut receive) = channel(4);
    let r = recorder.clone();
    let task = recorder.task("fill, then drain", async move {
        for number in 1..=10 {
            let room = format!("room for number {number}");
            r.wait(&room, send.send(number)).await.expect("the receiver is here");
        }
        drop(send);
        while let Some(number) = r.wait("a number", receive.recv()).await {
            println!("{number}");
        }
    });
    let _ = tokio::spawn(task).await;
}
// ANCHOR_END: program

fn main() {
    watch::watch(program);
}
