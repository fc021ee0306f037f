//! Why a URL could not be fetched, in words for the person who reads the report.

use crate::http::HttpError;
use crate::report::Outcome;
use std::io::{self, ErrorKind};
use std::time::Duration;

/// Why one try at a URL ended without a whole answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The time for one try was over: name, connection, request and answer together.
    #[error("no whole answer within {} s", .0.as_secs_f64())]
    TimedOut(Duration),
    /// What came is not an answer that we can use.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The name has no address, or nobody could say.
    #[error("no address found for the name {0}")]
    NoSuchName(String),
    /// The network or the server's machine refused.
    #[error("{}", in_words(*.0))]
    Network(ErrorKind),
    /// There is no safe connection: no TLS, or a certificate that proves nothing.
    #[error("no safe connection: {0}")]
    Tls(&'static str),
    /// This process, or this machine, has no socket left for another connection.
    #[error("out of sockets on this machine")]
    OutOfSockets,
    /// This program does not speak the URL's scheme.
    #[error("this stage speaks http only; https is for stage 3 (stage3-async)")]
    HttpsNotSpoken,
    /// The crawl was stopped meanwhile: the URL gets no row.
    #[error("interrupted")]
    Interrupted,
    /// Whatever the fetch waits for, nothing can happen any more: who waits on what, a
    /// line each. The URL gets no row.
    #[error("stuck: {0}")]
    Stuck(String),
}

impl FetchError {
    /// The outcome that the report shows for it.
    pub fn outcome(&self) -> Outcome {
        match self {
            FetchError::TimedOut(_) => Outcome::Timeout,
            FetchError::Http(HttpError::TooLarge { .. }) => Outcome::TooLarge,
            FetchError::Http(HttpError::Malformed(_)) => Outcome::Malformed,
            FetchError::Http(_) => Outcome::Truncated,
            FetchError::HttpsNotSpoken => Outcome::Unsupported,
            _ => Outcome::NetworkError,
        }
    }

    /// Is another try worth it? Where chance may have been at work, and for all that
    /// the report calls a network error.
    pub fn is_worth_another_try(&self) -> bool {
        match self {
            FetchError::TimedOut(_)
            | FetchError::NoSuchName(_)
            | FetchError::Network(_)
            | FetchError::Tls(_)
            | FetchError::OutOfSockets => true,
            FetchError::Http(error) => {
                matches!(error, HttpError::Truncated | HttpError::NoAnswer)
            }
            FetchError::HttpsNotSpoken
            | FetchError::Interrupted
            | FetchError::Stuck(_) => false,
        }
    }

    /// Of the errors of two addresses, the earlier and this one: which tells more? That
    /// there was no socket to try, since then it is not over; that this machine has no
    /// address of that kind tells least.
    pub fn or_later(self, later: FetchError) -> FetchError {
        let rank = |error: &FetchError| match error {
            FetchError::OutOfSockets => 2,
            FetchError::Network(ErrorKind::AddrNotAvailable) => 0,
            _ => 1,
        };
        if rank(&self) > rank(&later) { self } else { later }
    }

    /// Did an HTTP server say anything at all?
    pub fn was_answered(&self) -> bool {
        matches!(
            self,
            FetchError::Http(HttpError::Truncated | HttpError::TooLarge { .. })
        )
    }
}

impl From<io::Error> for FetchError {
    fn from(error: io::Error) -> FetchError {
        match is_out_of_sockets(&error) {
            true => FetchError::OutOfSockets,
            false => FetchError::Network(error.kind()),
        }
    }
}

/// Is this process, or this machine, out of sockets (descriptors, buffers)?
/// Then the cure is to wait until one of our own connections ends.
pub fn is_out_of_sockets(error: &io::Error) -> bool {
    // Too many files in the process, in the system, no buffer space: std has no stable
    // kind for these three.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const NUMBERS: [i32; 3] = [24, 23, 105];
    #[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
    const NUMBERS: [i32; 3] = [24, 23, 55];
    #[cfg(not(unix))]
    const NUMBERS: [i32; 2] = [10024, 10055];
    error.raw_os_error().is_some_and(|number| NUMBERS.contains(&number))
}

/// Does it only say that a connection is not made yet, since the socket does not block?
/// (std has no stable kind for EINPROGRESS.)
pub fn is_under_way(error: &io::Error) -> bool {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const IN_PROGRESS: i32 = 115;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const IN_PROGRESS: i32 = 36;
    let is_in_progress = cfg!(unix) && error.raw_os_error() == Some(IN_PROGRESS);
    is_in_progress || error.kind() == ErrorKind::WouldBlock
}

/// Why this machine gave no file, folder or thread: worded by us, where the error is
/// the system's.
pub fn worded(error: &io::Error) -> String {
    match error.kind() {
        _ if error.raw_os_error().is_none() => error.to_string(),
        _ if is_out_of_sockets(error) => "out of descriptors".to_string(),
        ErrorKind::NotFound => "no such file or folder".to_string(),
        kind => kind.to_string(),
    }
}

fn in_words(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::ConnectionRefused => "connection refused",
        ErrorKind::ConnectionReset => "connection reset by the server",
        ErrorKind::ConnectionAborted => "connection aborted",
        ErrorKind::BrokenPipe => "the server hung up while it was being asked",
        ErrorKind::NotConnected => "the connection is gone",
        ErrorKind::HostUnreachable => "no way to the server's machine",
        ErrorKind::NetworkUnreachable => "no way to the server's network",
        ErrorKind::NetworkDown => "the network is down",
        ErrorKind::TimedOut => "the server's machine does not answer",
        ErrorKind::AddrNotAvailable => "no local port left, or no address of that kind",
        ErrorKind::WouldBlock => "nothing came in time",
        ErrorKind::PermissionDenied => "this machine forbids the connection",
        _ => "the network failed",
    }
}
