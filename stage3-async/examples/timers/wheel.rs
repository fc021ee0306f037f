//! A hierarchical timer wheel, of 64 slots in each level.

use super::{Timers, Work};
use std::mem;

/// A time is a number of eleven digits of six bits, each from 0 to 63. A timer waits in
/// the level of the first digit in which its time differs from now, in the slot of that
/// digit.
// ANCHOR: wheel
pub(crate) struct Wheel {
    now: u64,
    levels: [Level; 11],
    /// The timers that are set, each with its place in a slot.
    timers: Vec<Timer>,
    free: Vec<usize>,
}

struct Level {
    /// Bit `n` is set if slot `n` has a timer.
    occupied: u64,
    slots: [Vec<usize>; 64],
}

/// Where a timer waits. The level and the place change when it is moved.
struct Timer {
    when: u64,
    level: usize,
    place: usize,
    /// Uses of the entry so far: whether an id is of this timer or of an older one.
    uses: u64,
    is_set: bool,
}
// ANCHOR_END: wheel

impl Default for Wheel {
    fn default() -> Wheel {
        let level = || Level { occupied: 0, slots: [const { Vec::new() }; 64] };
        let levels = [(); 11].map(|()| level());
        Wheel { now: 0, levels, timers: Vec::new(), free: Vec::new() }
    }
}

// ANCHOR: digit
/// Returns a digit of a time, as a slot: the last digit is that of level 0.
fn digit(when: u64, level: usize) -> usize {
    (when >> (6 * level)) as usize % 64
}

/// Returns the level of the first digit in which two times differ.
fn level(when: u64, now: u64) -> usize {
    ((when ^ now) | 1).ilog2() as usize / 6
}
// ANCHOR_END: digit

impl Wheel {
    // ANCHOR: place
    /// Puts a timer into the slot where it waits.
    fn place(&mut self, timer: usize) {
        let when = self.timers[timer].when;
        let level = level(when, self.now);
        let slot = digit(when, level);
        self.timers[timer].level = level;
        self.timers[timer].place = self.levels[level].slots[slot].len();
        self.levels[level].slots[slot].push(timer);
        self.levels[level].occupied |= 1 << slot;
    }
    // ANCHOR_END: place

    // ANCHOR: first
    /// Returns the level of the next slot to be emptied, the slot, and when that is.
    fn first(&self) -> Option<(usize, usize, u64)> {
        let level = self.levels.iter().position(|level| level.occupied != 0)?;
        let slot = self.levels[level].occupied.trailing_zeros() as usize;
        let digits_above = self.now.checked_shr(6 * (level as u32 + 1)).unwrap_or(0);
        let begins = ((digits_above << 6) | slot as u64) << (6 * level);
        Some((level, slot, begins))
    }
    // ANCHOR_END: first
}

impl Timers for Wheel {
    type Id = (usize, u64);

    fn set(&mut self, when: u64) -> (usize, u64) {
        let when = when.max(self.now + 1); // what is over comes with the next tick
        let timer = self.free.pop().unwrap_or(self.timers.len());
        if timer == self.timers.len() {
            self.timers.push(Timer {
                when,
                level: 0,
                place: 0,
                uses: 0,
                is_set: false,
            });
        }
        let entry = &mut self.timers[timer];
        (entry.when, entry.uses, entry.is_set) = (when, entry.uses + 1, true);
        let id = (timer, entry.uses);
        self.place(timer);
        id
    }

    // ANCHOR: clear
    fn clear(&mut self, (timer, uses): (usize, u64)) {
        let Timer { when, level, place, .. } = self.timers[timer];
        if !self.timers[timer].is_set || self.timers[timer].uses != uses {
            return; // it has fired
        }
        self.timers[timer].is_set = false;
        self.free.push(timer);
        let slot = digit(when, level);
        let timers = &mut self.levels[level].slots[slot];
        timers.swap_remove(place); // the last one of the slot takes its place
        match timers.get(place) {
            Some(moved) => self.timers[*moved].place = place,
            None if timers.is_empty() => self.levels[level].occupied &= !(1 << slot),
            None => {}
        }
    }
    // ANCHOR_END: clear

    fn next(&mut self) -> Option<u64> {
        self.first().map(|(_, _, begins)| begins)
    }

    // ANCHOR: fire
    fn fire(&mut self, now: u64) -> usize {
        let mut fired = 0;
        while let Some((level, slot, begins)) = self.first().filter(|it| it.2 <= now) {
            self.now = begins;
            self.levels[level].occupied &= !(1 << slot);
            let mut timers = mem::take(&mut self.levels[level].slots[slot]);
            for timer in timers.drain(..) {
                if self.timers[timer].when == begins {
                    self.timers[timer].is_set = false;
                    self.free.push(timer);
                    fired += 1;
                } else {
                    crate::count(Work::Move);
                    self.place(timer); // in a lower level
                }
            }
            self.levels[level].slots[slot] = timers; // keeps its memory
        }
        self.now = now;
        fired
    }
    // ANCHOR_END: fire

    fn entries(&self) -> usize {
        self.timers.len() - self.free.len()
    }
}
