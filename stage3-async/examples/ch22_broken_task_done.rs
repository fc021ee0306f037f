//! Broken on purpose: a worker fails before `task_done`, and `join` waits forever.
//!
//! `cargo run -p stage3-async --example ch22_broken_task_done`
//!
//! It does not run in a page: it catches a panic, which ends a program in
//! WebAssembly.

use stage3_async::{Executor, Queue, Stuck};
use std::error::Error;
use std::num::ParseIntError;
use std::panic;
use std::rc::Rc;

// ANCHOR: item
/// Orders for cakes of twelve pieces: how many guests share each cake. One is not a
/// number, which is an error, and one is zero, which panics.
const ORDERS: [&str; 3] = ["3", "three", "0"];

fn share(guests: &str) -> Result<(), ParseIntError> {
    let guests: u32 = guests.parse()?;
    println!("  {} pieces for each of {guests}", 12 / guests);
    Ok(())
}
// ANCHOR_END: item

// Here is the bug: a worker that leaves at `share(guests)?` never reports its item.
// ANCHOR: broken
type Orders = Rc<Queue<&'static str>>;

async fn work(orders: Orders) -> Result<(), ParseIntError> {
    loop {
        let guests = orders.get().await;
        share(guests)?;
        orders.task_done();
    }
}
// ANCHOR_END: broken

// ANCHOR: fixed
/// A guard for an item that was taken. However the worker leaves, this is dropped, and
/// reports the item as done. (`Queue::done_on_drop` returns such a guard.)
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
// ANCHOR_END: fixed

// ANCHOR: run
/// Starts three workers, with an order for each, and waits until all orders are done.
fn run(executor: &Executor, is_fixed: bool) -> Result<(), Stuck> {
    let orders = Orders::new(Queue::new());
    let start = |_| match is_fixed {
        false => executor.spawn(work(Rc::clone(&orders))),
        true => executor.spawn(work_with_guard(Rc::clone(&orders))),
    };
    let workers: Vec<_> = (1..=ORDERS.len()).map(start).collect();
    executor.block_on(async {
        ORDERS.into_iter().for_each(|order| orders.put(order));
        orders.join().await;
        println!("  joined");
        for (number, worker) in (1..).zip(workers) {
            worker.cancel(); // a task that has ended keeps its result
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
    println!("fixed:");
    Ok(run(&executor, true)?)
}
// ANCHOR_END: main
