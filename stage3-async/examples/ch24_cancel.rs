//! A task that is cancelled is dropped at its next turn, with all that it holds, where
//! it waits.
//!
//! `cargo run -p stage3-async --example ch24_cancel`

use stage3_async::{Executor, Queue};
use std::cell::Cell;
use std::error::Error;
use std::rc::Rc;

// ANCHOR: held
/// Something that a worker holds. It counts how many of them there are now.
struct Held {
    name: String,
    count: Rc<Cell<usize>>,
}

impl Held {
    fn new(name: String, count: &Rc<Cell<usize>>) -> Held {
        count.set(count.get() + 1);
        Held { name, count: Rc::clone(count) }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.count.set(self.count.get() - 1);
        println!("  {} is dropped", self.name);
    }
}
// ANCHOR_END: held

// ANCHOR: work
type Jobs = Rc<Queue<u32>>;

async fn work(number: usize, jobs: Jobs, count: Rc<Cell<usize>>) {
    let _connection = Held::new(format!("connection {number}"), &count);
    loop {
        let _buffer = Held::new(format!("buffer {number}"), &count);
        take(number, &jobs, &count).await; // here it waits when it is cancelled
        jobs.task_done();
    }
}

async fn take(number: usize, jobs: &Queue<u32>, count: &Rc<Cell<usize>>) -> u32 {
    let _place = Held::new(format!("place {number} in the queue"), count);
    jobs.get().await
}
// ANCHOR_END: work

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    let (jobs, count) = (Jobs::default(), Rc::new(Cell::new(0)));
    let start = |number| executor.spawn(work(number, jobs.clone(), count.clone()));
    let [first, second] = [1, 2].map(start);
    println!("nothing has run: {} are held", count.get());
    executor.block_on(async {
        // The task that is spawned last is polled last. When it has ended, the others
        // wait.
        executor.spawn(async {}).await.ok();
        println!("two workers wait: {} are held", count.get());
        first.cancel(); // marks the task, and wakes it
        println!("the first is cancelled: {} are held", count.get());
        first.cancel(); // a second time does nothing
        if let Err(end) = first.await {
            println!("{} are held, and the await returns: {end}", count.get());
        }
        println!("block_on ends:");
    })?;
    println!("{} are held", count.get());
    if let Err(end) = executor.block_on(second)? {
        println!("awaiting the second returns: {end}");
    }
    Ok(())
}
// ANCHOR_END: main
