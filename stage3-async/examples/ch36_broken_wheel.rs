//! A wheel with one level: a slot comes round every 64 ms, and a timer may have to wait
//! for more than one round.
//!
//! `cargo run -p stage3-async --example ch36_broken_wheel`

const SLOTS: usize = 64;

/// A timer: when it is due, and what for.
type Timer = (usize, &'static str);

struct Wheel {
    now: usize,
    slots: [Vec<Timer>; SLOTS],
}

impl Wheel {
    fn new(timers: &[Timer]) -> Wheel {
        let mut slots = [const { Vec::new() }; SLOTS];
        for timer in timers {
            slots[timer.0 % SLOTS].push(*timer);
        }
        Wheel { now: 0, slots }
    }

    // ANCHOR: tick
    /// Moves the hand by one slot, and returns the timers that fire.
    fn tick(&mut self) -> Vec<Timer> {
        self.now += 1;
        self.slots[self.now % SLOTS].drain(..).collect()
    }
    // ANCHOR_END: tick

    // ANCHOR: due
    fn tick_if_due(&mut self) -> Vec<Timer> {
        self.now += 1;
        self.slots[self.now % SLOTS]
            .extract_if(.., |timer| timer.0 == self.now)
            .collect()
    }
    // ANCHOR_END: due
}

/// Runs for half a second of the wheel's time. Prints when each timer fires.
fn run(name: &str, timers: &[Timer], tick: fn(&mut Wheel) -> Vec<Timer>) {
    let mut wheel = Wheel::new(timers);
    println!("{name}:");
    for _ in 0..500 {
        for (when, what) in tick(&mut wheel) {
            println!("  at {:>3}: {what}, set for {when}", wheel.now);
        }
    }
}

fn main() {
    let timers = [(40, "connect"), (100, "head"), (300, "page")];
    run("all timers of the slot", &timers, Wheel::tick);
    run("those that are due", &timers, Wheel::tick_if_due);
}
