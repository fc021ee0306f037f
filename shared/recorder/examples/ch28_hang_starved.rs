//! A hang: a task never returns `Pending`, so no other task is polled.
//!
//! `cargo run -p recorder --example ch28_hang_starved`
//!
//! It does not run in a page: it uses threads.
//! Its output is compared on Linux only.

mod watch;

use recorder::Recorder;
use std::future::ready;
use std::time::Duration;
use tokio::time::sleep;

// ANCHOR: program
async fn program(recorder: Recorder) {
    let r = recorder.clone();
    let clock = tokio::spawn(recorder.task("clock", async move {
        loop {
            r.wait("the next tick", sleep(Duration::from_millis(10))).await;
        }
    }));
    let r = recorder.clone();
    let sum = tokio::spawn(recorder.task("sum", async move {
        let mut sum: u64 = 0;
        for number in 1.. {
            sum += r.wait("the next number", ready(number)).await;
        }
        println!("{sum}");
    }));
    let _: (Result<(), _>, _) = tokio::join!(clock, sum);
}
// ANCHOR_END: program

fn main() {
    watch::watch(program);
}
