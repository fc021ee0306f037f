//! Decides how many attempts may be in flight at once, and what becomes of an attempt
//! that fails because too many are in flight.

use crate::error::FetchError;
use crate::http::HttpError;
use std::io::ErrorKind;

/// How often a job may wait for another attempt to end because this machine has no
/// free port, or no address of that kind. After that the error counts as its result.
const MAX_WAITS_FOR_A_PORT: u32 = 3;
/// The same limit for a server that has been reached before: probably ports are
/// scarce.
const MAX_WAITS_WHERE_REACHED: u32 = 30;
/// How many refused attempts at one URL do not count against `--max-tries`, if the
/// server is known to limit its connections.
const MAX_EXCUSED_REFUSALS: u32 = 8;
/// How many URLs must be refused at first and answered later before a server is known
/// to limit its connections. A single one may just be unreliable.
const MIN_RECOVERED_URLS: u32 = 2;

/// A concurrency limit with additive increase. It backs off to the number that worked,
/// and grows by one after each full round of attempts. Faster growth would cost failed
/// attempts.
#[derive(Debug)]
pub(super) struct ConcurrencyLimit {
    max: usize,
    current: usize,
    /// How many attempts have ended since `current` changed.
    settled: usize,
}

impl ConcurrencyLimit {
    /// Creates a limit that begins at `max` and never exceeds it.
    pub(super) fn new(max: usize) -> ConcurrencyLimit {
        ConcurrencyLimit { max, current: max, settled: 0 }
    }

    /// Returns how many attempts may be in flight now.
    pub(super) fn current(&self) -> usize {
        self.current
    }

    /// Reduces the limit to `in_flight`, after an attempt has failed because it was
    /// one too many.
    pub(super) fn back_off(&mut self, in_flight: usize) {
        (self.current, self.settled) = (in_flight.clamp(1, self.max), 0);
    }

    /// Counts an attempt that ended and was not one too many. Raises the limit after a
    /// full round.
    pub(super) fn on_settled(&mut self) {
        self.settled += 1;
        if self.settled >= self.current && self.current < self.max {
            (self.current, self.settled) = (self.current + 1, 0);
        }
    }
}

/// The number of refusals without other attempts in flight, in a row, after which a
/// server counts as down, not as crowded.
const MAX_REFUSALS_ALONE: u32 = 8;

/// What is known of a server, which is a host and a port.
#[derive(Debug, Default)]
pub(super) struct Server {
    /// How many attempts at its URLs are in flight.
    pub(super) in_flight: usize,
    /// Set by a connection, cleared when an attempt fails for lack of an address.
    /// While it is set, this machine is known to have an address of that kind.
    pub(super) is_reached: bool,
    /// Set when at least the beginning of a response arrives.
    pub(super) has_responded: bool,
    /// How many URLs the server first refused, while others were in flight, and later
    /// answered.
    pub(super) recovered: u32,
    /// How often in a row it refused an attempt without others in flight. Reset by a
    /// response.
    pub(super) refused_alone: u32,
}

impl Server {
    /// Returns whether the server is known to limit its connections.
    pub(super) fn is_crowded(&self) -> bool {
        self.recovered >= MIN_RECOVERED_URLS
    }

    /// Counts a refusal. If the server refuses even a lone attempt, other clients
    /// crowd it, not this crawl.
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
    /// The attempt counts, and its result is recorded.
    Counts,
    /// This machine had no socket for it. The attempt does not count: its job is
    /// queued again, and the limit backs off.
    Requeue,
    /// This machine had no port, or no address of that kind. The attempt does not
    /// count: its job waits until another attempt ends. The limit does not change.
    WaitForPort,
    /// The server refused it while others were in flight, or is known to limit its
    /// connections. The limit backs off. The attempt counts, but if `is_excused`, not
    /// against `--max-tries`.
    Crowded { is_excused: bool },
}

/// The input of [`judge`], besides the error.
#[derive(Debug)]
pub(super) struct Circumstances<'a> {
    /// How many other attempts are in flight, at any server.
    pub(super) others: usize,
    /// The server, without this attempt in its `in_flight`.
    pub(super) server: &'a Server,
    /// How often in a row the job had no socket or no port.
    pub(super) requeues: u32,
    /// How often the job has been excused.
    pub(super) excused: u32,
}

/// Decides about an attempt that has failed with `error`.
///
/// A job is requeued or waits only while another attempt is in flight, and the number of
/// excuses is limited. So the crawl ends even if all attempts fail.
pub(super) fn judge(error: &FetchError, now: Circumstances<'_>) -> Verdict {
    let Circumstances { others, server, requeues, excused } = now;
    let is_shared = server.in_flight > 0 || server.is_crowded();
    match error {
        error if is_refusal(error) && server.has_responded && is_shared => {
            let is_excused = server.is_crowded() && excused < MAX_EXCUSED_REFUSALS;
            Verdict::Crowded { is_excused }
        }
        _ if others == 0 => Verdict::Counts,
        // Another attempt will end and free its socket.
        FetchError::OutOfSockets => Verdict::Requeue,
        error if is_addr_not_available(error) => match server.is_reached {
            true if requeues < MAX_WAITS_WHERE_REACHED => Verdict::Requeue,
            false if requeues < MAX_WAITS_FOR_A_PORT => Verdict::WaitForPort,
            _ => Verdict::Counts,
        },
        _ => Verdict::Counts,
    }
}

/// Returns whether this machine has no free port, or no address of that kind. The
/// operating system does not say which.
pub(super) fn is_addr_not_available(error: &FetchError) -> bool {
    matches!(error, FetchError::Network(ErrorKind::AddrNotAvailable))
}

/// Returns whether a server with too many connections could cause this error.
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

    /// The columns: error, other attempts, others at the server, reached, recovered,
    /// requeues, excused.
    #[test]
    fn each_error_has_one_verdict() {
        use FetchError::{Network, OutOfSockets, TimedOut};
        use Verdict::{Counts, Crowded, Requeue, WaitForPort};
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
            (no_port(), 1, 0, false, 0, 2, 0, WaitForPort),
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
