//! Broken on purpose: a worker fails before `task_done`, and `join` waits for ever.
//!
//! `cargo run -p stage3-async --example ch22_broken_task_done`

use stage3_async::{Executor, Queue, Stuck};
use std::error::Error;
use std::num::ParseIntError;
use std::panic;
use std::rc::Rc;

// ANCHOR: item
/// Cakes of twelve pieces, each for so many guests. One order is not a number, which is
/// an error; and one divides by zero, which panics.
const ORDERS: [&str; 3] = ["3", "three", "0"];

fn share(guests: &str) -> Result<(), ParseIntError> {
    let guests: u32 = guests.parse()?;
    println!("  {} pieces for each of {guests}", 12 / guests);
    Ok(())
}
// ANCHOR_END: item

// ANCHOR: broken
type Orders = Rc<Queue<&'static str>>;

async fn work(orders: Orders) -> Result<(), ParseIntError> {
    loop {
        let guests = orders.get().await;
        share(guests)?;
        // Here is the mistake: a worker that left one line earlier never said this.
        orders.task_done();
    }
}
// ANCHOR_END: broken

// ANCHOR: mended
/// An item that was taken. However this is dropped, the item has been dealt with. (What
/// `Queue::done_on_drop` of the library returns is such a guard.)
struct Taken<'a>(&'a Queue<&'static str>);

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.0.task_done();
    }
}

async fn work_with_guard(orders: Orders) -> Result<(), ParseIntError> {
    loop {
        let guests = orders.get().await;
        let _taken = Taken(&orders); // `finally: q.task_done()`
        share(guests)?;
    }
}
// ANCHOR_END: mended

// ANCHOR: run
/// Three workers, an order for each, and a future that waits until all are done.
fn run(executor: &Executor, is_mended: bool) -> Result<(), Stuck> {
    let orders = Orders::new(Queue::new());
    let start = |_| match is_mended {
        false => executor.spawn(work(Rc::clone(&orders))),
        true => executor.spawn(work_with_guard(Rc::clone(&orders))),
    };
    let workers: Vec<_> = (1..=ORDERS.len()).map(start).collect();
    executor.block_on(async {
        ORDERS.into_iter().for_each(|order| orders.put(order));
        orders.join().await;
        println!("  joined");
        for (number, worker) in (1..).zip(workers) {
            worker.cancel(); // one that has ended keeps its result
            match worker.await {
                Ok(result) => println!("  worker {number}: {result:?}"),
                Err(end) => println!("  worker {number}: {end}"),
            }
        }
    })
}
// ANCHOR_END: run

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    panic::set_hook(Box::new(|_| println!("  a worker panics")));
    let executor = Executor::new()?;
    println!("broken:");
    let stuck = run(&executor, false).expect_err("two orders are never done");
    for line in stuck.to_string().lines() {
        println!("  {line}");
    }
    println!("mended:");
    Ok(run(&executor, true)?)
}
// ANCHOR_END: main
