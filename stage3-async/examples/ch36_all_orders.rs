//! All orders in which an executor and the threads that wake its task can take steps.
//!
//! `cargo run -p stage3-async --example ch36_all_orders [AnnouncedLast|LoweredLast]`

use std::collections::HashMap;
use std::env;

// ANCHOR: model
/// Threads that take their steps in some order, on shared memory.
trait Model: Clone {
    fn threads(&self) -> usize;
    /// Lets a thread take its next step, and returns the name of the step; `None` if
    /// the thread has ended, or has to wait for another.
    fn step(&mut self, thread: usize) -> Option<&'static str>;
    /// Whether it is right to end like this: no thread can take a step.
    fn is_right(&self) -> bool;
}
// ANCHOR_END: model

#[derive(Default)]
struct Found {
    orders: u64,
    wrong: u64,
    /// Of the shortest orders that end wrong, the first that was found.
    shortest: Option<Vec<&'static str>>,
}

// ANCHOR: explore
/// Goes through all orders that begin with `order`, which has led to this `model`.
fn explore<M: Model>(model: &M, order: &mut Vec<&'static str>, found: &mut Found) {
    let mut is_over = true;
    for thread in 0..model.threads() {
        let mut next = model.clone();
        if let Some(step) = next.step(thread) {
            is_over = false;
            order.push(step);
            explore(&next, order, found);
            order.pop();
        }
    }
    if is_over {
        found.orders += 1;
        if !model.is_right() {
            found.wrong += 1;
            if found.shortest.as_ref().is_none_or(|it| order.len() < it.len()) {
                found.shortest = Some(order.clone());
            }
        }
    }
}
// ANCHOR_END: explore

/// What is different from `stage3-async/src/machine/ready.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Change {
    None,
    /// The executor does not look into the queue again before it sleeps.
    NoSecondLook,
    /// It looks first, and then announces that it sleeps.
    AnnouncedLast,
    /// `is_queued` is lowered after the poll, and not before.
    LoweredLast,
}

/// What the executor does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ExecutorStep {
    Take,
    Lower,
    Poll,
    LowerLate,
    Announce,
    Look,
    AnnounceLate,
    Sleep,
    End,
}

/// What a thread that wakes the task does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum WakerStep {
    Letter,
    Push,
    Alarm,
    End,
}

/// The ready queue: one task that waits for a letter of each of the other threads.
// ANCHOR: state
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ReadyQueue {
    change: Change,
    executor: ExecutorStep,
    wakers: Vec<WakerStep>,
    letters: usize,
    is_in_queue: bool,
    is_queued: bool,
    is_sleeping: bool,
    is_alarmed: bool,
}
// ANCHOR_END: state

impl ReadyQueue {
    /// A new task, which is in the queue.
    fn new(wakers: usize, change: Change) -> ReadyQueue {
        ReadyQueue {
            change,
            executor: ExecutorStep::Take,
            wakers: vec![WakerStep::Letter; wakers],
            letters: 0,
            is_in_queue: true,
            is_queued: true,
            is_sleeping: false,
            is_alarmed: false,
        }
    }

