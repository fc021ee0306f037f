//! How many tries may be under way at once: fewer than are allowed, while this machine
//! is out of sockets.

/// Shrinks to what there was room for, and grows again by one after as many tries as
/// that have ended: carefully, since each try too many is one in vain.
#[derive(Debug)]
pub struct Room {
    most: usize,
    now: usize,
    /// Tries that have ended since `now` was set.
    settled: usize,
}

impl Room {
    /// Room for `most` tries.
    pub fn new(most: usize) -> Room {
        Room { most, now: most, settled: 0 }
    }

    /// So many may be under way now.
    pub fn now(&self) -> usize {
        self.now
    }

    /// This machine was out of sockets when so many were under way.
    pub fn shrink(&mut self, under_way: usize) {
        (self.now, self.settled) = (under_way, 0);
    }

    /// A try has ended. Is there room for one more than before?
    pub fn grow(&mut self) -> bool {
        self.settled += 1;
        let grows = self.settled >= self.now && self.now < self.most;
        if grows {
            (self.now, self.settled) = (self.now + 1, 0);
        }
        grows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_shrinks_at_once_and_grows_by_one_after_each_round() {
        let mut room = Room::new(4);
        assert!((0..10).all(|_| !room.grow()), "there is room for all");
        room.shrink(2);
        assert_eq!(room.now(), 2);
        let grows: Vec<bool> = (0..8).map(|_| room.grow()).collect();
        assert_eq!(grows, [false, true, false, false, true, false, false, false]);
        assert_eq!(room.now(), 4);
    }
}
