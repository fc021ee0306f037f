//! HTTP/1 without sockets: the bytes of a request, and a parser that is fed the bytes
//! that arrive.
//!
//! `httparse` reads the lines of a head. This module decides where a body ends. The
//! crate `ureq-proto` could do that, too, and also without sockets. There are three
//! reasons not to use it.
//!
//! 1. *It decides too little.* A crawler talks to servers that are broken or hostile.
//!    If two lengths differ, this module returns an error; `ureq-proto` 0.6 takes the
//!    first. If another coding follows `chunked`, this module leaves the body encoded;
//!    the crate decodes it anyway. If a response is readable but another reader could
//!    see another end, this module does not reuse the connection.
//! 2. *It has too few limits.* Here each part of a response has a limit: the head, the
//!    interim responses, the lines between chunks, the trailers, the body. With the
//!    crate, trailers have no limit, and the caller stores the head, which is parsed
//!    from its beginning after each read.
//! 3. *The lesson of chapter 1*: code that never sees a socket can be tested with every
//!    split of its input, and can be read in one sitting.

mod body;
mod chunked;
mod content;
pub mod field;
mod head;
mod headers;
mod input;
mod needs;

use std::{borrow::Cow, mem};

use thiserror::Error;
use url::{Position, Url};

use body::{Body, Framing};
pub use chunked::{
    FREE_CHUNK_OVERHEAD, MAX_CHUNK_LINE, MAX_TRAILERS, OVERHEAD_PER_BYTE,
};
pub use content::{MAX_PARSED, MAX_UNSEARCHED};
pub(crate) use content::{first_part, has_links};
use head::{Head, HeadReader};
pub use head::{MAX_FIELDS, MAX_HEAD, MAX_INTERIM};
use headers::Headers;
pub use needs::Needs;

/// The longest body that is read from a redirect, in bytes. Longer ones are dropped.
pub const MAX_REDIRECT_BODY: u64 = 16 * 1024;

const ACCEPT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// What the client asks the server to do with the connection after the response: the
/// `Connection` field of the request (RFC 9110 §7.6.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionOption {
    /// Close it.
    Close,
    /// Keep it open for another request.
    KeepAlive,
}

/// Returns the bytes of a GET request for `url`. They are the whole request, because a
/// GET has no body.
///
/// The request leaves out fragment, user and password (RFC 9112 §3.2), and a default
/// port (RFC 9110 §4.2.3). Control characters in `user_agent` become spaces: a line
/// break would end the header line.
// ANCHOR: request
pub fn request(url: &Url, user_agent: &str, connection: ConnectionOption) -> Vec<u8> {
    let target = &url[Position::BeforePath..Position::AfterQuery];
    let host = &url[Position::BeforeHost..Position::AfterPort];
    let user_agent = user_agent.replace(char::is_control, " ");
    let connection = match connection {
        ConnectionOption::Close => "close",
        ConnectionOption::KeepAlive => "keep-alive",
    };
    format!(
        "GET {target} HTTP/1.1\r\n\
         Host: {host}\r\n\
         User-Agent: {user_agent}\r\n\
         Accept: {ACCEPT}\r\n\
         Accept-Encoding: identity\r\n\
         Connection: {connection}\r\n\
         \r\n"
    )
    .into_bytes()
}
// ANCHOR_END: request