    /// The executor's step. Each is one operation that no other thread can interrupt.
    fn run(&mut self) -> Option<&'static str> {
        use ExecutorStep as Step;
        let change = self.change;
        let (step, next) = match self.executor {
            Step::Take if std::mem::take(&mut self.is_in_queue) => (
                "take",
                if change == Change::LoweredLast { Step::Poll } else { Step::Lower },
            ),
            Step::Take if change == Change::AnnouncedLast => ("take", Step::Look),
            Step::Take => ("take", Step::Announce),
            Step::Lower => {
                self.is_queued = false;
                ("lower", Step::Poll)
            }
            Step::Poll if self.letters == self.wakers.len() => ("poll", Step::End),
            Step::Poll if change == Change::LoweredLast => ("poll", Step::LowerLate),
            Step::Poll => ("poll", Step::Take),
            Step::LowerLate => {
                self.is_queued = false;
                ("lower", Step::Take)
            }
            Step::Announce | Step::AnnounceLate => {
                self.is_sleeping = true;
                let looks =
                    self.executor == Step::Announce && change != Change::NoSecondLook;
                ("announce", if looks { Step::Look } else { Step::Sleep })
            }
            Step::Look if self.is_in_queue => {
                self.is_sleeping = false;
                ("look", Step::Take)
            }
            Step::Look if change == Change::AnnouncedLast => {
                ("look", Step::AnnounceLate)
            }
            Step::Look => ("look", Step::Sleep),
            Step::Sleep if !self.is_alarmed => return None,
            Step::Sleep => {
                (self.is_alarmed, self.is_sleeping) = (false, false);
                ("woken", Step::Take)
            }
            Step::End => return None,
        };
        self.executor = next;
        Some(step)
    }

    // ANCHOR: wake
    /// The step of a thread that writes a letter and wakes the task.
    fn wake(&mut self, waker: usize) -> Option<&'static str> {
        let (step, next) = match self.wakers[waker] {
            WakerStep::Letter => {
                self.letters += 1;
                ("LETTER", WakerStep::Push)
            }
            // The task is queued already: a poll will follow.
            WakerStep::Push if self.is_queued => ("PUSH", WakerStep::End),
            WakerStep::Push => {
                (self.is_queued, self.is_in_queue) = (true, true);
                ("PUSH", WakerStep::Alarm)
            }
            WakerStep::Alarm => {
                self.is_alarmed |= std::mem::take(&mut self.is_sleeping);
                ("ALARM", WakerStep::End)
            }
            WakerStep::End => return None,
        };
        self.wakers[waker] = next;
        Some(step)
    }
    // ANCHOR_END: wake
}

impl Model for ReadyQueue {
    fn threads(&self) -> usize {
        1 + self.wakers.len()
    }

    fn step(&mut self, thread: usize) -> Option<&'static str> {
        if thread == 0 { self.run() } else { self.wake(thread - 1) }
    }

    fn is_right(&self) -> bool {
        self.executor == ExecutorStep::End
    }
}

/// The states of a model that were visited.
#[derive(Default)]
struct Visited {
    /// In how many orders the model can go on from each of them.
    orders: HashMap<ReadyQueue, u128>,
    /// In how many of them it ends, and is not right.
    wrong: usize,
}

/// Returns in how many orders a model can go on. Visits each state only once.
fn count(model: &ReadyQueue, visited: &mut Visited) -> u128 {
    if let Some(orders) = visited.orders.get(model) {
        return *orders;
    }
    let mut orders = 0;
    for thread in 0..model.threads() {
        let mut next = model.clone();
        if next.step(thread).is_some() {
            orders += count(&next, visited);
        }
    }
    if orders == 0 {
        orders = 1; // this is where an order ends
        visited.wrong += usize::from(!model.is_right());
    }
    visited.orders.insert(model.clone(), orders);
    orders
}

fn main() {
    match env::args().nth(1).as_deref() {
        Some("AnnouncedLast") => try_all(Change::AnnouncedLast),
        Some("LoweredLast") => try_all(Change::LoweredLast),
        _ => {
            try_all(Change::None);
            try_all(Change::NoSecondLook);
            count_all();
        }
    }
}

/// Goes through all orders of one waker.
fn try_all(change: Change) {
    let mut found = Found::default();
    explore(&ReadyQueue::new(1, change), &mut Vec::new(), &mut found);
    println!("{change:?}: {} of {} orders are wrong", found.wrong, found.orders);
    found.shortest.iter().for_each(|it| println!("  {}", it.join(" ")));
}

/// Visits all states of more and more wakers, and counts those that end wrong, and the
/// orders that lead through all of them.
fn count_all() {
    println!("wakers   states   wrong ends   orders");
    for wakers in 1..=5 {
        let mut visited = Visited::default();
        let orders = count(&ReadyQueue::new(wakers, Change::None), &mut visited);
        let (states, wrong) = (visited.orders.len(), visited.wrong);
        println!("{wakers:>6} {states:>8} {wrong:>12}   {orders}");
    }
}
