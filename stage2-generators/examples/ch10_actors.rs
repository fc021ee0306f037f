//! Actors are generators that wait for messages, and a queue replaces the stack.
//!
//! `cargo run -p stage2-generators --example ch10_actors`

use std::collections::{HashMap, HashSet, VecDeque};
use std::hint::black_box;

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

struct Finished;

// ANCHOR: counter
/// The name of the receiver, and a number.
type Message = (&'static str, u32);

/// Sends the number it receives to the printer, and that number minus one to itself: it
/// calls itself by message. When it receives 0 it returns.
enum Counter {
    Receiving,
    Done,
}
// ANCHOR_END: counter

// ANCHOR: count
impl Generator for Counter {
    type Sent = u32;
    type Yielded = Vec<Message>;
    type Returned = ();

    fn resume(&mut self, n: u32) -> Result<Step<Vec<Message>, ()>, Finished> {
        match self {
            Counter::Receiving if n > 0 => {
                Ok(Step::Yield(vec![("printer", n), ("counter", n - 1)]))
            }
            Counter::Receiving => {
                *self = Counter::Done;
                Ok(Step::Return(()))
            }
            Counter::Done => Err(Finished),
        }
    }
}
// ANCHOR_END: count

// ANCHOR: printer
/// Prints the first messages and the last ones. It never returns and pauses in only one
/// place, so it needs no variants.
#[derive(Default)]
struct Printer {
    received: u32,
    depths: HashSet<usize>,
}

impl Generator for Printer {
    type Sent = u32;
    type Yielded = Vec<Message>;
    type Returned = ();

    fn resume(&mut self, n: u32) -> Result<Step<Vec<Message>, ()>, Finished> {
        self.received += 1;
        self.depths.insert(depth_of_stack());
        if self.received <= 3 || n <= 1 {
            let (messages, depths) = (self.received, self.depths.len());
            println!("Got: {n} (messages: {messages}, depths of the stack: {depths})");
        }
        Ok(Step::Yield(vec![]))
    }
}
// ANCHOR_END: printer

// ANCHOR: depth
/// Where the stack ends now: the address of a local of the innermost call.
#[inline(never)]
fn depth_of_stack() -> usize {
    let local = 7;
    black_box(&raw const local).addr()
}

/// The counter without a queue: each message is a call inside the previous one.
#[inline(never)]
fn count_by_calls(n: u32, depths: &mut HashSet<usize>) {
    depths.insert(depth_of_stack());
    if n > 1 {
        count_by_calls(n - 1, depths);
    }
    // Without this, the optimizer would turn the calls into a loop.
    black_box(n);
}
// ANCHOR_END: depth

// ANCHOR: scheduler
/// Any generator that is sent a number, and yields messages.
type Actor = Box<dyn Generator<Sent = u32, Yielded = Vec<Message>, Returned = ()>>;

/// Owns the actors and the queue. An actor yields its messages, and the scheduler puts
/// them into the queue.
#[derive(Default)]
struct ActorScheduler {
    actors: HashMap<&'static str, Actor>,
    messages: VecDeque<Message>,
}

impl ActorScheduler {
    fn new_actor(&mut self, name: &'static str, actor: Actor) {
        self.actors.insert(name, actor);
    }

    fn send(&mut self, to: &'static str, number: u32) {
        self.messages.push_back((to, number));
    }
    // ANCHOR_END: scheduler

    // ANCHOR: run
    /// Runs until no message is left. A message that cannot be delivered is reported.
    fn run(&mut self) {
        while let Some((to, number)) = self.messages.pop_front() {
            let Some(actor) = self.actors.get_mut(to) else {
                println!("no actor is called {to}: {number} is lost");
                continue;
            };
            match actor.resume(number) {
                Ok(Step::Yield(messages)) => self.messages.extend(messages),
                Ok(Step::Return(())) => println!("{to} ends"),
                Err(Finished) => println!("{to} has ended: {number} is lost"),
            }
        }
    }
    // ANCHOR_END: run
}

// ANCHOR: main
fn main() {
    let mut scheduler = ActorScheduler::default();
    scheduler.new_actor("printer", Box::new(Printer::default()));
    scheduler.new_actor("counter", Box::new(Counter::Receiving));
    scheduler.send("counter", 10_000);
    scheduler.send("logger", 7);
    scheduler.run();

    scheduler.send("counter", 3);
    scheduler.send("printer", 0);
    scheduler.run();

    let mut depths = HashSet::new();
    count_by_calls(100, &mut depths);
    println!("by calls (messages: 100, depths of the stack: {})", depths.len());
}
// ANCHOR_END: main
