//! A task that blocks stops all tasks. A helper thread blocks instead, and wakes the
//! task.
//!
//! `cargo run -p stage3-async --example ch26_blocking`
//!
//! The tests run it alone: it counts ticks of a clock.
//! It does not run in a page: it uses threads.

use stage3_async::{Executor, Reactor};
use std::cell::Cell;
use std::error::Error;
use std::future::poll_fn;
use std::net::{IpAddr, Ipv4Addr};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};
use std::{io, thread};

// ANCHOR: look_up
/// Looks up the address of a name, as std and most systems do: the call blocks until
/// there is an answer. The sleep stands in for a slow name server.
fn look_up() -> IpAddr {
    thread::sleep(Duration::from_millis(200));
    Ipv4Addr::LOCALHOST.into()
}
// ANCHOR_END: look_up

// ANCHOR: ticker
/// Another task, with something to do every few milliseconds.
async fn tick(reactor: Reactor, ticks: Rc<Cell<u32>>) {
    loop {
        reactor.sleep_until(Instant::now() + Duration::from_millis(5)).await;
        ticks.set(ticks.get() + 1);
    }
}
// ANCHOR_END: ticker

// ANCHOR: set_once
/// What two threads share: the one place with a lock. (The crawler's is in
/// `src/extra/set_once.rs`, for any number of tasks that wait.)
struct SetOnce<T> {
    result: Option<thread::Result<T>>,
    waiter: Option<Waker>,
}

impl<T> SetOnce<T> {
    fn set(cell: &Mutex<SetOnce<T>>, result: thread::Result<T>) {
        let mut inside = cell.lock().expect(NOT_POISONED);
        inside.result = Some(result);
        let waiter = inside.waiter.take();
        drop(inside); // first unlocked, then woken
        waiter.into_iter().for_each(Waker::wake);
    }
}

const NOT_POISONED: &str = "nothing panics while it holds the lock";
// ANCHOR_END: set_once

// ANCHOR: unblock
/// Runs work that blocks on a new thread, and awaits its result.
async fn unblock<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
    reactor: &Reactor,
) -> io::Result<T> {
    let cell = Arc::new(Mutex::new(SetOnce { result: None, waiter: None }));
    let shared = Arc::clone(&cell);
    // While this guard exists, the executor waits. Otherwise it would report that it
    // is stuck.
    let _work = reactor.work_guard();
    thread::Builder::new().spawn(move || {
        SetOnce::set(&shared, catch_unwind(AssertUnwindSafe(work)));
    })?;
    let result = poll_fn(|cx| {
        let mut inside = cell.lock().expect(NOT_POISONED);
        if let Some(result) = inside.result.take() {
            return Poll::Ready(result);
        }
        inside.waiter = Some(cx.waker().clone()); // the latest waker counts
        Poll::Pending
    });
    // A panic of the thread goes on here, in the task that awaits the result.
    Ok(result.await.unwrap_or_else(|panic| resume_unwind(panic)))
}
// ANCHOR_END: unblock

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    let (reactor, ticks) = (executor.reactor(), Rc::new(Cell::new(0)));
    drop(executor.spawn(tick(reactor.clone(), Rc::clone(&ticks))));
    let with_ticker = executor.block_on(async {
        executor.spawn(async {}).await?; // polled after the ticker, which now sleeps
        println!("in the task: {}", look_up());
        println!("  ticks meanwhile: {}", ticks.get());
        println!("in a thread: {}", unblock(look_up, reactor).await?);
        println!("  ticks meanwhile, more than 3: {}", ticks.get() > 3);
        Ok::<(), Box<dyn Error>>(())
    })?;
    with_ticker?;
    // The ticker is dropped, and no task waits for a time or a socket any more. Without
    // the work guard the executor would report that it is stuck.
    let alone = executor.block_on(unblock(look_up, reactor))?;
    println!("in a thread, with no other task: {}", alone?);
    Ok(())
}
// ANCHOR_END: main
