//! HTTP/1 without sockets: a request's bytes, and a parser that is fed what arrives.

mod body;
mod chunked;
mod head;
mod headers;
mod take;

use std::{borrow::Cow, mem};

use thiserror::Error;
use url::{Position, Url};

use body::{Body, Framing};
pub use chunked::{
    FREE_CHUNK_OVERHEAD, MAX_CHUNK_LINE, MAX_TRAILERS, OVERHEAD_PER_BYTE,
};
use head::{Head, HeadReader};
pub use head::{MAX_FIELDS, MAX_HEAD, MAX_INTERIM};
use headers::Headers;

/// Bytes of a redirect's body that are read; a longer one is dropped unread.
pub const MAX_REDIRECT_BODY: u64 = 16 * 1024;

const ACCEPT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// What the request asks the server to do with the connection after the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// Close it.
    Close,
    /// Keep it open for another request.
    KeepAlive,
}

/// The bytes of a GET request for `url`, whole: nothing follows its blank line.
///
/// Fragment, user and password stay here (RFC 9112 §3.2), and a default port is left
/// out (RFC 9110 §4.2.3). Control characters in `user_agent` become spaces, so it stays
/// one line.
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

/// Why the bytes of a server did not become a [`Response`].
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum HttpError {
    /// It is not HTTP/1.x, or its end cannot be known for sure.
    #[error("the answer is not valid HTTP/1: {0}")]
    Malformed(&'static str),
    /// Closed before the first byte of an answer.
    #[error("the server closed the connection without an answer")]
    NoAnswer,
    /// Closed after the first byte and before the promised end.
    #[error("the server closed the connection in the middle of its answer")]
    Truncated,
    /// The body is, or promises to be, longer than `limit` bytes.
    #[error("the body is longer than {limit} bytes")]
    TooLarge {
        /// The most that is accepted, in bytes without the transfer coding.
        limit: u64,
    },
}

/// A whole answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status code, 200 to 999: interim answers are never handed out.
    pub status: u16,
    headers: Headers,
    /// The body without the chunked coding; empty for a redirect that was cut short.
    pub body: Vec<u8>,
    /// May the connection carry another request (RFC 9112 §9.3)?
    pub reusable: bool,
    /// A coding that nobody asked for is still on the body: do not parse it.
    pub coded: bool,
}

impl Response {
    /// The first field of that name, in any case; what is not UTF-8 becomes U+FFFD.
    pub fn header(&self, name: &str) -> Option<Cow<'_, str>> {
        self.headers.all(name).next().map(String::from_utf8_lossy)
    }

    /// Is this a status that a crawler follows? `Location` may still be missing.
    pub fn is_redirect(&self) -> bool {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
    }

    /// The target is all that counts in such an answer, its body is not worth an error.
    fn points_elsewhere(&self) -> bool {
        self.is_redirect() && self.header("location").is_some()
    }
}

/// Turns what arrives on one connection into one [`Response`], however it was split.
///
/// What it stores stays within `max_body` and the limits named in this module, its work
/// is linear in the bytes fed, and no input makes it panic. Once it has returned a
/// response or an error it is spent: feeding it again is [`HttpError::Malformed`].
#[derive(Debug)]
pub struct ResponseParser {
    max_body: u64,
    begun: bool,
    state: State,
}

#[derive(Debug)]
enum State {
    Head(HeadReader),
    Body(Answer),
    Spent,
}

impl ResponseParser {
    /// A parser for one answer, whose body may have `max_body` bytes.
    pub fn new(max_body: u64) -> Self {
        Self { max_body, begun: false, state: State::Head(HeadReader::default()) }
    }

    /// Takes what arrived; an empty chunk is end of file. (A reset is not: then drop
    /// the parser.) A response is whole, `None` means that more has to come.
    ///
    /// A redirect with a `Location` is whole as soon as its body is known to be longer
    /// than [`MAX_REDIRECT_BODY`]; it comes without that body then.
    pub fn feed(&mut self, chunk: &[u8]) -> Result<Option<Response>, HttpError> {
        let state = mem::replace(&mut self.state, State::Spent);
        if chunk.is_empty() {
            return state.close().map(Some);
        }
        self.begun = true;
        let mut input = chunk;
        let mut answer = match state {
            State::Head(mut reader) => match reader.read(&mut input)? {
                Some(head) => Answer::begin(head, self.max_body)?,
                None => {
                    self.state = State::Head(reader);
                    return Ok(None);
                }
            },
            State::Body(answer) => answer,
            State::Spent => return Err(HttpError::Malformed("bytes after its end")),
        };
        if !answer.read(&mut input)? {
            self.state = State::Body(answer);
            return Ok(None);
        }
        answer.response.reusable &= input.is_empty();
        Ok(Some(answer.response))
    }

    /// Has any byte arrived? A kept-alive connection that ends before was stale.
    pub fn has_begun(&self) -> bool {
        self.begun
    }
}

impl State {
    /// The peer has closed the connection: is what it sent whole?
    fn close(self) -> Result<Response, HttpError> {
        match self {
            State::Head(reader) => Err(reader.close()),
            State::Body(Answer { body: Body::UntilClose, response, .. }) => {
                Ok(response)
            }
            State::Body(_) => Err(HttpError::Truncated),
            State::Spent => Err(HttpError::Malformed("bytes after its end")),
        }
    }
}

/// An answer whose body is on its way.
#[derive(Debug)]
struct Answer {
    response: Response,
    body: Body,
    limit: u64,
}

impl Answer {
    fn begin(head: Head, max_body: u64) -> Result<Self, HttpError> {
        let framing = Framing::of(&head)?;
        let response = Response {
            status: head.status,
            reusable: framing.sound && head.keeps_alive(),
            coded: framing.coded || head.headers.has_coding("content-encoding"),
            headers: head.headers,
            body: Vec::new(),
        };
        let mut limit = max_body;
        if response.points_elsewhere() {
            limit = limit.min(MAX_REDIRECT_BODY);
        }
        Ok(Self { response, body: framing.body, limit })
    }

    /// Takes the body from the front of `input`: is it whole?
    fn read(&mut self, input: &mut &[u8]) -> Result<bool, HttpError> {
        let response = &mut self.response;
        match self.body.read(input, &mut response.body, self.limit) {
            Err(HttpError::TooLarge { .. }) if response.points_elsewhere() => {
                response.body = Vec::new();
                response.reusable = false;
                Ok(true)
            }
            whole => whole,
        }
    }
}
