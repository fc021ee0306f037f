//! A clock that jumps to the next timer when no task is ready.

use checks::virtual_clock::{Tasks, VirtualClock};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::task::Waker;

#[derive(Default)]
struct Inner {
    now: Cell<u64>,
    /// When each timer is due, and its number.
    timers: RefCell<BTreeMap<(u64, u64), Waker>>,
    /// The number of the latest timer.
    latest: Cell<u64>,
}

#[derive(Clone)]
struct Mine(Rc<Inner>);

// ANCHOR: solution
impl Mine {
    /// Jumps to the next timer, and calls its waker. Returns whether there was one.
    fn jump(&self) -> bool {
        // hole 2
        //| todo!("take the first timer, set the time, and call the waker")
        let first = self.0.timers.borrow_mut().pop_first();
        let Some(((when, _), waker)) = first else { return false };
        // hole 1
        //| let _ = waker;
        //| todo!("it is {when} now, or later: set the time, and call the waker")
        self.0.now.set(when.max(self.0.now.get()));
        waker.wake();
        true
        // end hole
        // end hole
    }
}

impl VirtualClock for Mine {
    fn set(&self, when: u64, waker: Waker) {
        // hole 2
        //| todo!("set a timer for {when}")
        self.0.latest.set(self.0.latest.get() + 1);
        self.0.timers.borrow_mut().insert((when, self.0.latest.get()), waker);
        // end hole
    }

    fn run(&self, tasks: &Tasks) {
        // hole 2
        //| todo!("poll, wait for other threads, or jump, until nothing is left")
        loop {
            while tasks.poll_one() {}
            if tasks.has_work_elsewhere() {
                // hole 1
                //| todo!("another thread works for a task, and reports with a waker")
                tasks.wait();
                // end hole
            } else if !self.jump() {
                return;
            }
        }
        // end hole
    }
    // ANCHOR_END: solution

    fn new() -> Mine {
        Mine(Rc::default())
    }

    fn now(&self) -> u64 {
        self.0.now.get()
    }
}

fn main() -> std::process::ExitCode {
    checks::virtual_clock::check::<Mine>()
}
