//! A queue of timers, earliest first. It does not wait: the loop does.

use crate::trace::Trace;
use std::collections::BTreeMap;
use std::time::Instant;

// ANCHOR: timers
/// Values with deadlines. Each value is returned once, when it is due.
#[derive(Debug)]
pub struct Timers<T> {
    /// The timers that are set. The first one is due first.
    queue: BTreeMap<TimerId, T>,
    /// The number of the latest timer.
    latest: u64,
    /// Records what happens to timers.
    trace: Trace, // observe
}

/// Identifies a timer, to clear it: its time and its number. Of two timers with the
/// same time, the one that was set first is due first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimerId(Instant, u64);
// ANCHOR_END: timers

impl TimerId {
    /// Returns when the timer is due.
    pub fn when(self) -> Instant {
        self.0
    }
}

impl<T> Default for Timers<T> {
    fn default() -> Self {
        Timers::with_trace(Trace::off())
    }
}

impl<T> Timers<T> {
    /// Creates an empty queue that records its timers in the trace.
    pub fn with_trace(trace: Trace) -> Timers<T> {
        Timers {
            queue: BTreeMap::new(),
            latest: 0,
            trace, // observe
        }
    }

    // ANCHOR: set
    /// Sets a timer. `what` is due at `when`.
    #[track_caller] // observe
    pub fn set(&mut self, when: Instant, what: T) -> TimerId {
        self.latest += 1;
        let timer = TimerId(when, self.latest);
        self.queue.insert(timer, what);
        self.trace.timer_set(timer.1, when); // observe
        timer
    }

    /// Returns the value of a timer; `None` if the timer was cleared or is over.
    pub fn get(&self, timer: TimerId) -> Option<&T> {
        self.queue.get(&timer)
    }

    /// Clears a timer and returns its value; `None` if it was cleared before or is
    /// over.
    #[track_caller] // observe
    pub fn clear(&mut self, timer: TimerId) -> Option<T> {
        self.trace.timer_cleared(timer.1); // observe
        self.queue.remove(&timer)
    }
    // ANCHOR_END: set

    // ANCHOR: due
    /// Returns when the next timer is due; `None` if none is set.
    pub fn next_deadline(&self) -> Option<Instant> {
        self.queue.keys().next().map(|TimerId(when, _)| *when)
    }

    /// Removes one timer that is due at `now`, and returns its value.
    #[track_caller] // observe
    pub fn take_due(&mut self, now: Instant) -> Option<T> {
        let first = self.queue.first_entry().filter(|first| first.key().0 <= now)?;
        self.trace.timer_fired(first.key().1); // observe
        Some(first.remove())
    }
    // ANCHOR_END: due
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_is_due_comes_in_the_order_of_time_and_then_of_age() {
        let (mut timers, now) = (Timers::default(), Instant::now());
        let later = now + Duration::from_secs(1);
        timers.set(later, "c");
        timers.set(now, "a");
        timers.set(now, "b");
        assert_eq!(timers.next_deadline(), Some(now));
        assert_eq!(timers.take_due(now), Some("a"));
        assert_eq!(timers.take_due(now), Some("b"));
        assert_eq!((timers.take_due(now), timers.next_deadline()), (None, Some(later)));
        assert_eq!((timers.take_due(later), timers.next_deadline()), (Some("c"), None));
    }

    #[test]
    fn a_timer_that_was_cleared_is_never_due() {
        let (mut timers, now) = (Timers::default(), Instant::now());
        let timer = timers.set(now, ());
        assert_eq!(timers.get(timer), Some(&()));
        timers.clear(timer);
        assert_eq!(timers.get(timer), None);
        timers.clear(timer);
        assert_eq!((timers.take_due(now), timers.next_deadline()), (None, None));
    }
}
