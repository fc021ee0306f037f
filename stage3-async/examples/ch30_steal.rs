//! A queue for each thread; a thread that has nothing to do steals half of another's.
//!
//! `cargo run -p stage3-async --example ch30_steal`
//!
//! It does not run in a page: it uses threads, which the executor parks.

mod threads;

use std::sync::Arc;
use threads::steal::Stealing;
use threads::task::{ReadyQueue, spawn};

// ANCHOR: main
fn main() {
    // This thread plays both threads of the executor, one after the other.
    let queue = Arc::new(Stealing::new(2));
    for number in 1..=8 {
        spawn(async move { println!("task {number} runs") }, &queue);
    }
    println!("queues: {:?}", queue.lengths());
    for thread in [0, 1, 1, 1, 1, 1] {
        print!("thread {thread}: ");
        queue.next(thread).expect("there are more").run();
        println!("queues: {:?}", queue.lengths());
    }
    threads::observe::finish(); // observe
}
// ANCHOR_END: main
