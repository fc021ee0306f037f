//! The state of a task that any thread may wake and any thread may poll: one atomic.

#[cfg(loom)]
use loom::sync::atomic::AtomicU8;
#[cfg(not(loom))]
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::SeqCst;

// ANCHOR: states
/// The task waits: no queue has it, and no thread polls it.
pub(crate) const IDLE: u8 = 0;
/// One queue has it, once.
pub(crate) const SCHEDULED: u8 = 1;
/// One thread polls it. A task that has ended stays in this state.
pub(crate) const RUNNING: u8 = 2;
/// One thread polls it, and it was woken after that poll began.
pub(crate) const NOTIFIED: u8 = 3;

pub(crate) struct State(AtomicU8);
// ANCHOR_END: states

impl State {
    /// The state of a new task: `spawn` puts it into a queue.
    pub(crate) fn new() -> State {
        State(AtomicU8::new(SCHEDULED))
    }

    // ANCHOR: transitions
    /// Records a wake. Returns whether the caller has to queue the task.
    pub(crate) fn wake(&self) -> bool {
        let before = self.change(|now| match now {
            IDLE => SCHEDULED,
            RUNNING => NOTIFIED,
            same => same, // a poll will follow in any case
        });
        before == IDLE
    }

    /// Begins a poll of a task that was taken from a queue.
    pub(crate) fn start(&self) {
        self.change(|_| RUNNING);
    }

    /// Ends a pending poll. Returns whether the caller has to queue the task again.
    pub(crate) fn pause(&self) -> bool {
        self.change(|now| if now == NOTIFIED { SCHEDULED } else { IDLE }) == NOTIFIED
    }
    // ANCHOR_END: transitions

    /// Returns whether the task is in this state.
    pub(crate) fn is(&self, state: u8) -> bool {
        self.0.load(SeqCst) == state
    }

    // ANCHOR: change
    /// Changes the state in one indivisible operation, and returns what it was. It
    /// writes even if the state stays the same: the next `start` reads that, and so
    /// the poll sees all that the thread did before its wake.
    fn change(&self, next: impl Fn(u8) -> u8) -> u8 {
        let before = self.0.fetch_update(SeqCst, SeqCst, |now| Some(next(now)));
        before.expect("there is always a next state")
    }
    // ANCHOR_END: change
}
