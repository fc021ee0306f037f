//! `yield from`: a parent stays where it is, while each resume moves its child on.
//!
//! `cargo run -p stage2-generators --example ch12_yield_from`
//!
//! The original explains `yield from` with two such functions: one pauses twice and
//! returns a text, the other waits for it with `yield from` and prints what it returns.

// From here on the steps run on the crate's own machine (`src/coroutine.rs`,
// `src/event_loop.rs`). It is that of chapter 11, with two differences: `resume` has
// one more parameter, which is always `Resume::Send` ("go on") in this chapter, and a
// coroutine is handed the whole loop, which owns the futures.
use shared::{Stop, Trace};
use stage2_generators::{Coroutine, Loop, Result, Resume, Step};
use std::fmt::Debug;
use std::io;

// ANCHOR: child
/// Waits twice, and then returns a text. It relies on being resumed only when its
/// future is resolved, and never after its end: a task drops what has returned.
#[derive(Debug)]
enum GenFn {
    Start,
    FirstYield,
    SecondYield,
}

impl Coroutine for GenFn {
    type Return = Result<&'static str>;

    fn resume(&mut self, event_loop: &mut Loop, _: Resume) -> Step<Self::Return> {
        *self = match self {
            GenFn::Start => GenFn::FirstYield,
            GenFn::FirstYield => GenFn::SecondYield,
            GenFn::SecondYield => return Step::Return(Ok("done")),
        };
        Step::Yield(event_loop.new_future())
    }
}
// ANCHOR_END: child

// ANCHOR: parent
/// Waits for a `GenFn`. While it is paused, it holds the frame of that child.
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
                // These four lines are the same each time, so a macro writes them:
                // let value = yield_from!(child, event_loop, resume);
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
/// All that can be seen of a coroutine from outside: its steps.
type Seen = Vec<Step<Result<&'static str>>>;

/// Resumes a coroutine until it returns, and resolves each future at once.
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
            event_loop.resolve(future);
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
