//! What a task weighs that waits: ours beside Tokio's, smol's and futures'.
//!
//! `cargo measure parked [--quick] [--json]`
//! Each task's future is a pointer large (8 bytes), and has left its waker outside. Bytes
//! are those that were asked for and not given back when all tasks wait.

mod peers;

use compare::machine::Machine;
use futures::executor::LocalSpawner;
use peers::{Bare, Measured, Peer, Smol, TokioLocal, TokioSet, yield_now};
use stage3_async::Executor;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// What a task costs: bytes and allocations that it holds, and allocations that were made
/// on the way, those included.
type Cost = [f64; 3];

const WHAT: [&str; 3] = ["bytes", "allocations held", "allocations made"];

/// Measures so many tasks, whose handles are kept or not.
type Measure = fn(usize, bool) -> Cost;

/// Ours, and then the others.
const EXECUTORS: [Measured<Measure>; 6] = [
    Measured::new::<Executor>(measure::<Executor>),
    Measured::new::<TokioSet>(measure::<TokioSet>),
    Measured::new::<TokioLocal>(measure::<TokioLocal>),
    Measured::new::<Smol>(measure::<Smol>),
    Measured::new::<Bare>(measure::<Bare>),
    Measured::new::<LocalSpawner>(measure::<LocalSpawner>),
];

fn main() {
    let tasks = if peers::has_flag("--quick") { 1_000 } else { 10_000 };
    let is_json = peers::has_flag("--json");
    if !is_json {
        println!("<!-- $ cargo measure parked -->");
        println!("{}; each of {tasks} parked tasks\n", Machine::this());
        println!("{}", peers::table_head("", &EXECUTORS));
    }
    for (handle, keeps) in [("no handle", false), ("handle kept", true)] {
        let costs = EXECUTORS.map(|Measured { measure, .. }| {
            measure(tasks, keeps); // what is made once is made now
            measure(tasks, keeps)
        });
        for (index, unit) in WHAT.iter().enumerate() {
            let case = format!("{unit}, {handle}");
            print(&case, &costs.map(|cost| cost[index]), is_json);
        }
    }
}

fn print(case: &str, numbers: &[f64; EXECUTORS.len()], is_json: bool) {
    if !is_json {
        let cell = |which: usize| format!("{:.1}", numbers[which]);
        return println!("{}", peers::table_row(case, &EXECUTORS, numbers, cell));
    }
    for (executor, number) in EXECUTORS.iter().zip(numbers) {
        let (peer, each) = (executor.name, number);
        println!("{}", serde_json::json!({ "case": case, "peer": peer, "each": each }));
    }
}

/// Leaves its waker here when it is polled, and waits for ever.
struct Parked(Rc<RefCell<Vec<Waker>>>);

impl Future for Parked {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.0.borrow_mut().push(cx.waker().clone());
        Poll::Pending
    }
}

fn measure<P: Peer>(tasks: usize, keeps: bool) -> Cost {
    P::run(|peer| async move {
        let wakers = Rc::new(RefCell::new(Vec::with_capacity(tasks)));
        let region = Region::new(COUNTED);
        let mut handles = Vec::with_capacity(if keeps { tasks } else { 0 });
        for _ in 0..tasks {
            let future = Parked(Rc::clone(&wakers));
            match keeps {
                true => handles.push(peer.spawn(future)),
                false => peer.spawn_detached(future),
            }
        }
        while wakers.borrow().len() < tasks {
            yield_now().await;
        }
        let change = region.change();
        let held = change.allocations - change.deallocations;
        let bytes = change.bytes_allocated - change.bytes_deallocated;
        let made = change.allocations + change.reallocations;
        [bytes, held, made].map(|sum| sum as f64 / tasks as f64)
    })
}
