//! HTTP/1 without sockets: the bytes of a request, and a parser that is fed the bytes
//! that arrive.
//!
//! `httparse` reads the lines of a head. Where a body ends is decided here, although a
//! crate exists that does it without sockets, too (`ureq-proto`). There are three
//! reasons.
//!
//! 1. *It does not decide what a crawler has to decide.* A crawler talks to servers
//!    that are broken or hostile. Two lengths that differ are an error here;
//!    `ureq-proto` 0.6 takes the first. A coding after `chunked` leaves the body
//!    encoded here; there the body is decoded nevertheless. Where a response can be
//!    read, but another reader could see another end, the connection is not used again.
//! 2. *Limits.* Each part of a response has a limit here: the head, the interim
//!    responses, the lines between chunks, the trailers, the body. With the crate the
//!    caller stores the head, which is parsed from its beginning after each read, and
//!    trailers have no limit.
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
pub(crate) use content::first_part;
pub use content::{MAX_PARSED, MAX_UNSEARCHED};
use head::{Head, HeadReader};
pub use head::{MAX_FIELDS, MAX_HEAD, MAX_INTERIM};
use headers::Headers;
pub use needs::Needs;

/// The longest body of a redirect that is read, in bytes; a longer one is dropped.
pub const MAX_REDIRECT_BODY: u64 = 16 * 1024;

const ACCEPT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// What the request asks the server to do with the connection after the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// Close it.
    Close,
    /// Keep it open for another request.
    KeepAlive,
}

