//! A generator by hand: an enum that says where it stands, and holds what lives there.
//!
//! `cargo run -p stage2-generators --example ch09_generator`
//!
//! In Python it would be:
//!
//! ```python
//! def gen_fn():
//!     result = yield 1
//!     print('result of yield:', result)
//!     result2 = yield 2
//!     print('result of 2nd yield:', result2, 'after', result)
//!     return 'done'
//! ```

use std::mem;

// ANCHOR: generator
/// A function that pauses: each `resume` runs it to its next `yield`, or to its end.
trait Generator {
    /// What `yield` gives to the function when it is resumed.
    type Sent;
    /// What `yield` gives to whoever has resumed it.
    type Yielded;
    /// What its last `resume` gives.
    type Returned;

    /// Python's `gen.send(sent)`. In Rust `gen` is a reserved word.
    fn resume(
        &mut self,
        sent: Self::Sent,
    ) -> Result<Step<Self::Yielded, Self::Returned>, Finished>;
}

/// How far one `resume` went.
enum Step<Yielded, Returned> {
    Yield(Yielded),
    Return(Returned), // StopIteration(returned)
}

/// It had returned before: nothing is left to resume. (In Python: StopIteration again.)
struct Finished;
// ANCHOR_END: generator

// ANCHOR: state
/// The frame of `gen_fn`. The variant is its `f_lasti`, the fields are its locals.
#[derive(Debug)]
enum GenFn {
    /// Nothing has run. `f_lasti` is -1.
    Start,
    /// Stands at `yield 1`. No local is there yet.
    FirstYield,
    /// Stands at `yield 2`. The last `print` will need `result`: it lives on.
    SecondYield { result: Option<&'static str> },
    /// Has returned. No local is left.
    Done,
}

/// Only creates: none of its code runs before the first `resume`. In Python a flag on
/// the code tells that it is a generator (`co_flags`), in Rust the type does.
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
        // The frame is taken out. Who yields puts back the one to go on with.
        match mem::replace(self, GenFn::Done) {
            // No `yield` waits for what is sent. Python allows only None here.
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
