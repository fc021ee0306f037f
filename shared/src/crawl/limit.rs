//! How many attempts may be in flight at once, and what becomes of an attempt that fails
//! because there were too many of them. Both decisions are made here and nowhere else.

use crate::error::FetchError;
use crate::http::HttpError;
use std::io::ErrorKind;

/// How often an attempt for which this machine has no local port, or no address of that
/// kind at all, waits for another one to end before the error counts as its result.
const MAX_WAITS_FOR_A_PORT: u32 = 3;
/// The same where the server has responded before, so that ports are the likely reason.
const MAX_WAITS_WHERE_REACHED: u32 = 30;
/// How many refused attempts at one URL do not count against `--max-tries`, where the
/// server is known to refuse connections above a limit of its own.
const MAX_EXCUSED_REFUSALS: u32 = 8;
/// A server is known to do so when this many URLs were refused at first and answered
/// later. One such URL may simply be unreliable.
const MIN_RECOVERED_URLS: u32 = 2;

/// A concurrency limit with additive increase: it backs off to the number that worked,
/// and grows by one after each full round of attempts: growing faster would cost failed
/// attempts.
#[derive(Debug)]
pub(super) struct ConcurrencyLimit {
    max: usize,
    current: usize,
    /// Attempts that have ended since `current` was set.
    settled: usize,
}

impl ConcurrencyLimit {
    /// A limit that never exceeds `max`, and begins there.
    pub(super) fn new(max: usize) -> ConcurrencyLimit {
        ConcurrencyLimit { max, current: max, settled: 0 }
    }

    /// The number of attempts that may be in flight now.
    pub(super) fn current(&self) -> usize {
        self.current
    }

    /// An attempt was one too many. The limit becomes `in_flight`, the number that go
    /// on.
    pub(super) fn back_off(&mut self, in_flight: usize) {
        (self.current, self.settled) = (in_flight.clamp(1, self.max), 0);
    }

    /// An attempt has ended, and was not one too many.
    pub(super) fn on_settled(&mut self) {
        self.settled += 1;
        if self.settled >= self.current && self.current < self.max {
            (self.current, self.settled) = (self.current + 1, 0);
        }
    }
}

/// After this many refusals in a row with no other attempt in flight, the server counts
/// as down, not as crowded.
const MAX_REFUSALS_ALONE: u32 = 8;

/// What is known of a server, a host and a port.
#[derive(Debug, Default)]
pub(super) struct Server {
    /// Attempts at its URLs that are in flight.
    pub(super) in_flight: usize,
    /// Whether this machine has an address of its kind: a connection was made, and no
    /// attempt has failed for lack of an address since.
    pub(super) is_reached: bool,
    /// Whether it has sent anything of a response.
    pub(super) has_responded: bool,
    /// URLs that it refused at first, while others were in flight, and answered later.
    pub(super) recovered: u32,
    /// Refusals, while no other attempt at it was in flight, since the last response.
    pub(super) refused_alone: u32,
}

impl Server {
    /// Returns whether it is known to refuse connections above a limit of its own.
    pub(super) fn is_crowded(&self) -> bool {
        self.recovered >= MIN_RECOVERED_URLS
    }

    /// Counts a refusal. If it refuses even a lone attempt, it is
    /// not this crawl that crowds it.
    pub(super) fn on_refusal(&mut self) {
        if self.in_flight == 0 {
            self.refused_alone += 1;
        }
        if self.refused_alone >= MAX_REFUSALS_ALONE {
            self.recovered = 0;
        }
    }
}

/// What becomes of an attempt that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It counts as an attempt, and how it ended as its result.
    Counts,
    /// This machine had no socket for it. It was no attempt: its job is queued again, and
    /// the limit backs off.
    Requeue,
    /// This machine may have no address of that kind. It was no attempt: its job alone
    /// waits until another attempt has ended, and the limit stays.
    Wait,
    /// The server refused it while others to it were in flight, or is known to refuse
    /// connections above its limit: our limit backs off. It counts as an attempt; if
    /// `is_excused`, not against `--max-tries`.
    Crowded { is_excused: bool },
}

/// What a verdict depends on, besides the error.
#[derive(Debug)]
pub(super) struct Circumstances<'a> {
    /// Attempts that are still in flight, at any server.
    pub(super) others: usize,
    /// The server, this attempt no longer among those in flight.
    pub(super) server: &'a Server,
    /// How often in a row the job was not counted, because it had no socket or no port.
    pub(super) requeues: u32,
    /// How often the job was excused.
    pub(super) excused: u32,
}

