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

// ANCHOR: task
impl Mine {
    /// Jumps to the next timer, and calls its waker. Returns whether there was one.
    fn jump(&self) -> bool {
        todo!("take the first timer, set the time, and call the waker")
    }
}

impl VirtualClock for Mine {
    fn set(&self, when: u64, waker: Waker) {
        todo!("set a timer for {when}")
    }

    fn run(&self, tasks: &Tasks) {
        todo!("poll, wait for other threads, or jump, until nothing is left")
    }
    // ANCHOR_END: task

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
