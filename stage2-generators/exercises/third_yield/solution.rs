//! A generator with three pauses.

use checks::third_yield::{Finished, Generator, Step};
use std::mem;

// ANCHOR: solution
enum GenFn {
    Start,
    FirstYield,
    SecondYield { result: &'static str },
    ThirdYield { result: &'static str, result2: &'static str },
    Done,
}

impl Generator for GenFn {
    fn new() -> GenFn {
        GenFn::Start
    }

    fn resume(&mut self, sent: &'static str) -> Result<Step, Finished> {
        match mem::replace(self, GenFn::Done) {
            GenFn::Start => {
                *self = GenFn::FirstYield;
                Ok(Step::Yield(1))
            }
            GenFn::FirstYield => {
                *self = GenFn::SecondYield { result: sent };
                Ok(Step::Yield(2))
            }
            GenFn::SecondYield { result } => {
                *self = GenFn::ThirdYield { result, result2: sent };
                Ok(Step::Yield(3))
            }
            GenFn::ThirdYield { result, result2 } => {
                Ok(Step::Return(format!("{result} {result2} {sent}")))
            }
            GenFn::Done => Err(Finished),
        }
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::third_yield::check::<GenFn>()
}
