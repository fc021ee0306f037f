//! A job: one URL to be fetched, and what its attempts have come to so far.

use super::servers::ServerId;
use super::url_id::UrlId;
use crate::error::FetchError;
use crate::http::Needs;
use crate::page::FetchResult;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The pause before the second attempt; it doubles with each further one.
pub const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// No pause is longer. A server that asks for a longer one gets no further attempt.
pub const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// One URL to be fetched: one attempt at it. Each job that is begun is settled.
#[derive(Debug)]
pub struct Job {
    /// What to fetch. The text is the ledger's own: a queued job has no copy of it.
    pub url: Arc<str>,
    /// How long to wait before the fetch; zero for a first attempt.
    pub pause: Duration,
    pub(super) id: UrlId,
    pub(super) server: ServerId,
    /// How much of the response the latest attempt needs.
    pub(super) needs: Needs,
    /// Attempts so far, without those that had no socket or no port.
    pub(super) attempts: u32,
    /// Those of them that do not count against `--max-tries`.
    pub(super) excused: u32,
    /// When the latest attempt began.
    pub(super) began: Instant,
    /// How often it was begun and undone since its latest real attempt.
    pub(super) requeues: u32,
    /// Whether the server has refused it while others were in flight.
    pub(super) was_refused: bool,
    /// Whether the server was known to be crowded when the latest attempt began.
    pub(super) is_crowded: bool,
    /// The most attempts that had been in flight at once when this one began.
    pub(super) peak_before: usize,
    /// Whether its next attempt may begin, with `--delay`. Cleared when it does.
    pub(super) has_turn: bool,
}

impl Job {
    /// Returns the number of the job's URL. No other job that is queued, pausing or in
    /// flight has it.
    pub fn id(&self) -> UrlId {
        self.id
    }

    /// Returns the number of the URL's server.
    pub fn server(&self) -> ServerId {
        self.server
    }

    /// Returns how much of the response the attempt that was begun needs.
    pub fn needs(&self) -> Needs {
        self.needs
    }

    /// Returns whether the latest attempt was a HEAD request, and a GET request may give
    /// something else: not where no request could be sent, nor where the server asks for
    /// a pause that is too long.
    pub(super) fn is_refused_head(&self, result: &FetchResult) -> bool {
        use ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};
        let may_differ = match result {
            Ok(page) if page.is_busy() => {
                page.retry_after.is_none_or(|pause| pause <= LONGEST_PAUSE)
            }
            Ok(page) => !page.is_success() && !matches!(page.redirect, Some(Ok(_))),
            Err(FetchError::Network(kind)) => {
                matches!(kind, BrokenPipe | ConnectionAborted | ConnectionReset)
            }
            Err(error) => {
                matches!(error, FetchError::Http(_) | FetchError::TimedOut(_))
            }
        };
        self.needs == Needs::Head && may_differ
    }

    /// Excuses the latest attempt: it does not count against `--max-tries`.
    pub(super) fn excuse(&mut self) {
        self.excused += 1;
    }

    /// Returns whether a kept connection will do for this attempt: for the first one,
    /// and where the server refuses new connections above a limit of its own.
    pub fn may_reuse_connection(&self) -> bool {
        self.attempts <= 1 || self.is_crowded
    }
}