/// Why the bytes of a server could not be read as a [`Response`].
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum HttpError {
    /// The bytes are not HTTP/1.x, or the end of the response is uncertain.
    #[error("the answer is not valid HTTP/1: {0}")]
    Malformed(&'static str),
    /// The server closed the connection before the first byte of a response.
    #[error("the server closed the connection without an answer")]
    ClosedBeforeResponse,
    /// The server closed the connection after the first byte and before the end of the
    /// response.
    #[error("the server closed the connection in the middle of its answer")]
    Truncated,
    /// The body is longer than `limit` bytes, or the head announces a longer one. Only
    /// bodies that are searched for links cause this error.
    #[error("the body is longer than --max-body, {}", in_units(*limit))]
    TooLarge {
        /// The longest body that is accepted, in bytes without the transfer coding.
        limit: u64,
    },
}

/// Formats a number of bytes in the largest unit that divides it, such as `10 MiB`.
fn in_units(bytes: u64) -> String {
    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;
    match bytes {
        1 => "1 byte".to_string(),
        _ if bytes.is_multiple_of(MIB) => format!("{} MiB", bytes / MIB),
        _ if bytes.is_multiple_of(KIB) => format!("{} KiB", bytes / KIB),
        _ => format!("{bytes} bytes"),
    }
}

/// A complete response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status code, from 200 to 999. Interim responses (1xx) are skipped.
    pub status: u16,
    headers: Headers,
    /// The body without the chunked coding. Empty if it was not read.
    pub body: Vec<u8>,
    /// Whether the connection can be used for another request (RFC 9112 §9.3).
    pub reusable: bool,
    /// Whether the body is still encoded, although the request did not allow a coding.
    /// Such a body cannot be read as text.
    pub is_encoded: bool,
    /// Whether the body is left out: it was not requested, or it is too long and not
    /// needed.
    pub is_head: bool,
}

impl Response {
    /// Creates a response without its body. The connection can be reused only after a
    /// HEAD request, and only if no byte follows the head.
    fn head_alone(head: Head, needs: Needs, is_end: bool) -> Result<Self, HttpError> {
        Framing::of(&head)?; // only checks the lengths
        Ok(Response {
            status: head.status,
            reusable: needs == Needs::Head && is_end && head.keeps_alive(),
            headers: head.headers,
            body: Vec::new(),
            is_encoded: false,
            is_head: true,
        })
    }

    /// Returns the value of the first field with this name, in any case. Bytes that
    /// are not UTF-8 become U+FFFD.
    pub fn header(&self, name: &str) -> Option<Cow<'_, str>> {
        self.header_bytes(name).map(String::from_utf8_lossy)
    }

    /// Returns the value of the first field with this name, in any case, as it
    /// arrived.
    pub(crate) fn header_bytes(&self, name: &str) -> Option<&[u8]> {
        self.headers.all(name).next()
    }

    /// Returns whether the status is that of a redirect. `Location` may be missing.
    pub fn is_redirect(&self) -> bool {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
    }

    /// Returns whether the response is a redirect with a target. Its body is not
    /// needed, so a body that is too long is no error.
    fn is_redirect_with_location(&self) -> bool {
        self.is_redirect() && self.header("location").is_some()
    }
}

/// Parses the bytes of one connection into one [`Response`]. The result does not
/// depend on how the bytes are split into chunks.
///
/// The parser stores at most `max_body` bytes plus the limits of this module, its work
/// is linear in the number of bytes, and no input makes it panic. Do not feed it again
/// after it has returned a response or an error: it would return
/// [`HttpError::Malformed`].
#[derive(Debug)]
pub struct ResponseParser {
    needs: Needs,
    /// Set when the first byte arrives, and never cleared.
    has_begun: bool,
    state: State,
}

#[derive(Debug)]
enum State {
    /// The blank line after the head is still missing.
    Head(HeadReader),
    /// The head is complete, and the body is not.
    Body(PartialResponse),
    /// A response or an error has been returned.
    Spent,
}

impl ResponseParser {
    /// Creates a parser for one response. `needs` says how much of it to read.
    pub fn new(needs: Needs) -> Self {
        Self { needs, has_begun: false, state: State::Head(HeadReader::default()) }
    }

    /// Creates a parser for a whole response with a body of at most `max_body` bytes.
    pub fn with_limit(max_body: u64) -> Self {
        ResponseParser::new(Needs::Whole { max_body })
    }

    /// Returns how much of the response is needed.
    pub fn needs(&self) -> Needs {
        self.needs
    }