/// Decides about an attempt that ended with `error`.
///
/// A job is requeued or waits only while another attempt is in flight, and is excused a
/// limited number of times: a crawl whose attempts all fail ends.
pub(super) fn judge(error: &FetchError, now: Circumstances<'_>) -> Verdict {
    let Circumstances { others, server, requeues, excused } = now;
    let is_shared = server.in_flight > 0 || server.is_crowded();
    match error {
        error if is_refusal(error) && server.has_responded && is_shared => {
            let is_excused = server.is_crowded() && excused < MAX_EXCUSED_REFUSALS;
            Verdict::Crowded { is_excused }
        }
        _ if others == 0 => Verdict::Counts,
        // One of the others will end, and leave its socket.
        FetchError::OutOfSockets => Verdict::Requeue,
        error if is_addr_not_available(error) => match server.is_reached {
            true if requeues < MAX_WAITS_WHERE_REACHED => Verdict::Requeue,
            false if requeues < MAX_WAITS_FOR_A_PORT => Verdict::Wait,
            _ => Verdict::Counts,
        },
        _ => Verdict::Counts,
    }
}

/// Whether no local port is left, or this machine has no address of that kind: the
/// operating system does not say which.
pub(super) fn is_addr_not_available(error: &FetchError) -> bool {
    matches!(error, FetchError::Network(ErrorKind::AddrNotAvailable))
}

/// Whether a server with too many connections may end one of them so.
fn is_refusal(error: &FetchError) -> bool {
    use ErrorKind::{
        BrokenPipe, ConnectionAborted, ConnectionRefused, ConnectionReset,
    };
    matches!(
        error,
        FetchError::Http(HttpError::ClosedBeforeResponse)
            | FetchError::Network(
                ConnectionRefused | ConnectionReset | ConnectionAborted | BrokenPipe
            )
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_backs_off_at_once_and_grows_by_one_after_each_round() {
        let mut limit = ConcurrencyLimit::new(4);
        (0..10).for_each(|_| limit.on_settled());
        assert_eq!(limit.current(), 4, "never more than its maximum");
        limit.back_off(2);
        let current = |limit: &mut ConcurrencyLimit| {
            limit.on_settled();
            limit.current()
        };
        let grown: Vec<usize> = (0..8).map(|_| current(&mut limit)).collect();
        assert_eq!(grown, [2, 3, 3, 3, 4, 4, 4, 4]);
        limit.back_off(0);
        assert_eq!(limit.current(), 1, "one attempt may always begin");
    }

    #[test]
    fn a_server_that_refuses_lone_attempts_is_not_crowded() {
        let mut server =
            Server { recovered: MIN_RECOVERED_URLS, in_flight: 1, ..Server::default() };
        (0..100).for_each(|_| server.on_refusal());
        assert!(server.is_crowded(), "it takes the other one");
        server.in_flight = 0;
        (1..MAX_REFUSALS_ALONE).for_each(|_| server.on_refusal());
        assert!(server.is_crowded(), "so few may be by chance");
        server.on_refusal();
        assert!(!server.is_crowded());
    }

    /// Error, other attempts, others at the server, reached, recovered, requeues, excused.
    #[test]
    fn each_error_has_one_verdict() {
        use FetchError::{Network, OutOfSockets, TimedOut};
        use Verdict::{Counts, Crowded, Requeue, Wait};
        let no_port = || Network(ErrorKind::AddrNotAvailable);
        let reset = || Network(ErrorKind::ConnectionReset);
        let closed = || FetchError::Http(HttpError::ClosedBeforeResponse);
        let late = || TimedOut(std::time::Duration::ZERO);
        let (excused, not_excused) =
            (Crowded { is_excused: true }, Crowded { is_excused: false });
        for (
            error,
            others,
            at_server,
            is_reached,
            recovered,
            requeues,
            before,
            verdict,
        ) in [
            (OutOfSockets, 0, 0, true, 0, 0, 0, Counts),
            (OutOfSockets, 1, 0, false, 0, 1_000, 0, Requeue),
            (no_port(), 0, 0, true, 0, 0, 0, Counts),
            (no_port(), 1, 0, false, 0, 2, 0, Wait),
            (no_port(), 1, 0, false, 0, 3, 0, Counts),
            (no_port(), 1, 1, true, 0, 29, 0, Requeue),
            (no_port(), 1, 1, true, 0, 30, 0, Counts),
            (reset(), 0, 0, true, 1, 0, 0, Counts),
            (reset(), 1, 0, true, 1, 0, 0, Counts),
            (reset(), 0, 0, true, 2, 0, 0, excused),
            (reset(), 1, 1, false, 0, 0, 0, Counts),
            (reset(), 1, 1, true, 1, 0, 0, not_excused),
            (closed(), 1, 1, true, 2, 0, 7, excused),
            (closed(), 1, 1, true, 2, 0, 8, not_excused),
            (late(), 1, 1, true, 2, 0, 0, Counts),
        ] {
            let has_responded = is_reached;
            let server = Server {
                in_flight: at_server,
                is_reached,
                has_responded,
                recovered,
                refused_alone: 0,
            };
            let now =
                Circumstances { others, server: &server, requeues, excused: before };
            let name = format!("{error:?} {now:?}");
            assert_eq!(judge(&error, now), verdict, "{name}");
        }
    }
}
