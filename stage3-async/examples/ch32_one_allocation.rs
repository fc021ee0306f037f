//! A task in one allocation, in safe Rust: queue, wakers, and handle share it.
//!
//! `cargo run -p stage3-async --example ch32_one_allocation`
//!
//! Its output is compared on Linux only.
//! It does not run in a page: it counts what the real allocator gives, with
//! addresses of 8 bytes.

use stage3_async::{Executor, yield_now};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::collections::VecDeque;
use std::error::Error;
use std::pin::Pin;
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll, Wake, Waker};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const TASKS: usize = 1_000;
const NOT_POISONED: &str = "a task has panicked";

// ANCHOR: task
/// A whole task: how to queue it, and its future, or what it has left behind.
struct Task<F: Future> {
    /// Weak, because the queue holds tasks: a strong pointer would be a cycle.
    ready: Weak<ReadyQueue>,
    stage: Mutex<Stage<F>>,
}

enum Stage<F: Future> {
    Running(F),
    Ended(F::Output),
    Joined,
}

/// The ready queue sees a task without its type.
type ReadyQueue = Mutex<VecDeque<Arc<dyn Run>>>;

trait Run: Send + Sync {
    fn run(self: Arc<Self>);
}

/// A handle sees no more of it than the type of its output.
trait Join<T> {
    fn take(&self) -> Option<T>;
}
// ANCHOR_END: task

// ANCHOR: run
impl<F: Future<Output: Send> + Unpin + Send + 'static> Run for Task<F> {
    fn run(self: Arc<Self>) {
        let waker = Waker::from(Arc::clone(&self));
        let mut stage = self.stage.lock().expect(NOT_POISONED);
        let Stage::Running(future) = &mut *stage else { return };
        let poll = Pin::new(future).poll(&mut Context::from_waker(&waker));
        if let Poll::Ready(output) = poll {
            *stage = Stage::Ended(output); // the future is dropped in its place
        }
    }
}

impl<F: Future<Output: Send> + Unpin + Send + 'static> Wake for Task<F> {
    fn wake(self: Arc<Self>) {
        let Some(ready) = self.ready.upgrade() else { return };
        ready.lock().expect(NOT_POISONED).push_back(self);
    }
}
// ANCHOR_END: run

impl<F: Future> Join<F::Output> for Task<F> {
    fn take(&self) -> Option<F::Output> {
        let mut stage = self.stage.lock().expect(NOT_POISONED);
        match std::mem::replace(&mut *stage, Stage::Joined) {
            Stage::Ended(output) => Some(output),
            other => {
                *stage = other;
                None
            }
        }
    }
}

// ANCHOR: spawn
/// Makes one allocation, and returns it as a handle.
fn spawn<F>(future: F, ready: &Arc<ReadyQueue>) -> Arc<dyn Join<F::Output>>
where
    F: Future<Output: Send> + Unpin + Send + 'static,
{
    let stage = Mutex::new(Stage::Running(future));
    let task = Arc::new(Task { ready: Arc::downgrade(ready), stage });
    ready.lock().expect(NOT_POISONED).push_back(task.clone());
    task
}

/// Runs tasks until none is ready.
fn run(ready: &ReadyQueue) {
    loop {
        let next = ready.lock().expect(NOT_POISONED).pop_front();
        let Some(task) = next else { return };
        task.run();
    }
}
// ANCHOR_END: spawn

/// Leaves its waker outside when it is polled first, and is ready at the second poll.
struct Parked {
    wakers: Arc<Mutex<Vec<Waker>>>,
    is_polled: bool,
}

impl Future for Parked {
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        if self.is_polled {
            return Poll::Ready(42);
        }
        self.is_polled = true;
        self.wakers.lock().expect(NOT_POISONED).push(cx.waker().clone());
        Poll::Pending
    }
}

/// Prints what each task holds that was allocated since `region` began.
fn print_held(what: &str, region: &Region<System>) {
    let change = region.change();
    let held = change.allocations - change.deallocations;
    let bytes = change.bytes_allocated - change.bytes_deallocated;
    let each = held as f64 / TASKS as f64;
    println!("{what}\n  allocations {each:.2}, bytes {}", bytes / TASKS);
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("the future: bytes {}", size_of::<Parked>());
    let wakers = Arc::new(Mutex::new(Vec::with_capacity(TASKS)));
    let parked = || Parked { wakers: Arc::clone(&wakers), is_polled: false };
    let take_wakers = || wakers.lock().expect(NOT_POISONED).split_off(0);

    let executor = Executor::new()?;
    executor.block_on(async {
        let region = Region::new(COUNTED);
        (0..TASKS).for_each(|_| drop(executor.spawn(parked())));
        yield_now().await; // polled last, so now all of them wait
        print_held("stage 3", &region);
    })?;
    drop(take_wakers());

    // ANCHOR: measure
    let ready = Arc::new(ReadyQueue::new(VecDeque::with_capacity(TASKS)));
    let region = Region::new(COUNTED);
    (0..TASKS).for_each(|_| drop(spawn(Box::pin(parked()), &ready)));
    run(&ready);
    print_held("one Arc, and a pinned box", &region);
    drop(take_wakers());
    let region = Region::new(COUNTED);
    (0..TASKS).for_each(|_| drop(spawn(parked(), &ready)));
    run(&ready);
    print_held("one Arc", &region);
    // ANCHOR_END: measure
    drop(take_wakers());

    let joined = spawn(parked(), &ready);
    run(&ready);
    let before = joined.take();
    take_wakers().into_iter().for_each(Waker::wake);
    run(&ready);
    println!(
        "take: {before:?}, woken: {:?}, again: {:?}",
        joined.take(),
        joined.take()
    );
    Ok(())
}
