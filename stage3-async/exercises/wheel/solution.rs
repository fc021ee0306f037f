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

// ANCHOR: solution
impl Wheel for Mine {
    type Id = Timer;

    fn set(&mut self, when: u64) -> Timer {
        // hole 2
        //| todo!("put a timer for {when} into a slot")
        self.latest += 1;
        let tick = when.max(self.now + 1);
        let timer = Timer { when, number: self.latest, tick };
        self.slots.at(tick).push(timer);
        timer
        // end hole
    }

    fn clear(&mut self, timer: Timer) -> bool {
        // hole 2
        //| todo!("take {timer:?} out of its slot")
        let slot = self.slots.at(timer.tick);
        // hole 1
        //| todo!("take the timer out of {slot:?}; was it there?")
        let before = slot.len();
        slot.retain(|it| it.number != timer.number);
        slot.len() < before
        // end hole
        // end hole
    }

    fn advance(&mut self, now: u64) -> Vec<Timer> {
        // hole 2
        //| todo!("move the hand to {now}, and return what is due in the slots on its way")
        let mut fired = Vec::new();
        let ticks = (now - self.now).min(Slots::<Timer>::COUNT);
        for tick in now - ticks + 1..=now {
            // hole 1
            //| // Yours: only what is due, and it must leave its slot.
            //| fired.extend(self.slots.at(tick).iter().copied());
            fired.extend(self.slots.at(tick).extract_if(.., |it| it.when <= now));
            // end hole
        }
        fired.sort_by_key(|it| (it.when, it.number));
        self.now = now;
        fired
        // end hole
    }
    // ANCHOR_END: solution

    fn new() -> Mine {
        Mine::default()
    }
}

fn main() -> std::process::ExitCode {
    checks::wheel::check::<Mine>()
}
