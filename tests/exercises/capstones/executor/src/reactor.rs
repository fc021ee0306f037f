//! Waits for the operating system and the clock, and wakes tasks. Chapter 20: the step
//! `ch20_reactor` and the exercise `reactor` are smaller.

use crate::Sleep;
use std::time::{Duration, Instant};

/// What sockets and timers register with. A clone is another handle of the same reactor.
#[derive(Clone)]
pub struct Reactor {
    // A `mio::Poll`; for each socket its readiness and its waker; the timers by their time;
    // and an alarm (`mio::Waker`) for a wake-up from another thread.
}

/// As long as it lives, `block_on` waits for other threads and is never stuck.
pub struct WorkGuard;

impl Reactor {
    /// Returns a future that is ready after this time.
    pub fn sleep(&self, time: Duration) -> Sleep {
        todo!("the same as `sleep_until`, from now on")
    }

    /// Returns a future that is ready from then on.
    pub fn sleep_until(&self, when: Instant) -> Sleep {
        todo!("a sleep that registers its waker when it is polled, in time.rs")
    }

    /// Returns a guard: another thread will wake a task.
    pub fn work_guard(&self) -> WorkGuard {
        todo!("count the guards that are alive")
    }
}
