//! Pages that fail: always, or only the first times.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::stream;
use hyper::StatusCode;
use hyper::header::RETRY_AFTER;

use crate::answer::{self, Answer, HTML, field, page, pieces, status};

/// How often `/flaky` drops the connection before it responds.
const DROPS: usize = 2;
/// How often `/busy` responds that it has no time.
const REFUSALS: usize = 1;

/// Counts how often a page has failed. It starts again after a success, so that the
/// next crawl finds the same as this one.
#[derive(Default)]
pub(crate) struct Cycle(AtomicUsize);

impl Cycle {
    /// Returns whether the page fails now: true `failures` times, then false once, and
    /// so on.
    fn fails(&self, failures: usize) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) % (failures + 1) < failures
    }
}

/// Responds to `/flaky`.
pub(crate) fn flaky(cycle: &Cycle) -> Answer {
    if cycle.fails(DROPS) {
        return drop_the_connection();
    }
    page("Flaky", "<p>The third try is answered.</p>")
}

/// Makes a response whose body fails before the head is sent: the server can only close
/// the connection, and the client sees that it ends without a byte.
fn drop_the_connection() -> Answer {
    let failure = io::Error::other("dropped on purpose");
    answer::answer(HTML, pieces(stream::iter([Err(failure)])))
}

/// Responds to `/busy`.
pub(crate) fn busy(cycle: &Cycle) -> Answer {
    if cycle.fails(REFUSALS) {
        let excuse = page("Busy", "<p>No time now. Ask again.</p>");
        let excuse = status(StatusCode::SERVICE_UNAVAILABLE, excuse);
        return field(RETRY_AFTER, "0", excuse);
    }
    page("Busy", "<p>Now there is time.</p>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_fails_answers_and_begins_again() {
        let cycle = Cycle::default();
        let fails: Vec<bool> = (0..6).map(|_| cycle.fails(2)).collect();
        assert_eq!(fails, [true, true, false, true, true, false]);
    }
}
