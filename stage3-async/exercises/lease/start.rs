//! A frontier that lends its URLs: what a crawler has taken comes back if it dies.

use checks::lease::{Frontier, LEASE, Lent};
use std::collections::HashSet;

/// A URL that is not done.
struct Open {
    url: &'static str,
    /// The number of its latest lease, and when that ends. Set when it is taken.
    lease: Option<(u64, u64)>,
}

#[derive(Default)]
struct Mine {
    seen: HashSet<&'static str>,
    /// In the order in which they were added.
    open: Vec<Open>,
    /// The number of the latest lease.
    latest: u64,
}

impl Frontier for Mine {
    // ANCHOR: task
    fn add(&mut self, url: &'static str) {
        todo!("add it to `open`, unless it was seen")
    }

    fn take(&mut self, now: u64) -> Option<Lent> {
        todo!("lend the first URL that is not lent, under a new number")
    }

    fn done(&mut self, lent: Lent, now: u64) -> bool {
        todo!("remove the URL, if this is its lease, and has not ended")
    }

    fn unfinished(&self) -> usize {
        todo!("count the URLs that are not done")
    }
    // ANCHOR_END: task
}

fn main() -> std::process::ExitCode {
    checks::lease::check::<Mine>()
}
