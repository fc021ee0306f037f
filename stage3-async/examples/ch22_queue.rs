//! A producer and three workers with tasks: `get`, `put`, `task_done` and `join`.
//!
//! `cargo run -p stage3-async --example ch22_queue`

use stage3_async::{Executor, Queue};
use std::cell::Cell;
use std::error::Error;
use std::rc::Rc;
use std::time::{Duration, Instant};

const WORKERS: usize = 3;

// The order of `put` and `task_done` keeps the count from reaching zero in between.
// ANCHOR: worker
/// What all workers share. It needs no lock: no task is interrupted between two awaits.
#[derive(Default)]
struct Books {
    queue: Queue<u32>,
    begun: Cell<u32>,
    done: Cell<u32>,
}

/// Takes items in an endless loop. It is cancelled while it waits for the next one.
async fn work(executor: Executor, books: Rc<Books>) {
    loop {
        let item = books.queue.get().await;
        books.begun.set(books.begun.get() + 1);
        let effort = Duration::from_millis(10);
        executor.reactor().sleep_until(Instant::now() + effort).await;
        // New items are put before this one is reported as done.
        if item > 0 {
            books.queue.put(item - 1);
        }
        books.done.set(books.done.get() + 1);
        books.queue.task_done();
    }
}
// ANCHOR_END: worker

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    let books = Rc::new(Books::default());
    let start = |_| executor.spawn(work(executor.clone(), Rc::clone(&books)));
    let workers: Vec<_> = (0..WORKERS).map(start).collect();
    let crawl = Rc::clone(&books);
    let ended = executor.block_on(async move {
        for item in [4, 3, 2] {
            crawl.queue.put(item);
        }
        println!("3 items put, {} begun", crawl.begun.get());
        crawl.queue.join().await;
        println!("joined: {} begun, {} done", crawl.begun.get(), crawl.done.get());
        let mut ended = Vec::new();
        for worker in workers {
            worker.cancel();
            ended.push(worker.await.expect_err("it never ends by itself").to_string());
        }
        ended
    })?;
    for (number, end) in ended.iter().enumerate() {
        println!("worker {}: {end}", number + 1);
    }
    Ok(())
}
// ANCHOR_END: main
