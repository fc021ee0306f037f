//! What is to be done when: a queue in the order of time. It waits for nothing.

use std::collections::BTreeMap;
use std::time::Instant;

/// Things that are due at a time, each once.
#[derive(Debug)]
pub struct Timers<T> {
    queue: BTreeMap<TimerId, T>,
    latest: u64,
}

/// A timer that may be cleared. Of two that are due at once the older comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimerId(Instant, u64);

impl<T> Default for Timers<T> {
    fn default() -> Self {
        Timers { queue: BTreeMap::new(), latest: 0 }
    }
}

impl<T> Timers<T> {
    /// `what` is due at `when`.
    pub fn set(&mut self, when: Instant, what: T) -> TimerId {
        self.latest += 1;
        let timer = TimerId(when, self.latest);
        self.queue.insert(timer, what);
        timer
    }

    /// Forgets a timer, and returns what was to be done; one that was due already is no
    /// error.
    pub fn clear(&mut self, timer: TimerId) -> Option<T> {
        self.queue.remove(&timer)
    }

    /// When the next one is due.
    pub fn next(&self) -> Option<Instant> {
        self.queue.keys().next().map(|TimerId(when, _)| *when)
    }

    /// Takes out one that is due at `now` or was before.
    pub fn take_due(&mut self, now: Instant) -> Option<T> {
        let first = self.queue.first_entry()?;
        (first.key().0 <= now).then(|| first.remove())
    }
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
        assert_eq!(timers.next(), Some(now));
        assert_eq!(timers.take_due(now), Some("a"));
        assert_eq!(timers.take_due(now), Some("b"));
        assert_eq!((timers.take_due(now), timers.next()), (None, Some(later)));
        assert_eq!((timers.take_due(later), timers.next()), (Some("c"), None));
    }

    #[test]
    fn a_timer_that_was_cleared_is_never_due() {
        let (mut timers, now) = (Timers::default(), Instant::now());
        let timer = timers.set(now, ());
        timers.clear(timer);
        timers.clear(timer);
        assert_eq!((timers.take_due(now), timers.next()), (None, None));
    }
}
