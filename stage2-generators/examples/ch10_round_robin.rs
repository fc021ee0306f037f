//! A scheduler is a queue: take the first task, resume it once, put it back at the end.
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
            Countdown::AtYield { n } => n - 1, // n -= 1
            Countdown::Done => return Err(Finished),
        };
        // while n > 0:
        if n > 0 {
            println!("T-minus {n}");
            *self = Countdown::AtYield { n };
            return Ok(Step::Yield(())); // yield
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
            Countup::Start { n } => (0, n),          // x = 0
            Countup::AtYield { x, n } => (x + 1, n), // x += 1
            Countup::Done => return Err(Finished),
        };
        // while x < n:
        if x < n {
            println!("Counting up {x}");
            *self = Countup::AtYield { x, n };
            return Ok(Step::Yield(())); // yield
        }
        Ok(Step::Return(())) // its last turn says nothing
    }
}
// ANCHOR_END: countup

// ANCHOR: scheduler
/// Tasks of different types, so they are boxed. None is sent or yields anything.
type Task = Box<dyn Generator<Sent = (), Yielded = (), Returned = ()>>;

/// Owns the tasks that have not returned yet, in the order of their turns.
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
    /// Runs until every task has returned: one turn for the first, which then is last.
    fn run(&mut self) {
        while let Some(mut task) = self.queue.pop_front() {
            match task.resume(()).expect("who has returned is not in the queue") {
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
