//! The head: what it says, and which heads are refused. Two readings of it agree.

use arbitrary::{Arbitrary, Unstructured};
use shared::http::MAX_PARSED;
use shared::{HttpError, Response};

use crate::feed::{Answer, check_splits};
use crate::plain_head::{self, Head, Reading};

/// Any bytes, behind what leads to a limit.
#[derive(Arbitrary, Debug)]
struct Input<'a> {
    cut: u16,
    before: Before,
    bytes: &'a [u8],
}

#[derive(Arbitrary, Debug)]
enum Before {
    Nothing,
    InterimAnswers(u8),
    Fields(u16),
}

const MAX_BODY: u64 = 1000;

/// Reads the same head as the plain reading does, and refuses the same.
pub fn check(data: &[u8]) {
    let Ok(input) = Input::arbitrary_take_rest(Unstructured::new(data)) else { return };
    let wire = [before(&input.before), input.bytes.to_vec()].concat();
    let answer = check_splits(&wire, &[input.cut], MAX_BODY);
    match plain_head::read(&wire) {
        Reading::Wrong => assert!(is_malformed(&answer), "{answer:?}"),
        Reading::Unfinished => assert!(answer.is_err(), "{answer:?}"),
        Reading::Whole(head, rest) => check_answer(&answer, &head, rest),
    }
}

fn before(shape: &Before) -> Vec<u8> {
    match shape {
        Before::Nothing => Vec::new(),
        Before::InterimAnswers(count) => {
            b"HTTP/1.1 103 Hints\n\n".repeat(usize::from(*count % 24))
        }
        Before::Fields(count) => {
            let fields = b"a:b\n".repeat(usize::from(*count % 300));
            [&b"HTTP/1.1 200 OK\n"[..], &fields].concat()
        }
    }
}

fn check_answer(answer: &Answer, head: &Head, rest: &[u8]) {
    let expected = expected_body(head, rest);
    match answer {
        Ok(response) => {
            check_fields(response, head);
            if let Some(body) = expected {
                assert_eq!(Ok(&response.body[..]), body);
            }
        }
        Err(error) => {
            let found = Err(in_kind(error));
            assert_eq!(expected.unwrap_or(found.clone()), found, "{head:?}");
        }
    }
}

fn check_fields(response: &Response, head: &Head) {
    assert_eq!(response.status, head.status);
    for (name, _) in &head.fields {
        let first = String::from_utf8_lossy(head.all(name)[0]);
        assert_eq!(response.header(name).as_deref(), Some(&*first), "{name}");
    }
    assert!(response.is_encoded || !is_coded(head));
    let closes = |name: &&[u8]| name.eq_ignore_ascii_case(b"close");
    let closes = head.list("connection").iter().any(closes);
    assert!(!(closes && response.reusable));
}

/// The rules of RFC 9112 §6.3 but for transfer codings, of which this is `None`.
fn expected_body<'a>(
    head: &Head,
    rest: &'a [u8],
) -> Option<Result<&'a [u8], HttpError>> {
    if matches!(head.status, 204 | 304) {
        return Some(Ok(b""));
    }
    let lengths = head.list("content-length");
    let wrong = |length: &&[u8]| {
        length.is_empty()
            || !length.iter().all(u8::is_ascii_digit)
            || number(length) != number(lengths[0])
            || number(length).is_none()
    };
    if lengths.iter().any(wrong) {
        return Some(Err(malformed()));
    }
    if !head.all("transfer-encoding").is_empty() {
        return None;
    }
    let length = lengths.first().and_then(|length| number(length));
    Some(match length.unwrap_or(rest.len() as u64) {
        length if length <= MAX_BODY => {
            rest.get(..length as usize).ok_or(HttpError::Truncated)
        }
        _ if is_searched(head) => Err(HttpError::TooLarge { limit: MAX_BODY }),
        _ => Ok(b""),
    })
}

fn is_coded(head: &Head) -> bool {
    let is_coding =
        |name: &&[u8]| !matches!(&name.to_ascii_lowercase()[..], b"" | b"identity");
    head.list("content-encoding").iter().any(is_coding)
}

/// Whether a body is searched for links: only then it can be too large.
fn is_searched(head: &Head) -> bool {
    let kind = head.all("content-type").first().copied().unwrap_or_default();
    let kind = &kind[..kind.len().min(MAX_PARSED)];
    let kind = kind.split(|byte| *byte == b';').next().unwrap_or_default();
    let kind = kind.trim_ascii().to_ascii_lowercase();
    let kinds: [&[u8]; 3] =
        [b"text/html", b"application/xhtml+xml", b"application/xml"];
    kinds.contains(&&kind[..]) && (200..300).contains(&head.status) && !is_coded(head)
}

fn number(digits: &[u8]) -> Option<u64> {
    let digit = |byte: &u8| u64::from(byte - b'0');
    digits
        .iter()
        .try_fold(0_u64, |sum, byte| sum.checked_mul(10)?.checked_add(digit(byte)))
}

fn is_malformed(answer: &Answer) -> bool {
    matches!(answer, Err(HttpError::Malformed(_)))
}

fn malformed() -> HttpError {
    HttpError::Malformed("")
}

/// The error without its words.
fn in_kind(error: &HttpError) -> HttpError {
    match error {
        HttpError::Malformed(_) => malformed(),
        other => other.clone(),
    }
}
