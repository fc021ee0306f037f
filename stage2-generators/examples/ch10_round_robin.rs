//! A scheduler is a queue: take the first task, resume it, and put it back at the end.
//!
//! `cargo run -p stage2-generators --example ch10_round_robin`

use std::collections::VecDeque;
use std::mem;

/// A function that pauses: the trait of `ch09_generator`.
trait Generator {
    type Sent;
    type Yielded;
    type Returned;

    fn resume(
        &mut self,
        sent: Self::Sent,
    ) -> Result<Step<Self::Yielded, Self::Returned>, Finished>;
}

enum Step<Yielded, Returned> {
    Yield(Yielded),
    Return(Returned),
}

#[derive(Debug)]
struct Finished;

// ANCHOR: frames
/// The frame of `countdown(n)`.
enum Countdown {
    Start { n: u32 },
    AtYield { n: u32 },
    Done,
}

/// The frame of `countup(n)`: `x` goes from 0 up to `n`.
enum Countup {
    Start { n: u32 },
    AtYield { x: u32, n: u32 },
    Done,
}
// ANCHOR_END: frames

// ANCHOR: countdown
impl Generator for Countdown {
    type Sent = ();
    type Yielded = ();
    type Returned = ();

    fn resume(&mut self, _: ()) -> Result<Step<(), ()>, Finished> {
        let n = match mem::replace(self, Countdown::Done) {
            Countdown::Start { n } => n,
            Countdown::AtYield { n } => n - 1,
            Countdown::Done => return Err(Finished),
        };
        if n > 0 {
            println!("T-minus {n}");
            *self = Countdown::AtYield { n };
            return Ok(Step::Yield(()));
        }
        println!("Blastoff!");
        Ok(Step::Return(()))
    }
}
// ANCHOR_END: countdown

// ANCHOR: countup
impl Generator for Countup {
    type Sent = ();
    type Yielded = ();
    type Returned = ();

    fn resume(&mut self, _: ()) -> Result<Step<(), ()>, Finished> {
        let (x, n) = match mem::replace(self, Countup::Done) {
            Countup::Start { n } => (0, n),
            Countup::AtYield { x, n } => (x + 1, n),
            Countup::Done => return Err(Finished),
        };
        if x < n {
            println!("Counting up {x}");
            *self = Countup::AtYield { x, n };
            return Ok(Step::Yield(()));
        }
        Ok(Step::Return(())) // its last turn prints nothing
    }
}
// ANCHOR_END: countup

// ANCHOR: scheduler
/// Any generator that is sent nothing, yields nothing and returns nothing.
type Task = Box<dyn Generator<Sent = (), Yielded = (), Returned = ()>>;

/// Owns the tasks that have not returned yet, in the order of their next turns.
#[derive(Default)]
struct TaskScheduler {
    queue: VecDeque<Task>,
}

impl TaskScheduler {
    fn new_task(&mut self, task: Task) {
        self.queue.push_back(task);
    }
    // ANCHOR_END: scheduler

    // ANCHOR: run
    /// Runs until every task has returned. After its turn a task is last in the queue.
    fn run(&mut self) {
        while let Some(mut task) = self.queue.pop_front() {
            match task.resume(()).expect("a task that returned is dropped") {
                Step::Yield(()) => self.queue.push_back(task),
                Step::Return(()) => {} // it is dropped
            }
        }
    }
    // ANCHOR_END: run
}

// ANCHOR: main
fn main() {
    let mut scheduler = TaskScheduler::default();
    scheduler.new_task(Box::new(Countdown::Start { n: 10 }));
    scheduler.new_task(Box::new(Countdown::Start { n: 5 }));
    scheduler.new_task(Box::new(Countup::Start { n: 15 }));
    scheduler.run();
}
// ANCHOR_END: main
