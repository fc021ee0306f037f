//! A generator with three pauses.
// hole 2
//| //!
//| //! The one below has two. Add the third, so that it does what this function would do:
//| //!
//| //! ```text
//| //! let result = yield 1;
//| //! let result2 = yield 2;
//| //! let result3 = yield 3;
//| //! return format!("{result} {result2} {result3}");
//| //! ```
// end hole

use checks::third_yield::{Finished, Generator, Step};
use std::mem;

// ANCHOR: solution
enum GenFn {
    Start,
    FirstYield,
    SecondYield { result: &'static str },
    // hole 2
    ThirdYield { result: &'static str, result2: &'static str },
    // end hole
    Done,
}

// ANCHOR: task
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
            // hole 2
            //| GenFn::SecondYield { result } => {
            //|     Ok(Step::Return(format!("{result} {sent}")))
            //| }
            GenFn::SecondYield { result } => {
                // hole 1
                //| todo!("yield 3; what must be kept? {result}, {sent}")
                *self = GenFn::ThirdYield { result, result2: sent };
                Ok(Step::Yield(3))
                // end hole
            }
            GenFn::ThirdYield { result, result2 } => {
                // hole 1
                //| todo!("return {result}, {result2} and {sent}")
                Ok(Step::Return(format!("{result} {result2} {sent}")))
                // end hole
            }
            // end hole
            GenFn::Done => Err(Finished),
        }
    }
}
// ANCHOR_END: task
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::third_yield::check::<GenFn>()
}
