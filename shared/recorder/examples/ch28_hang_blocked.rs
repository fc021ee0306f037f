//! A hang: a task blocks the thread that polls all tasks.
//!
//! `cargo run -p recorder --example ch28_hang_blocked`
//!
//! It does not run in a page: it uses threads.
//! Its output is compared on Linux only.

mod watch;

use recorder::Recorder;
use std::sync::mpsc::channel;
use std::time::Duration;
use tokio::time::sleep;

// ANCHOR: program
async fn program(recorder: Recorder) {
    let (jobs, inbox) = channel();
    let r = recorder.clone();
    let producer = tokio::spawn(recorder.task("producer", async move {
        r.wait("pause before the job", sleep(Duration::from_millis(1))).await;
        jobs.send("a job").expect("the consumer waits for it");
    }));
    let consumer = tokio::spawn(recorder.task("consumer", async move {
        println!("{:?}", inbox.recv());
    }));
    let _ = tokio::join!(producer, consumer);
}
// ANCHOR_END: program

fn main() {
    watch::watch(program);
}
