//! Three ways to keep a million timers, and the work that a crawler gives them.
//!
//! A time is a number of milliseconds. What includes this module has a function
//! `count(Work)` at its root.
#![allow(dead_code)] // not each of its users needs all of it

pub(crate) mod heap;
pub(crate) mod map;
pub(crate) mod wheel;

use std::cmp::Ordering;

/// What timers cost.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    /// Two keys are compared.
    Compare,
    /// A timer is moved, because a part of its wait is over.
    Move,
    /// An entry of a timer that was cleared long ago is thrown away.
    Discard,
}

// ANCHOR: timers
pub(crate) trait Timers: Default {
    /// What identifies a timer, to clear it.
    type Id;
    /// Sets a timer that is due at `when`.
    fn set(&mut self, when: u64) -> Self::Id;
    /// Clears a timer. Does nothing if it has fired.
    fn clear(&mut self, timer: Self::Id);
    /// Returns until when the loop may sleep.
    fn next(&mut self) -> Option<u64>;
    /// Removes the timers that are due at `now`. Returns how many there were.
    fn fire(&mut self, now: u64) -> usize;
    /// Returns how many entries are in memory.
    fn entries(&self) -> usize;
}
// ANCHOR_END: timers

/// When a timer is due, and a number that no other timer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) when: u64,
    pub(crate) number: u64,
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        crate::count(Work::Compare);
        (self.when, self.number).cmp(&(other.when, other.number))
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What became of the time-outs of a crawl.
#[derive(Default)]
pub(crate) struct Crawl {
    pub(crate) cleared: usize,
    pub(crate) fired: usize,
    /// The most entries that were in memory at once.
    pub(crate) most: usize,
}

/// Sets a time-out of 10, 20, or 30 s for each of `requests` requests, of which ten begin
/// in each millisecond. Most are answered within a second, which clears the time-out; one
/// of a thousand is not.
pub(crate) fn crawl<T: Timers>(requests: usize, timers: &mut T) -> Crawl {
    let mut crawl = Crawl::default();
    // The time-outs to clear in each of the next 1,024 ms.
    let mut answers: Vec<Vec<T::Id>> = (0..1024).map(|_| Vec::new()).collect();
    let (mut begun, mut now, mut random) = (0, 0, 1_u64);
    while crawl.cleared + crawl.fired < requests {
        for _ in 0..10.min(requests - begun) {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1);
            let time_out = timers.set(now + 10_000 * (1 + (random >> 40) % 3));
            begun += 1;
            if !begun.is_multiple_of(1000) {
                answers[(now + 1 + (random >> 50) % 1000) as usize % 1024]
                    .push(time_out);
            }
        }
        now += 1;
        for time_out in answers[now as usize % 1024].drain(..) {
            timers.clear(time_out);
            crawl.cleared += 1;
        }
        crawl.most = crawl.most.max(timers.entries());
        if timers.next().is_some_and(|next| next <= now) {
            crawl.fired += timers.fire(now);
        }
    }
    crawl
}
