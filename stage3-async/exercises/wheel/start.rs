//! A timer wheel: 64 slots, and a hand that comes to each of them once in a round.

use checks::wheel::{Slots, Wheel};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Timer {
    when: u64,
    /// No other timer has it.
    number: u64,
    /// The tick whose slot it was put into.
    tick: u64,
}

#[derive(Default)]
struct Mine {
    now: u64,
    latest: u64,
    slots: Slots<Timer>,
}

// ANCHOR: task
impl Wheel for Mine {
    type Id = Timer;

    fn set(&mut self, when: u64) -> Timer {
        todo!("put a timer for {when} into a slot")
    }

    fn clear(&mut self, timer: Timer) -> bool {
        todo!("take {timer:?} out of its slot")
    }

    fn advance(&mut self, now: u64) -> Vec<Timer> {
        todo!("move the hand to {now}, and return what is due in the slots on its way")
    }
    // ANCHOR_END: task

    fn new() -> Mine {
        Mine::default()
    }
}

fn main() -> std::process::ExitCode {
    checks::wheel::check::<Mine>()
}
