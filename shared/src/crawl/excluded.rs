//! Counts the URLs that the user excludes.

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

/// What a URL takes, in bytes: its hash, in a table that is half empty.
const ENTRY: usize = 3 * size_of::<u64>();

/// The URLs that `--exclude` keeps out of the crawl, each counted once. No text is stored:
/// people exclude what has no end, such as a calendar.
#[derive(Debug, Default)]
pub(super) struct Excluded {
    /// Two of a million URLs have the same hash once in tens of millions of crawls.
    hashes: HashSet<u64>,
    keys: RandomState,
}

impl Excluded {
    pub(super) fn add(&mut self, text: &str) {
        self.hashes.insert(self.keys.hash_one(text));
    }

    /// Returns how many different URLs were added.
    pub(super) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Returns how many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        self.len() * ENTRY
    }
}
