//! The errors of a fetch, with messages for the report.

use crate::http::HttpError;
use crate::report::Outcome;
use std::io::{self, ErrorKind};
use std::time::Duration;

/// Why an attempt ended without a complete response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The time for the attempt is over. It includes look-up, connection, request and
    /// response.
    #[error("no whole answer within {} s", .0.as_secs_f64())]
    TimedOut(Duration),
    /// The response is malformed, incomplete or too large.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The name has no address. A retry would not help.
    #[error("no address found for the name {0}")]
    NoSuchName(String),
    /// No name server could say whether the name has an address.
    #[error("no name server gave an answer for the name {0}")]
    LookUpFailed(String),
    /// The connection could not be established, or it failed.
    #[error("{}", describe_kind(*.0))]
    Network(ErrorKind),
    /// The TLS handshake failed. A retry may help.
    #[error("no safe connection: {0}")]
    Tls(&'static str),
    /// The server does not speak TLS, or no version that this program speaks. A retry
    /// would not help.
    #[error("no safe connection: {0}")]
    NoTls(&'static str),
    /// The certificate is not valid for this server. A retry would not help.
    #[error("no safe connection: {0}")]
    Certificate(&'static str),
    /// This process or this machine is out of sockets.
    #[error("out of sockets on this machine{}", descriptors())]
    OutOfSockets,
    /// The URL is https, and this program speaks http only.
    #[error("this stage speaks http only; https is for stage 3 (stage3-async)")]
    HttpsNotSpoken,
    /// The crawl was stopped during the fetch. The URL gets no row in the report.
    #[error("interrupted")]
    Interrupted,
}

impl FetchError {
    /// Returns the outcome that the report shows.
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

    /// Returns whether another attempt may succeed: after an incomplete response, and
    /// after network errors, except for a name that does not exist, a bad certificate,
    /// and a server without TLS.
    pub(crate) fn is_worth_another_try(&self) -> bool {
        match self {
            FetchError::TimedOut(_)
            | FetchError::LookUpFailed(_)
            | FetchError::Network(_)
            | FetchError::Tls(_)
            | FetchError::OutOfSockets => true,
            FetchError::Http(error) => {
                matches!(error, HttpError::Truncated | HttpError::ClosedBeforeResponse)
            }
            FetchError::NoSuchName(_)
            | FetchError::NoTls(_)
            | FetchError::Certificate(_)
            | FetchError::HttpsNotSpoken
            | FetchError::Interrupted => false,
        }
    }

    /// Returns the more telling of two errors; `self` is the earlier one. "Out of
    /// sockets" ranks highest, because such an attempt does not count. "No address of
    /// that kind on this machine" ranks lowest. Of equals the later one is returned.
    pub fn more_telling(self, later: FetchError) -> FetchError {
        let rank = |error: &FetchError| match error {
            FetchError::OutOfSockets => 2,
            FetchError::Network(ErrorKind::AddrNotAvailable) => 0,
            _ => 1,
        };
        if rank(&self) > rank(&later) { self } else { later }
    }

    /// Returns whether at least the beginning of a response has arrived.
    pub(crate) fn was_answered(&self) -> bool {
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

/// Returns whether this process or this machine is out of sockets (descriptors or
/// buffers). Then a retry may succeed when another connection of the crawl has ended.
pub(crate) fn is_out_of_sockets(error: &io::Error) -> bool {
    // EMFILE: too many files in the process. ENFILE: in the system. ENOBUFS: no buffer
    // space. std has no stable kinds for them.
    #[cfg(unix)]
    const NUMBERS: [i32; 3] = [libc::EMFILE, libc::ENFILE, libc::ENOBUFS];
    #[cfg(not(unix))] // WSAEMFILE and WSAENOBUFS
    const NUMBERS: [i32; 2] = [10024, 10055];
    error.raw_os_error().is_some_and(|number| NUMBERS.contains(&number))
}

/// Returns whether this error of `connect` only says that a non-blocking socket has
/// begun to connect. (std has no stable kind for EINPROGRESS.)
pub fn is_in_progress(error: &io::Error) -> bool {
    #[cfg(unix)]
    if error.raw_os_error() == Some(libc::EINPROGRESS) {
        return true;
    }
    error.kind() == ErrorKind::WouldBlock
}

/// Returns the limit of descriptors, as the end of an error message; empty if there is
/// none. Each socket needs a descriptor. The limit is that of this process, which the
/// program has raised as far as the system allows.
fn descriptors() -> String {
    #[cfg(unix)]
    if let Ok((limit, _)) = rlimit::Resource::NOFILE.get()
        && limit != rlimit::INFINITY
    {
        return format!(" (`ulimit -n` is {limit})");
    }
    String::new()
}

/// Describes an error for the user. The text depends on the kind of a system error,
/// not on the system's own message.
pub fn describe(error: &io::Error) -> String {
    match error.kind() {
        _ if error.get_ref().is_some() => error.to_string(),
        _ if is_out_of_sockets(error) => format!("out of descriptors{}", descriptors()),
        ErrorKind::NotFound => "no such file or folder".to_string(),
        ErrorKind::NotADirectory => "not a folder".to_string(),
        ErrorKind::IsADirectory => "it is a folder".to_string(),
        _ if error.raw_os_error().is_none() => error.to_string(),
        kind => kind.to_string(),
    }
}

/// Describes the kind of a network error.
fn describe_kind(kind: ErrorKind) -> &'static str {
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
