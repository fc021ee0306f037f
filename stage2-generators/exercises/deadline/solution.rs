//! A deadline for a child.
// hole 2
//| //!
//| //! `Loop` has `now`, `timers.clear`, and `throw_at`, which sets a timer that throws
//| //! into the current task. They are in
//| //! `tests/exercises/checks/src/toy/event_loop.rs`. `Coroutine`, `Resume` and `Step` are
//| //! in `coroutines.rs` beside it. The other types are in
//| //! `tests/exercises/checks/src/exercises/deadline.rs`.
// end hole

use checks::deadline::{Child, Coroutine, Deadline, FetchError, TimerId};
use checks::deadline::{Loop, Result, Resume, Step};
use checks::yield_from;

struct Mine;

impl Deadline for Mine {
    fn within(time: u64, child: Child) -> impl Coroutine<Return = Result<u32>> {
        Within { time, child, timer: None }
    }
}

// ANCHOR: solution
/// Waits for a child, no longer than `time`.
struct Within {
    time: u64,
    child: Child,
    /// The timer that throws, or `None` if the child has not begun.
    timer: Option<TimerId>,
}

impl Coroutine for Within {
    type Return = Result<u32>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<u32>> {
        // hole 2
        //| todo!("set the timer, once; wait for the child; clear the timer")
        let timer = *self.timer.get_or_insert_with(|| {
            let late = FetchError::TimedOut(self.time);
            event_loop.throw_at(event_loop.now() + self.time, late)
        });
        let result = yield_from!(self.child, event_loop, resume);
        // hole 1
        //| let _ = timer;
        //| todo!("the child has ended: clear the timer, and return {result:?}")
        event_loop.timers.clear(timer);
        Step::Return(result)
        // end hole
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::deadline::check::<Mine>()
}
