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
    // ANCHOR: solution
    fn add(&mut self, url: &'static str) {
        // hole 2
        //| todo!("add it to `open`, unless it was seen")
        if self.seen.insert(url) {
            self.open.push(Open { url, lease: None });
        }
        // end hole
    }

    fn take(&mut self, now: u64) -> Option<Lent> {
        // hole 2
        //| todo!("lend the first URL that is not lent, under a new number")
        let is_free = |open: &&mut Open| open.lease.is_none_or(|(_, end)| end <= now);
        let open = self.open.iter_mut().find(is_free)?;
        // hole 1
        //| todo!("lend {} under a new number", open.url)
        self.latest += 1;
        open.lease = Some((self.latest, now + LEASE));
        Some(Lent { url: open.url, number: self.latest })
        // end hole
        // end hole
    }

    fn done(&mut self, lent: Lent, now: u64) -> bool {
        // hole 2
        //| todo!("remove the URL if this is its lease and has not ended")
        let is_it = |open: &Open| {
            // hole 1
            //| let _ = (open, now);
            //| todo!("is this its lease, and has it not ended?")
            open.lease.is_some_and(|(number, end)| number == lent.number && now < end)
            // end hole
        };
        let index = self.open.iter().position(is_it);
        index.map(|index| self.open.remove(index)).is_some()
        // end hole
    }

    fn unfinished(&self) -> usize {
        // hole 2
        //| todo!("count the URLs that are not done")
        self.open.len()
        // end hole
    }
    // ANCHOR_END: solution
}

fn main() -> std::process::ExitCode {
    checks::lease::check::<Mine>()
}
