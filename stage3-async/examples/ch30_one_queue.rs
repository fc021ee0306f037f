//! Several threads poll tasks from one queue.
//!
//! `cargo run -p stage3-async --example ch30_one_queue`
//!
//! It does not run in a page: it uses threads.

mod threads;

use std::sync::{Arc, Barrier};
use threads::one_queue::OneQueue;
use threads::{queue::Queue, run_on, task::spawn};

// ANCHOR: main
fn main() {
    let (queue, meeting) = (Arc::new(OneQueue::default()), Arc::new(Barrier::new(2)));
    let done = Arc::<Queue<&str>>::default();
    for name in ["one task", "another task"] {
        let (done, meeting) = (Arc::clone(&done), Arc::clone(&meeting));
        let task = async move {
            meeting.wait(); // blocks its thread until the other task is polled, too
            done.put(name);
        };
        spawn(task, &queue);
    }
    let both = async { [done.get().await, done.get().await] };
    let mut both = run_on(&queue, 2, both);
    both.sort();
    println!("polled at the same moment: {}", both.join(", "));
    threads::observe::finish(); // observe
}
// ANCHOR_END: main