/// Returns the bytes of a GET request for `url`. The whole request, since a GET has no
/// body.
///
/// Fragment, user and password are not sent (RFC 9112 §3.2), nor is a default port (RFC
/// 9110 §4.2.3). Control characters in `user_agent` become spaces, so that it stays on
/// its line.
// ANCHOR: request
pub fn request(url: &Url, user_agent: &str, connection: Connection) -> Vec<u8> {
    let target = &url[Position::BeforePath..Position::AfterQuery];
    let host = &url[Position::BeforeHost..Position::AfterPort];
    let user_agent = user_agent.replace(char::is_control, " ");
    let connection = match connection {
        Connection::Close => "close",
        Connection::KeepAlive => "keep-alive",
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

/// Why the bytes that a server sent did not become a [`Response`].
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum HttpError {
    /// The bytes are not HTTP/1.x, or it is not certain where the response ends.
    #[error("the answer is not valid HTTP/1: {0}")]
    Malformed(&'static str),
    /// The server closed the connection before the first byte of a response.
    #[error("the server closed the connection without an answer")]
    ClosedBeforeResponse,
    /// The server closed the connection after the first byte and before the end of the
    /// response.
    #[error("the server closed the connection in the middle of its answer")]
    Truncated,
    /// The body is longer than `limit` bytes, or the head announces that it will be. Only
    /// a body that is searched for links can be too large.
    #[error("the body is longer than --max-body, {}", in_units(*limit))]
    TooLarge {
        /// The longest body that is accepted, in bytes without the transfer coding.
        limit: u64,
    },
}

/// Returns a number of bytes in the largest unit that divides it: `10 MiB`.
fn in_units(bytes: u64) -> String {
    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;
    match bytes {
        0 => "0 bytes".to_string(),
        1 => "1 byte".to_string(),
        _ if bytes.is_multiple_of(MIB) => format!("{} MiB", bytes / MIB),
        _ if bytes.is_multiple_of(KIB) => format!("{} KiB", bytes / KIB),
        _ => format!("{bytes} bytes"),
    }
}

/// A complete response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status code, 200 to 999: interim (1xx) responses are skipped.
    pub status: u16,
    headers: Headers,
    /// The body without the chunked coding; empty if it was not read.
    pub body: Vec<u8>,
    /// Whether the connection can be used for another request (RFC 9112 §9.3).
    pub reusable: bool,
    /// Whether the body is still encoded, although the request asked for no coding.
    /// Such a body cannot be read as text.
    pub is_encoded: bool,
    /// Whether this is the head alone: the body was not asked for, or it is not needed
    /// and too long to be read.
    pub is_head: bool,
}

impl Response {
    /// Creates a response without its body. The connection can be reused only after a
    /// HEAD request, and only if no byte follows the head.
    fn head_alone(head: Head, needs: Needs, is_end: bool) -> Result<Self, HttpError> {
        Framing::of(&head)?; // still checks the lengths
        Ok(Response {
            status: head.status,
            reusable: needs == Needs::Head && is_end && head.keeps_alive(),
            headers: head.headers,
            body: Vec::new(),
            is_encoded: false,
            is_head: true,
        })
    }

    /// Returns the first field of that name, in upper or lower case; bytes that are not
    /// UTF-8 become U+FFFD.
    pub fn header(&self, name: &str) -> Option<Cow<'_, str>> {
        self.header_bytes(name).map(String::from_utf8_lossy)
    }

    /// The first field of that name, in any case, as it arrived.
    pub(crate) fn header_bytes(&self, name: &str) -> Option<&[u8]> {
        self.headers.all(name).next()
    }

    /// Returns whether the status is one that a crawler follows. `Location` may still
    /// be missing.
    pub fn is_redirect(&self) -> bool {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
    }

    /// Returns whether the response leads somewhere else. Then a crawler needs nothing
    /// but the target, and a body that is too long is not an error.
    fn is_redirect_with_location(&self) -> bool {
        self.is_redirect() && self.header("location").is_some()
    }
}

/// Turns the bytes of one connection into one [`Response`], however they are split into
/// chunks.
///
/// It stores no more than `max_body` and the limits of this module allow, its work is
/// linear in the bytes fed, and no input makes it panic. After it has returned a
/// response or an error it must not be fed again: that returns
/// [`HttpError::Malformed`].
#[derive(Debug)]
pub struct ResponseParser {
    needs: Needs,
    /// Set by the first byte, and never cleared.
    begun: bool,
    state: State,
}

#[derive(Debug)]
enum State {
    /// The blank line after the head has not come yet.
    Head(HeadReader),
    /// The head is complete, the body is not.
    Body(PartialResponse),
    /// A response or an error has been returned.
    Spent,
}

impl ResponseParser {
    /// Creates a parser for one response, of which this much is needed.
    pub fn new(needs: Needs) -> Self {
        Self { needs, begun: false, state: State::Head(HeadReader::default()) }
    }

    /// Creates a parser for a whole response with a body of at most `max_body` bytes.
    pub fn with_limit(max_body: u64) -> Self {
        ResponseParser::new(Needs::Whole { max_body })
    }

    /// Returns how much of the response is needed.
    pub fn needs(&self) -> Needs {
        self.needs
    }

    /// Takes the bytes that arrived; an empty chunk means end of file. (After a reset
    /// drop the parser instead.) Returns the response once it is complete, `None`
    /// before.
    ///
    /// A body that is not searched for links is not needed. The response is complete as
    /// soon as such a body is known to be longer than [`MAX_UNSEARCHED`], or than
    /// [`MAX_REDIRECT_BODY`] if it belongs to a redirect with a `Location`; it is returned
    /// without that body.
    ///
    /// # Errors
    /// See [`HttpError`].
    pub fn feed(&mut self, chunk: &[u8]) -> Result<Option<Response>, HttpError> {
        let state = mem::replace(&mut self.state, State::Spent);
        if chunk.is_empty() {
            return state.close().map(Some);
        }
        self.begun = true;
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
        // Bytes after the end would be read as the next response.
        partial.response.reusable &= input.is_empty();
        Ok(Some(partial.response))
    }

    /// Returns how many bytes of memory hold what has arrived: of the head, then of the body.
    /// The memory for a body grows by doubling, but never beyond its limit, or its length
    /// where that is known.
    pub fn held(&self) -> usize {
        match &self.state {
            State::Head(reader) => reader.held(),
            State::Body(partial) => partial.response.body.capacity(),
            State::Spent => 0,
        }
    }

    /// Returns whether any byte has arrived. A kept connection that ends before the
    /// first byte was stale: the server had closed it before it saw the request.
    pub fn has_begun(&self) -> bool {
        self.begun
    }
}

impl State {
    /// Handles the end of the connection: returns the response if it is complete, else
    /// the reason why it is not.
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

/// A response whose body has not arrived completely.
#[derive(Debug)]
struct PartialResponse {
    /// Returned once the body is complete; its `body` grows with each read.
    response: Response,
    /// How the end of the body is found.
    body: Body,
    /// The longest body that is read, in bytes.
    limit: u64,
    /// Whether a longer body is too large. Otherwise it is dropped.
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

    /// Takes bytes of the body from the front of `input`. Returns whether the body is
    /// complete.
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
