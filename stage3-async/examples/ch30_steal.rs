//! A queue for each thread; a thread that has nothing to do steals half of another one.
//!
//! `cargo run -p stage3-async --example ch30_steal`

mod threads;

use std::sync::Arc;
use threads::steal::Stealing;
use threads::{measure, task::ReadyQueue, task::spawn};

// ANCHOR: main
fn main() {
    // By hand: this thread plays both threads, one after the other.
    let queue = Arc::new(Stealing::new(2));
    for number in 1..=8 {
        spawn(async move { println!("  task {number} runs") }, &queue);
    }
    println!("queues: {:?}", queue.lengths());
    for thread in [0, 1, 0, 1] {
        println!("thread {thread} looks for a task");
        queue.next(thread).expect("there are more").run();
        println!("queues: {:?}", queue.lengths());
    }
    // The same as with one queue, with threads.
    for threads in [1, 2] {
        let time = measure(&Arc::new(Stealing::new(threads)), threads);
        println!("100,000 turns, threads: {threads}: {} ms", time.as_millis());
    }
}
// ANCHOR_END: main
