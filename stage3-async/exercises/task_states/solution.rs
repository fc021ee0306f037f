//! The state of a task that any thread may wake, while another polls it.
//!
//! `AtomicU8` works like std's, but the check can stop a thread at each use.

use checks::task_states::{AtomicU8, TaskStates};
use std::sync::atomic::Ordering::SeqCst;

/// The task waits.
const IDLE: u8 = 0;
/// It is in the queue, once.
const SCHEDULED: u8 = 1;
/// A thread polls it.
const RUNNING: u8 = 2;
/// A thread polls it, and it was woken since that poll began.
const NOTIFIED: u8 = 3;

struct Mine(AtomicU8);

impl Mine {
    /// Changes the state in one indivisible operation. Returns the state before.
    fn change(&self, next: impl Fn(u8) -> u8) -> u8 {
        self.0.fetch_update(SeqCst, SeqCst, |now| Some(next(now))).unwrap()
    }
}

// ANCHOR: solution
impl TaskStates for Mine {
    fn new() -> Mine {
        Mine(AtomicU8::new(SCHEDULED))
    }

    fn wake(&self) -> bool {
        // hole 2
        //| todo!("change the state; must the caller queue the task?")
        let before = self.change(|now| match now {
            IDLE => SCHEDULED,
            // hole 1
            //| RUNNING => todo!("another thread polls it: how is the wake kept?"),
            RUNNING => NOTIFIED,
            // end hole
            same => same,
        });
        before == IDLE
        // end hole
    }

    fn start(&self) {
        // hole 2
        //| todo!("the task was taken from the queue, and its poll begins")
        self.change(|_| RUNNING);
        // end hole
    }

    fn pause(&self) -> bool {
        // hole 2
        //| todo!("the poll was pending; must the caller queue the task again?")
        let before = self.change(|now| match now {
            // hole 1
            //| NOTIFIED => todo!("it was woken during its poll"),
            NOTIFIED => SCHEDULED,
            // end hole
            _ => IDLE,
        });
        before == NOTIFIED
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::task_states::check::<Mine>()
}