    /// Parses the bytes of `chunk`; an empty chunk means end of file. Returns the
    /// response once it is complete, and `None` before. After a reset drop the parser
    /// instead.
    ///
    /// A body that is not searched for links may be dropped. This happens as soon as
    /// it is known to be longer than [`MAX_UNSEARCHED`], or than [`MAX_REDIRECT_BODY`]
    /// in a redirect with a `Location`. Then the response is complete, and it is
    /// returned without the body.
    ///
    /// # Errors
    /// See [`HttpError`].
    pub fn feed(&mut self, chunk: &[u8]) -> Result<Option<Response>, HttpError> {
        let state = mem::replace(&mut self.state, State::Spent);
        if chunk.is_empty() {
            return state.close().map(Some);
        }
        self.has_begun = true;
        let mut input = chunk;
        let mut partial = match state {
            State::Head(mut reader) => match (reader.read(&mut input)?, self.needs) {
                (None, _) => {
                    self.state = State::Head(reader);
                    return Ok(None);
                }
                (Some(head), Needs::Whole { max_body }) => {
                    PartialResponse::begin(head, max_body)?
                }
                (Some(head), needs) => {
                    let is_end = input.is_empty();
                    return Response::head_alone(head, needs, is_end).map(Some);
                }
            },
            State::Body(partial) => partial,
            State::Spent => return Err(HttpError::Malformed("bytes after its end")),
        };
        if !partial.read(&mut input)? {
            self.state = State::Body(partial);
            return Ok(None);
        }
        // Leftover bytes would be read as the start of the next response.
        partial.response.reusable &= input.is_empty();
        Ok(Some(partial.response))
    }

    /// Returns how many bytes of memory the parser uses: for the head, then for the
    /// body. The memory for a body doubles when it is full, but never exceeds the
    /// limit of the body, nor its length if that is known.
    pub fn held(&self) -> usize {
        match &self.state {
            State::Head(reader) => reader.held(),
            State::Body(partial) => partial.response.body.capacity(),
            State::Spent => 0,
        }
    }

    /// Returns whether any byte has arrived. A kept connection that ends before the
    /// first byte was stale: the server had closed it before the request arrived.
    pub fn has_begun(&self) -> bool {
        self.has_begun
    }
}

impl State {
    /// Handles the end of the connection. Returns the response if it is complete, and
    /// otherwise an error that says what is missing.
    fn close(self) -> Result<Response, HttpError> {
        match self {
            State::Head(reader) => Err(reader.close()),
            State::Body(PartialResponse {
                body: Body::UntilClose, response, ..
            }) => Ok(response),
            State::Body(_) => Err(HttpError::Truncated),
            State::Spent => Err(HttpError::Malformed("bytes after its end")),
        }
    }
}

/// A response whose body is still incomplete.
#[derive(Debug)]
struct PartialResponse {
    /// Returned once the body is complete; its `body` grows with each read.
    response: Response,
    /// Finds the end of the body.
    body: Body,
    /// The longest body that is read, in bytes.
    limit: u64,
    /// Whether a body above the limit is an error. If not, the body is dropped.
    is_needed: bool,
}

impl PartialResponse {
    fn begin(head: Head, max_body: u64) -> Result<Self, HttpError> {
        let framing = Framing::of(&head)?;
        let response = Response {
            status: head.status,
            reusable: framing.is_unambiguous && head.keeps_alive(),
            is_encoded: framing.is_encoded
                || head.headers.has_coding("content-encoding"),
            headers: head.headers,
            body: Vec::new(),
            is_head: false,
        };
        let is_needed = response.is_searched();
        let limit = match is_needed {
            true => max_body,
            false if response.is_redirect_with_location() => {
                max_body.min(MAX_REDIRECT_BODY)
            }
            false => max_body.min(MAX_UNSEARCHED),
        };
        Ok(Self { response, body: framing.body, limit, is_needed })
    }

    /// Moves bytes of the body from the front of `input` to the response. Returns
    /// whether the body is complete.
    fn read(&mut self, input: &mut &[u8]) -> Result<bool, HttpError> {
        let response = &mut self.response;
        match self.body.read(input, &mut response.body, self.limit) {
            Err(HttpError::TooLarge { .. }) if !self.is_needed => {
                response.body = Vec::new();
                response.is_head = true;
                response.reusable = false;
                Ok(true)
            }
            result => result,
        }
    }
}
