//! Decides where a body ends, by the rules of RFC 9112 §6.3.

use super::{
    HttpError,
    chunked::Chunked,
    head::Head,
    headers::{Headers, is_coding},
    input::{check_room, take_data},
};

/// How the end of a body is found.
#[derive(Debug)]
pub(super) enum Body {
    /// It ends after this many more bytes.
    Length(u64),
    /// It ends with a chunk of size 0, and trailers.
    Chunked(Chunked),
    /// It ends when the server closes the connection.
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

/// What the head says about the end of the body.
pub(super) struct Framing {
    pub(super) body: Body,
    /// Whether a transfer coding remains that is not removed here.
    pub(super) is_encoded: bool,
    /// Whether every reader of this head agrees on where the body ends. Only then may
    /// another response follow on the connection.
    pub(super) is_unambiguous: bool,
}

impl Framing {
    /// Follows RFC 9112 §6.3, rule by rule.
    ///
    /// # Errors
    /// [`HttpError::Malformed`] for lengths that are wrong or differ, even where a
    /// transfer coding overrides them.
    pub(super) fn of(head: &Head) -> Result<Self, HttpError> {
        let has_coding = head.headers.has("transfer-encoding");
        if matches!(head.status, 204 | 304) {
            // These have no body. If they have a length or a coding nevertheless, other
            // readers may see another end.
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

    /// Handles a transfer coding. A chunked coding can be removed if it is the last one
    /// and occurs once; otherwise the body ends with the connection.
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

/// Returns the length on which all `Content-Length` fields agree (RFC 9110 §8.6).
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

/// Parses digits, and nothing else: `u64::from_str` would accept `+5`.
fn decimal(digits: &[u8]) -> Option<u64> {
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    str::from_utf8(digits).ok()?.parse().ok()
}
