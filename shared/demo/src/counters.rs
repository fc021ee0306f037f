//! Counts requests and connections, for tests to check and for steps to print.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

/// Counters that the server's thread changes. Any thread may read them.
#[derive(Default)]
pub(crate) struct Counters {
    tally: Mutex<Tally>,
}

#[derive(Default)]
struct Tally {
    /// How many requests have arrived for each path, as sent.
    requests: HashMap<String, usize>,
    /// How many connections have been accepted.
    accepted: usize,
    /// How many connections are open now.
    open: usize,
    /// The largest value of `open` so far.
    most_open: usize,
}

impl Counters {
    pub(crate) fn request_arrived(&self, path: &str) {
        let requests = &mut self.tally().requests;
        match requests.get_mut(path) {
            Some(count) => *count += 1,
            None => drop(requests.insert(path.to_owned(), 1)),
        }
    }

    pub(crate) fn connection_opened(&self) {
        let mut tally = self.tally();
        tally.accepted += 1;
        tally.open += 1;
        tally.most_open = tally.most_open.max(tally.open);
    }

    pub(crate) fn connection_closed(&self) {
        self.tally().open -= 1;
    }

    pub(crate) fn requests(&self, path: &str) -> usize {
        self.tally().requests.get(path).copied().unwrap_or(0)
    }

    pub(crate) fn all_requests(&self) -> usize {
        self.tally().requests.values().sum()
    }

    pub(crate) fn connections(&self) -> usize {
        self.tally().accepted
    }

    pub(crate) fn most_connections_at_once(&self) -> usize {
        self.tally().most_open
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().expect("nothing panics while it holds the counters")
    }
}
