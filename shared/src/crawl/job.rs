//! A job: a URL to fetch, and the history of its attempts.

use super::servers::ServerId;
use super::url_id::UrlId;
use crate::error::FetchError;
use crate::http::Needs;
use crate::page::FetchResult;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The pause before the second attempt. It doubles with each further attempt.
pub const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The longest pause. If a server asks for a longer one, there is no further attempt.
pub const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// A URL to fetch with one attempt. A job that has begun is always settled.
#[derive(Debug)]
pub struct Job {
    /// The URL, shared with the ledger: a queued job needs no copy.
    pub url: Arc<str>,
    /// How long to wait before the attempt; zero for the first one.
    pub pause: Duration,
    pub(super) id: UrlId,
    pub(super) server: ServerId,
    /// How much of the response the latest attempt needs. Set by `Ledger::begin`.
    pub(super) needs: Needs,
    /// How many attempts have begun, without those that had no socket or no port.
    pub(super) attempts: u32,
    /// How many of `attempts` do not count against `--max-tries`.
    pub(super) excused: u32,
    /// When the latest attempt began.
    pub(super) began: Instant,
    /// How often in a row an attempt had no socket or no port. Reset by a real
    /// attempt.
    pub(super) requeues: u32,
    /// Set when the server refuses an attempt while others were in flight.
    pub(super) was_refused: bool,
    /// Whether the server was known to be crowded when the latest attempt began.
    pub(super) is_crowded: bool,
    /// The ledger's `peak` when the latest attempt began.
    pub(super) peak_before: usize,
    /// Set when `pace` gives the job a permit, cleared when its attempt begins.
    pub(super) has_permit: bool,
}

impl Job {
    /// Returns the number of the job's URL. No other open job has the same number.
    pub fn id(&self) -> UrlId {
        self.id
    }

    /// Returns the number of the URL's server.
    pub fn server(&self) -> ServerId {
        self.server
    }

    /// Returns how much of the response the latest attempt needs.
    pub fn needs(&self) -> Needs {
        self.needs
    }

    /// Returns whether the latest attempt was a HEAD request that a GET request should
    /// repeat. It should not if no request was sent, or if the server asks for too
    /// long a pause.
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

    /// Returns whether a kept connection may be used for this attempt: for the first
    /// one, and if the server limits its connections.
    pub fn may_reuse_connection(&self) -> bool {
        self.attempts <= 1 || self.is_crowded
    }
}
