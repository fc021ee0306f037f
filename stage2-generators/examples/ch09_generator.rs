//! A generator by hand: an enum stores where it is paused, and what is alive there.
//!
//! `cargo run -p stage2-generators --example ch09_generator`
//!
//! The original explains generators with a function `gen_fn`, which yields 1, prints
//! what it is sent, yields 2, prints again, and returns a text. This is that function.

use std::mem;

// ANCHOR: generator
/// A function that pauses.
trait Generator {
    /// What goes in: the result of the `yield` where it was paused.
    type Sent;
    /// What comes out at a `yield`.
    type Yielded;
    /// What comes out at the end.
    type Returned;

    /// Runs to the next `yield`, or to the end.
    fn resume(
        &mut self,
        sent: Self::Sent,
    ) -> Result<Step<Self::Yielded, Self::Returned>, Finished>;
}

/// Where a `resume` has stopped.
enum Step<Yielded, Returned> {
    Yield(Yielded),
    Return(Returned),
}

/// The generator had returned before: nothing is left to resume.
struct Finished;
// ANCHOR_END: generator

// ANCHOR: state
/// The frame of `gen_fn`: the variant is the place, the fields are the locals.
#[derive(Debug)]
enum GenFn {
    /// Nothing has run.
    Start,
    /// Paused at `yield 1`. There is no local yet.
    FirstYield,
    /// Paused at `yield 2`. The last `println!` needs `result`.
    SecondYield { result: Option<&'static str> },
    /// Has returned. No local is left.
    Done,
}

/// Makes a generator, and runs none of its code.
fn gen_fn() -> GenFn {
    GenFn::Start
}
// ANCHOR_END: state

impl Generator for GenFn {
    type Sent = Option<&'static str>;
    type Yielded = u32;
    type Returned = &'static str;

    // ANCHOR: resume
    fn resume(
        &mut self,
        sent: Self::Sent,
    ) -> Result<Step<u32, &'static str>, Finished> {
        // Takes the frame out. An arm that yields stores the next one.
        match mem::replace(self, GenFn::Done) {
            // ANCHOR: arms
            // No `yield` is waiting for a value yet, so `sent` is ignored.
            GenFn::Start => {
                *self = GenFn::FirstYield;
                Ok(Step::Yield(1))
            }
            GenFn::FirstYield => {
                let result = sent;
                println!("  result of yield: {result:?}");
                *self = GenFn::SecondYield { result };
                Ok(Step::Yield(2))
            }
            GenFn::SecondYield { result } => {
                let result2 = sent;
                println!("  result of 2nd yield: {result2:?} after {result:?}");
                Ok(Step::Return("done"))
            }
            GenFn::Done => Err(Finished),
            // ANCHOR_END: arms
        }
    }
    // ANCHOR_END: resume
}

// ANCHOR: main
fn main() {
    let mut one = gen_fn();
    let mut two = gen_fn();
    println!("created: one is {one:?}, two is {two:?}");
    send("one", &mut one, None);
    send("one", &mut one, Some("hello"));
    send("two", &mut two, None);
    send("one", &mut one, Some("goodbye"));
    send("one", &mut one, None);
    println!("and two is {two:?}");
}

fn send(name: &str, generator: &mut GenFn, sent: Option<&'static str>) {
    println!("{name} is {generator:?}, send {sent:?}");
    match generator.resume(sent) {
        Ok(Step::Yield(number)) => println!("  yields {number}"),
        Ok(Step::Return(text)) => println!("  returns {text:?}"),
        Err(Finished) => println!("  error: it has returned already"),
    }
}
// ANCHOR_END: main
