//! A sorted map, as in `shared/src/timers.rs`.

use super::{Key, Timers};
use std::collections::BTreeMap;

/// Timers in the order of time. (A real one has a waker for each.)
#[derive(Default)]
pub(crate) struct Map {
    queue: BTreeMap<Key, ()>,
    latest: u64,
}

impl Timers for Map {
    type Id = Key;

    fn set(&mut self, when: u64) -> Key {
        self.latest += 1;
        let timer = Key { when, number: self.latest };
        self.queue.insert(timer, ());
        timer
    }

    fn clear(&mut self, timer: Key) {
        self.queue.remove(&timer);
    }

    fn next(&mut self) -> Option<u64> {
        self.queue.first_key_value().map(|(first, ())| first.when)
    }

    fn fire(&mut self, now: u64) -> usize {
        let mut fired = 0;
        while self.next().is_some_and(|next| next <= now) {
            self.queue.pop_first();
            fired += 1;
        }
        fired
    }

    fn entries(&self) -> usize {
        self.queue.len()
    }
}
