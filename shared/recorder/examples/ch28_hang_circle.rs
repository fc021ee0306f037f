//! A hang: two tasks wait for each other.
//!
//! `cargo run -p recorder --example ch28_hang_circle`
//!
//! It does not run in a page: it uses threads.

mod watch;

use recorder::Recorder;
use tokio::sync::oneshot::{Receiver, Sender, channel};

// ANCHOR: program
/// Waits for the other's number, and answers with the next one.
async fn count(r: Recorder, names: [&str; 2], other: Receiver<u32>, own: Sender<u32>) {
    let _provider = r.provides(names[0]);
    let number = r.wait(names[1], other).await.unwrap_or_default();
    let _ = own.send(number + 1);
}

async fn program(recorder: Recorder) {
    let ((to_left, left), (to_right, right)) = (channel(), channel());
    let names = ["the left number", "the right number"];
    let task = count(recorder.clone(), names, right, to_left);
    let first = tokio::spawn(recorder.task("left", task));
    let names = ["the right number", "the left number"];
    let task = count(recorder.clone(), names, left, to_right);
    let second = tokio::spawn(recorder.task("right", task));
    let _ = tokio::join!(first, second);
}
// ANCHOR_END: program

fn main() {
    watch::watch(program);
}
