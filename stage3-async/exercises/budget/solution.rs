//! A budget for each turn, so that a task that never has to wait lets others run.

use checks::budget::Budget;
use std::cell::Cell;
use std::pin::Pin;
use std::task::{Context, Poll};

thread_local! {
    /// What is left for the turn that runs on this thread. `None` if there is no limit.
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
}

struct Mine;

#[derive(Default)]
struct Draw {
    is_drawn: bool,
}

// ANCHOR: solution
// hole 2
/// The budget of the surrounding turn. Its drop puts that back, even on a panic.
struct Restore(Option<u32>);

impl Drop for Restore {
    fn drop(&mut self) {
        LEFT.set(self.0);
    }
}

// end hole
impl Budget for Mine {
    type Draw = Draw;

    fn draw() -> Draw {
        Draw::default()
    }

    fn turn<T>(units: u32, poll: impl FnOnce() -> T) -> T {
        // hole 2
        //| todo!("poll with {units} units, and then put back what was left before")
        // hole 1
        //| // Yours: set the {units}; `Restore` puts back what was left before.
        let _restore = Restore(LEFT.replace(Some(units)));
        // end hole
        poll()
        // end hole
    }
}

impl Future for Draw {
    type Output = ();

    // hole 2
    //| fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
    //|     todo!("draw one unit, once; if none is left, end the turn")
    //| }
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.is_drawn {
            return Poll::Ready(());
        }
        self.is_drawn = true;
        let left = LEFT.get();
        if left == Some(0) {
            // hole 1
            //| todo!("end the turn; what polls this task again?")
            cx.waker().wake_by_ref();
            return Poll::Pending;
            // end hole
        }
        LEFT.set(left.map(|left| left - 1));
        Poll::Ready(())
    }
    // end hole
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::budget::check::<Mine>()
}
