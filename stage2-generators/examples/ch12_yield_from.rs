//! `yield from`: a parent stands still, and whoever resumes it moves its child.
//!
//! `cargo run -p stage2-generators --example ch12_yield_from`
//!
//! In Python it would be:
//!
//! ```python
//! def gen_fn():
//!     yield Future()
//!     yield Future()
//!     return 'done'
//!
//! def caller_fn():
//!     value = yield from gen_fn()
//!     print('yield from gives', value)
//!     return value
//! ```

// From here on the machine is the crate's own. It is that of chapter 11, and `resume`
// has a second parameter: `Send` goes on, `Throw` fails the wait. The loop that it gets
// owns the futures. (`src/coroutine.rs`, `src/event_loop.rs`)
use shared::{Stop, Trace};
use stage2_generators::{Coroutine, Loop, Result, Resume, Step};
use std::fmt::Debug;
use std::io;

// ANCHOR: child
/// The frame of `gen_fn`. It trusts that nobody resumes it before its future is
/// resolved; nor after its end: a task drops what has returned. So no `Done` any more.
#[derive(Debug)]
enum GenFn {
    Start,
    FirstYield,
    SecondYield,
}

impl Coroutine for GenFn {
    type Return = Result<&'static str>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        // An error may be thrown into any coroutine: the next chapter needs that.
        if let Resume::Throw(error) = resume {
            return Step::Return(Err(error));
        }
        *self = match self {
            GenFn::Start => GenFn::FirstYield,
            GenFn::FirstYield => GenFn::SecondYield,
            GenFn::SecondYield => return Step::Return(Ok("done")),
        };
        Step::Yield(event_loop.new_future()) // yield Future()
    }
}
// ANCHOR_END: child

// ANCHOR: parent
/// The frame of `caller_fn`. Where it pauses it holds the frame of its child.
#[derive(Debug)]
enum CallerFn {
    Start,
    AtYieldFrom(GenFn),
}

// ANCHOR_END: parent

// ANCHOR: yield_from
impl Coroutine for CallerFn {
    type Return = Result<&'static str>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        match self {
            CallerFn::Start => {
                *self = CallerFn::AtYieldFrom(GenFn::Start);
                self.resume(event_loop, resume)
            }
            CallerFn::AtYieldFrom(child) => {
                // value = yield from child. These lines are the same each time, so
                // a macro writes them: `yield_from!(child, event_loop, resume)`.
                let value = match child.resume(event_loop, resume) {
                    Step::Yield(future) => return Step::Yield(future),
                    Step::Return(value) => value,
                };
                print!("yield from gives {value:?}, ");
                Step::Return(value)
            }
        }
    }
}
// ANCHOR_END: yield_from

// ANCHOR: drive
/// What can be seen of a coroutine from outside: all its steps.
type Seen = Vec<Step<Result<&'static str>>>;

/// Resumes a coroutine until it returns. Which one it is makes no difference here.
fn drive(
    mut coroutine: impl Coroutine<Return = Result<&'static str>> + Debug,
) -> io::Result<Seen> {
    let mut event_loop = Loop::new(&Stop::new(), Trace::off())?;
    let mut seen = Vec::new();
    loop {
        print!("  resumed at {coroutine:?}: ");
        let step = coroutine.resume(&mut event_loop, Resume::Send);
        println!("{step:?}");
        if let Step::Yield(future) = step {
            event_loop.resolve(future); // what it waits for happens at once
        }
        let is_over = matches!(step, Step::Return(_));
        seen.push(step);
        if is_over {
            return Ok(seen);
        }
    }
}
// ANCHOR_END: drive

// ANCHOR: main
fn main() -> io::Result<()> {
    println!("the parent:");
    let parent = drive(CallerFn::Start)?;
    println!("the child alone:");
    let child = drive(GenFn::Start)?;
    let verdict = if parent == child { "the same" } else { "something else" };
    println!("seen from outside, the parent does {verdict}");
    Ok(())
}
// ANCHOR_END: main
