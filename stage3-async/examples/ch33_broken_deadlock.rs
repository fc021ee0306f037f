//! Broken on purpose: workers take from a bounded queue, and put into the same one.
//!
//! `cargo run -p stage3-async --example ch33_broken_deadlock`

#[allow(dead_code, reason = "its `main` is another program")]
#[path = "ch33_bounded.rs"]
mod bounded;

use bounded::Bounded;
use stage3_async::{Executor, Queue, Stuck, set_label, yield_now};
use std::cell::Cell;
use std::error::Error;
use std::rc::Rc;

// ANCHOR: work
/// A site of 40 pages: `/0` links to `/1`, `/2` and `/3`, `/1` to the next three.
fn links(page: u32) -> impl Iterator<Item = u32> {
    (3 * page + 1..=3 * page + 3).filter(|link| *link < 40)
}

/// Fetches page after page, and puts the links of each.
async fn work(queue: Rc<Bounded<u32>>, fetched: Rc<Cell<u32>>) {
    loop {
        let page = queue.get().await;
        set_label("worker", Some(&format!("/{page}"))); // observe
        yield_now().await; // stands in for the fetch
        fetched.set(fetched.get() + 1);
        for link in links(page) {
            queue.put(link).await;
        }
        queue.task_done();
        set_label("worker", None); // observe
    }
}
// ANCHOR_END: work

/// Crawls with two workers. Returns how many pages were fetched, and how it ended.
fn crawl(bound: usize) -> Result<(u32, Result<(), Stuck>), Box<dyn Error>> {
    let (queue, fetched) = (Rc::new(Bounded::new(bound)), Rc::<Cell<u32>>::default());
    let executor = Executor::new()?;
    for _ in 0..2 {
        drop(executor.spawn(work(Rc::clone(&queue), Rc::clone(&fetched))));
    }
    let end = executor.block_on(async {
        queue.put(0).await;
        queue.join().await;
    });
    Ok((fetched.get(), end))
}

// ANCHOR: frontier
/// The same, with a queue that has no bound.
async fn work_unbounded(queue: Rc<Queue<u32>>, waiting: Rc<Waiting>) {
    loop {
        let page = queue.get().await;
        waiting.add(-1);
        yield_now().await;
        for link in links(page) {
            waiting.add(1);
            queue.put(link);
        }
        queue.task_done();
    }
}
// ANCHOR_END: frontier

/// How many links wait, now and at most.
#[derive(Default)]
struct Waiting {
    now: Cell<i32>,
    most: Cell<i32>,
}

impl Waiting {
    fn add(&self, count: i32) {
        self.now.set(self.now.get() + count);
        self.most.set(self.most.get().max(self.now.get()));
    }
}

fn crawl_unbounded() -> Result<i32, Box<dyn Error>> {
    let (queue, waiting) = (Rc::new(Queue::new()), Rc::<Waiting>::default());
    let executor = Executor::new()?;
    for _ in 0..2 {
        drop(executor.spawn(work_unbounded(Rc::clone(&queue), Rc::clone(&waiting))));
    }
    executor.block_on(async {
        waiting.add(1);
        queue.put(0);
        queue.join().await;
    })?;
    Ok(waiting.most.get())
}

fn main() -> Result<(), Box<dyn Error>> {
    let (fetched, end) = crawl(4)?;
    println!("4 places: {fetched} pages of 40, and then");
    println!("{}", end.expect_err("both workers wait"));
    for bound in [8, 16, 24, 32] {
        let (fetched, end) = crawl(bound)?;
        let end = if end.is_err() { "stuck" } else { "done" };
        println!("{bound} places: {fetched} pages of 40, {end}");
    }
    println!("no bound: at most {} links wait", crawl_unbounded()?);
    Ok(())
}
