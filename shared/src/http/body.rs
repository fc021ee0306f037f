//! Where a body ends: the rules of RFC 9112 §6.3.

use super::{
    HttpError,
    chunked::Chunked,
    head::Head,
    headers::{Headers, is_coding},
    take::{check_room, take_data},
};

/// How the end of a body is found.
#[derive(Debug)]
pub(super) enum Body {
    /// After so many more bytes.
    Length(u64),
    /// Its chunks say so.
    Chunked(Chunked),
    /// When the server closes the connection.
    UntilClose,
}

impl Body {
    /// Moves the body's bytes from the front of `input` to `body`: is it whole?
    pub(super) fn read(
        &mut self,
        input: &mut &[u8],
        body: &mut Vec<u8>,
        limit: u64,
    ) -> Result<bool, HttpError> {
        match self {
            Body::Length(left) => {
                check_room(*left, body, limit)?;
                *left = take_data(*left, input, body);
                Ok(*left == 0)
            }
            Body::Chunked(chunked) => chunked.read(input, body, limit),
            Body::UntilClose => {
                check_room(input.len() as u64, body, limit)?;
                take_data(input.len() as u64, input, body);
                Ok(false)
            }
        }
    }
}

/// What the head says about the body.
pub(super) struct Framing {
    pub(super) body: Body,
    /// A transfer coding stays on the body.
    pub(super) coded: bool,
    /// The end is beyond doubt: another answer may follow on the connection.
    pub(super) sound: bool,
}

impl Framing {
    /// Follows RFC 9112 §6.3, rule by rule. Lengths that are wrong or differ are
    /// [`HttpError::Malformed`], even where a transfer coding overrides them.
    pub(super) fn of(head: &Head) -> Result<Self, HttpError> {
        let has_coding = head.headers.has("transfer-encoding");
        if matches!(head.status, 204 | 304) {
            // A length or a coding here is wrong, or of the body that was left out.
            let sound = !has_coding && !head.headers.has("content-length");
            return Ok(Self { body: Body::Length(0), coded: false, sound });
        }
        let length = content_length(&head.headers)?;
        if has_coding {
            let mut framing = Self::of_codings(&head.headers);
            framing.sound &= length.is_none() && !head.is_old;
            return Ok(framing);
        }
        let body = length.map_or(Body::UntilClose, Body::Length);
        Ok(Self { body, coded: false, sound: length.is_some() })
    }

    /// Only a chunked coding that is the last one, and occurs once, can be decoded.
    fn of_codings(headers: &Headers) -> Self {
        let is_chunked = |coding: &[u8]| coding.eq_ignore_ascii_case(b"chunked");
        let mut codings: Vec<_> = headers.elements("transfer-encoding").collect();
        codings.retain(|coding| !coding.is_empty());
        let sound = codings.pop_if(|last| is_chunked(last)).is_some()
            && !codings.iter().any(|coding| is_chunked(coding));
        if !sound {
            let coded = headers.has_coding("transfer-encoding");
            return Self { body: Body::UntilClose, coded, sound };
        }
        let coded = codings.into_iter().any(is_coding);
        Self { body: Body::Chunked(Chunked::default()), coded, sound }
    }
}

/// The one length that all `Content-Length` fields agree on (RFC 9110 §8.6).
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

/// Digits only: Rust's own parser would accept `+5`.
fn decimal(digits: &[u8]) -> Option<u64> {
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    str::from_utf8(digits).ok()?.parse().ok()
}
