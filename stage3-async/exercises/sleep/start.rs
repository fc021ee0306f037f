//! A future that waits for a time, and the clock with its timers.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/sleep.rs`.

use checks::sleep::Clock;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct Inner {
    now: Cell<u64>,
    /// When each timer is due, and a number that no other timer has: two may be due at
    /// the same time.
    timers: RefCell<BTreeMap<(u64, u64), Waker>>,
    /// The number that was drawn last.
    latest: Cell<u64>,
}

#[derive(Clone)]
struct Mine(Rc<Inner>);

struct Sleep {
    clock: Mine,
    when: u64,
    /// The number of its timer. Set at the first poll that has to wait.
    timer: Option<u64>,
}

impl Clock for Mine {
    type Sleep = Sleep;

    fn new() -> Mine {
        Mine(Rc::default())
    }

    fn sleep_until(&self, when: u64) -> Sleep {
        Sleep { clock: self.clone(), when, timer: None }
    }

    fn timers(&self) -> usize {
        self.0.timers.borrow().len()
    }

    // ANCHOR: task
    fn set(&self, now: u64) {
        self.0.now.set(now);
        todo!("wake the tasks whose timers are due")
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        todo!("look at the clock; if it is too early, set one timer")
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        // Yours: a sleep that no longer exists leaves no timer behind.
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::sleep::check::<Mine>()
}
