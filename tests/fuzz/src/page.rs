//! The work of reading a response, its head included, grows as its length does.

use arbitrary::{Arbitrary, Unstructured};
use shared::http::MAX_HEAD;
use shared::{Page, Response, Url};

use crate::feed::feed;
use std::sync::Once;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    field: Field,
    is_redirect: bool,
    field_repeats: u16,
    body_repeats: u8,
    /// A part of the field's value, and after the first line feed a part of the body.
    bytes: &'a [u8],
}

/// The fields whose values are parsed.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Field {
    ContentType,
    Location,
    RetryAfter,
}

/// Checks a response whose field and body are made of repeated parts.
pub fn check(data: &[u8]) {
    // Tables that are made once are not part of what is measured.
    static WARM_UP: Once = Once::new();
    WARM_UP.call_once(|| made_once().into_iter().for_each(read));
    let Ok(input) = Input::arbitrary_take_rest(Unstructured::new(data)) else { return };
    let mut parts = input.bytes.splitn(2, |byte| *byte == b'\n');
    let [field, body] = [(); 2].map(|()| parts.next().unwrap_or_default());
    check_field(&input, field);
    check_body(&input, field, body);
}

/// A field may fill the head, and costs no more than a short one.
///
/// What is kept of a value may be compared with all of the rest, which takes a time that
/// grows with the square. So the things that are kept are counted: each is allocated.
fn check_field(input: &Input<'_>, part: &[u8]) {
    const MOST_ALLOCATIONS: u64 = 2_000;
    let all = usize::from(input.field_repeats).min(MOST_FIELD / part.len().max(1));
    // The short one first: if the rule does not hold, the long one takes very long.
    for repeats in [all / 16, all] {
        let Some(response) = input.response(part, repeats, b"") else { return };
        let used = allocation_counter::measure(|| read(response));
        assert!(used.count_total <= MOST_ALLOCATIONS, "{repeats} times: {used:?}");
    }
}

/// Bytes that a field's value may have, so that there is room for the rest of the head.
const MOST_FIELD: usize = MAX_HEAD - 1024;

/// A body costs as much as it is long. The work is weighed in the bytes that it allocates:
/// they are the same each time.
fn check_body(input: &Input<'_>, field: &[u8], part: &[u8]) {
    // Bodies of 2 KiB are quick to try; tables that double may do so once more.
    let repeats = usize::from(input.body_repeats).min(256 / part.len().max(1));
    let work = |repeats: usize| {
        let response = input.response(field, 1, &part.repeat(repeats))?;
        Some(allocation_counter::measure(|| read(response)).bytes_total)
    };
    const FIXED: u64 = 16 << 10;
    if let (Some(one), Some(eight)) = (work(repeats), work(8 * repeats)) {
        assert!(eight <= 24 * one + FIXED, "{repeats} times: {one}, {eight}");
    }
}

impl Input<'_> {
    /// A response with this field and body, as the parser has read it; `None` where the
    /// value cannot be sent.
    fn response(&self, part: &[u8], repeats: usize, body: &[u8]) -> Option<Response> {
        let status = if self.is_redirect { "302 Found" } else { "200 OK" };
        let own = match self.field {
            Field::ContentType => "", // it goes on
            Field::Location => "\r\nLocation: ",
            Field::RetryAfter => "\r\nRetry-After: ",
        };
        let begin = format!("HTTP/1.1 {status}\r\nContent-Type: text/html{own}");
        let end = format!("\r\nContent-Length: {}\r\n\r\n", body.len());
        let value = part.repeat(repeats);
        let wire = [begin.as_bytes(), &value, end.as_bytes(), body].concat();
        feed([wire.as_slice()], body.len() as u64).ok()
    }
}

/// A page and a redirect, for which all such tables are made.
fn made_once() -> Vec<Response> {
    let page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nRetry-After: 1\r\n\
        Content-Length: 12\r\n\r\n<a href=x>x\n";
    let redirect = b"HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n";
    let read = |wire: &[u8]| feed([wire], 100).expect("a whole response");
    vec![read(page), read(redirect)]
}

fn read(response: Response) {
    let url = Url::parse("http://host/dir/page").expect("a URL");
    drop(Page::from_response(&url, response));
}
