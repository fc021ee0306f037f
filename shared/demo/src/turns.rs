//! Pages that take turns: `/turn/N` responds only when `/turn/N-1` has been read. A
//! crawl that fetches all of them at once receives them in the same order every time.
//!
//! A page has been *read* when the client has received it and closed the connection,
//! as its `Connection: close` asks. A request for the list begins a new round, so that
//! each crawl has the same result.
//!
//! A crawler with fewer connections than turns has to request the pages in order.
//! Otherwise all its connections may wait for a page that it has not requested. After
//! [`LONGEST_WAIT`] they get a 503.

use std::sync::Arc;
use std::time::Duration;

use hyper::StatusCode;
use hyper::header::CONNECTION;
use tokio::sync::watch;
use tokio::time;

use crate::answer::{Answer, field, list_page, page, status};
use crate::connection::UntilClosed;
use crate::page::number;

const LONGEST_WAIT: Duration = Duration::from_secs(5);
const MAX_TURNS: u64 = 1_000;

/// The progress of the current round. Waiting requests subscribe to it.
#[derive(Clone, Default)]
pub(crate) struct Turns(Arc<watch::Sender<Progress>>);

#[derive(Default)]
struct Progress {
    /// The number of the round. Each request for the list increments it.
    round: u64,
    /// The last turn that has been read; 0 before the first.
    last_read: u64,
}

impl Turns {
    fn begin_round(&self) {
        self.0
            .send_modify(|now| *now = Progress { round: now.round + 1, last_read: 0 });
    }

    /// Waits for turn `number`. Returns `None` after `patience`.
    async fn wait_for(&self, number: u64, patience: Duration) -> Option<OpenTurn> {
        let mut progress = self.0.subscribe();
        let my_turn = progress.wait_for(|now| now.last_read + 1 >= number);
        let now = time::timeout(patience, my_turn).await.ok()?;
        let round = now.expect("the sender is in `self`").round;
        Some(OpenTurn { turns: self.clone(), round, number })
    }
}

/// A turn whose response is on its way. Its connection owns it. When the connection
/// ends, the response has been read and the drop advances the round.
struct OpenTurn {
    turns: Turns,
    round: u64,
    number: u64,
}

impl Drop for OpenTurn {
    fn drop(&mut self) {
        self.turns.0.send_if_modified(|now| {
            // A connection of an earlier round is ignored.
            let is_progress = now.round == self.round && now.last_read < self.number;
            if is_progress {
                now.last_read = self.number;
            }
            is_progress
        });
    }
}

/// Responds to `/turn?count=K`: begins a round, and links to `/turn/1` … `/turn/K`.
pub(crate) fn list(turns: &Turns, query: Option<&str>) -> Answer {
    turns.begin_round();
    let count = number(query, "count", 5, MAX_TURNS);
    let links =
        (1..=count).map(|turn| (format!("/turn/{turn}"), format!("turn {turn}")));
    list_page(
        "Taking turns",
        "<p>Each answers after the one before was read.</p>",
        links,
    )
}

/// Responds to `/turn/N`, when its turn comes.
pub(crate) async fn turn(
    turns: &Turns,
    number: u64,
    until_closed: &UntilClosed,
) -> Answer {
    let title = format!("Turn {number}");
    let Some(open_turn) = turns.wait_for(number, LONGEST_WAIT).await else {
        let before = number - 1;
        let why = format!(
            "<p><a href=\"/turn/{before}\">Turn {before}</a> was not read.</p>"
        );
        return status(StatusCode::SERVICE_UNAVAILABLE, page(&title, &why));
    };
    until_closed.keep(open_turn);
    let text = "<p>The turn before this one was read, so here is the next.</p>";
    field(CONNECTION, "close", page(&title, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Does not wait at all: what is not ready at once fails.
    const NO_PATIENCE: Duration = Duration::ZERO;

    fn block_on<F: Future>(future: F) -> F::Output {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_time().build();
        runtime.expect("a runtime without sockets").block_on(future)
    }

    #[test]
    fn a_turn_that_is_not_reached_is_given_up() {
        let turns = Turns::default();
        assert!(block_on(turns.wait_for(2, NO_PATIENCE)).is_none());
    }

    #[test]
    fn a_turn_passes_when_the_one_before_is_dropped() {
        let turns = Turns::default();
        block_on(async {
            drop(turns.wait_for(1, NO_PATIENCE).await.expect("the first never waits"));
            assert!(turns.wait_for(2, NO_PATIENCE).await.is_some());
        });
    }

    #[test]
    fn a_turn_of_an_earlier_round_changes_nothing() {
        let turns = Turns::default();
        block_on(async {
            let left_over =
                turns.wait_for(1, NO_PATIENCE).await.expect("the first never waits");
            turns.begin_round();
            drop(left_over);
            assert!(turns.wait_for(2, NO_PATIENCE).await.is_none());
        });
    }
}
