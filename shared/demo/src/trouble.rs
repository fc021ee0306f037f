//! Pages that fail the first times.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::stream;
use hyper::StatusCode;
use hyper::header::RETRY_AFTER;

use crate::answer::{self, Answer, HTML, field, page, pieces, status};

/// How often `/flaky` drops the connection before it responds.
const DROPS: usize = 2;
/// How often `/busy` refuses a request before it responds.
const REFUSALS: usize = 1;

/// Counts the failures of a page. After a success the count starts again, so that each
/// crawl has the same result.
#[derive(Default)]
pub(crate) struct Cycle(AtomicUsize);

impl Cycle {
    /// Returns whether the page fails this time: `failures` times true, then once
    /// false, and so on.
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

/// Makes a response whose body fails before the head is sent. All that the server can
/// do is close the connection, without sending a byte.
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
