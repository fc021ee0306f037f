//! A binary heap with lazy deletion.

use super::{Key, Timers, Work};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A heap finds its first entry, and no other, so a timer that is cleared is only
/// marked, and its entry stays until it is the first.
// ANCHOR: heap
#[derive(Default)]
pub(crate) struct Heap {
    queue: BinaryHeap<Reverse<(Key, usize)>>,
    /// For each entry of the queue, the number of its timer; `None` if it was cleared.
    timers: Vec<Option<u64>>,
    /// The elements of `timers` that no entry has.
    free: Vec<usize>,
    latest: u64,
}

impl Timers for Heap {
    type Id = (u64, usize);

    fn set(&mut self, when: u64) -> (u64, usize) {
        self.latest += 1;
        let index = self.free.pop().unwrap_or(self.timers.len());
        self.timers.resize(self.timers.len().max(index + 1), None);
        self.timers[index] = Some(self.latest);
        self.queue.push(Reverse((Key { when, number: self.latest }, index)));
        (self.latest, index)
    }

    fn clear(&mut self, (number, index): (u64, usize)) {
        self.timers[index].take_if(|timer| *timer == number);
    }
    // ANCHOR_END: heap

    // ANCHOR: next
    fn next(&mut self) -> Option<u64> {
        while let Some(Reverse((first, index))) = self.queue.peek() {
            if self.timers[*index].is_some() {
                return Some(first.when);
            }
            crate::count(Work::Discard);
            self.free.push(*index);
            self.queue.pop();
        }
        None
    }
    // ANCHOR_END: next

    fn fire(&mut self, now: u64) -> usize {
        let mut fired = 0;
        while self.next().is_some_and(|next| next <= now) {
            if let Some(Reverse((_, index))) = self.queue.pop() {
                self.timers[index] = None;
                self.free.push(index);
                fired += 1;
            }
        }
        fired
    }

    fn entries(&self) -> usize {
        self.queue.len()
    }
}
