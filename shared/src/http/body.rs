//! Decides where a body ends, by the rules of RFC 9112 §6.3.

use super::{
    HttpError,
    chunked::Chunked,
    head::Head,
    headers::{Headers, is_coding},
    input::{check_room, take_data},
};

/// How to find the end of a body.
#[derive(Debug)]
pub(super) enum Body {
    /// The body ends after this many more bytes.
    Length(u64),
    /// The body ends with a chunk of size 0, followed by trailers.
    Chunked(Chunked),
    /// The body ends when the server closes the connection.
    UntilClose,
}

impl Body {
    /// Moves bytes of the body from the front of `input` to `body`. Returns whether the
    /// body is complete.
    pub(super) fn read(
        &mut self,
        input: &mut &[u8],
        body: &mut Vec<u8>,
        limit: u64,
    ) -> Result<bool, HttpError> {
        match self {
            Body::Length(left) => {
                check_room(*left, body, limit)?;
                let length = body.len() as u64 + *left;
                *left = take_data(*left, input, body, length);
                Ok(*left == 0)
            }
            Body::Chunked(chunked) => chunked.read(input, body, limit),
            Body::UntilClose => {
                check_room(input.len() as u64, body, limit)?;
                take_data(input.len() as u64, input, body, limit);
                Ok(false)
            }
        }
    }
}

/// How a body is delimited, as its head says.
pub(super) struct Framing {
    pub(super) body: Body,
    /// Whether the body is returned encoded, because only `chunked` is decoded here.
    pub(super) is_encoded: bool,
    /// Whether every reader of this head agrees on where the body ends. Only then may
    /// another response follow on the connection.
    pub(super) is_unambiguous: bool,
}

impl Framing {
    /// Applies the rules of RFC 9112 §6.3 in their order.
    ///
    /// # Errors
    /// [`HttpError::Malformed`] if a length is not a number, or if two lengths differ,
    /// even where a transfer coding overrides them.
    pub(super) fn of(head: &Head) -> Result<Self, HttpError> {
        let has_coding = head.headers.has("transfer-encoding");
        if matches!(head.status, 204 | 304) {
            // Such a response has no body. If it names a length or a coding
            // nevertheless, other readers may see another end.
            let is_unambiguous = !has_coding && !head.headers.has("content-length");
            return Ok(Self {
                body: Body::Length(0),
                is_encoded: false,
                is_unambiguous,
            });
        }
        let length = content_length(&head.headers)?;
        if has_coding {
            let mut framing = Self::of_codings(&head.headers);
            framing.is_unambiguous &= length.is_none() && !head.is_old;
            return Ok(framing);
        }
        let body = length.map_or(Body::UntilClose, Body::Length);
        Ok(Self { body, is_encoded: false, is_unambiguous: length.is_some() })
    }

    /// Decides by the transfer codings. A single `chunked` at the end of the list can
    /// be decoded. With any other list the body ends when the connection does.
    fn of_codings(headers: &Headers) -> Self {
        let is_chunked = |coding: &[u8]| coding.eq_ignore_ascii_case(b"chunked");
        let mut codings: Vec<_> = headers.elements("transfer-encoding").collect();
        codings.retain(|coding| !coding.is_empty());
        let is_unambiguous = codings.pop_if(|last| is_chunked(last)).is_some()
            && !codings.iter().any(|coding| is_chunked(coding));
        if !is_unambiguous {
            let is_encoded = headers.has_coding("transfer-encoding");
            return Self { body: Body::UntilClose, is_encoded, is_unambiguous };
        }
        let is_encoded = codings.into_iter().any(is_coding);
        Self { body: Body::Chunked(Chunked::default()), is_encoded, is_unambiguous }
    }
}

/// Returns the value that all `Content-Length` fields share (RFC 9110 §8.6).
fn content_length(headers: &Headers) -> Result<Option<u64>, HttpError> {
    let mut agreed = None;
    for element in headers.elements("content-length") {
        let length =
            decimal(element).ok_or(HttpError::Malformed("its length is no number"))?;
        if agreed.is_some_and(|agreed| agreed != length) {
            return Err(HttpError::Malformed("it has two lengths"));
        }
        agreed = Some(length);
    }
    Ok(agreed)
}

/// Parses a number that consists of digits only: `u64::from_str` would accept `+5`.
fn decimal(digits: &[u8]) -> Option<u64> {
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    str::from_utf8(digits).ok()?.parse().ok()
}
