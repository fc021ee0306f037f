//! A budget for each turn, so that a task that never has to wait lets others run.

use checks::budget::Budget;
use std::cell::Cell;
use std::pin::Pin;
use std::task::{Context, Poll};

thread_local! {
    /// What is left for the turn that runs on this thread. `None`: there is no limit.
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
}

struct Mine;

#[derive(Default)]
struct Draw {
    is_drawn: bool,
}

// ANCHOR: task
impl Budget for Mine {
    type Draw = Draw;

    fn draw() -> Draw {
        Draw::default()
    }

    fn turn<T>(units: u32, poll: impl FnOnce() -> T) -> T {
        todo!("poll with {units} units, and then put back what was left before")
    }
}

impl Future for Draw {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        todo!("draw one unit, once; if none is left, end the turn")
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::budget::check::<Mine>()
}
