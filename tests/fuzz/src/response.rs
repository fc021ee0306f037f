//! A whole answer, fed at random splits: valid ones give what was put in, and none
//! depends on the splits, goes on after its end, or takes more memory than its bytes.

use arbitrary::{Arbitrary, Unstructured};
use shared::http::MAX_REDIRECT_BODY;
use shared::{HttpError, Page, ResponseParser, Url};

use crate::chunks::{Chunk, all_data, in_chunks};
use crate::feed::{Answer, apart_from_reuse, check_splits, feed};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    cuts: [u16; 3],
    max_body: u16,
    surplus: u8,
    wire: Wire<'a>,
}

#[derive(Arbitrary, Debug)]
enum Wire<'a> {
    Any(&'a [u8]),
    Valid(Message),
}

/// A valid answer.
#[derive(Arbitrary, Debug)]
struct Message {
    is_found: bool,
    is_html: bool,
    is_old: bool,
    bare_line_feeds: bool,
    interim: u8,
    fields: u8,
    framing: Framing,
    chunks: Vec<Chunk>,
}

#[derive(Arbitrary, Clone, Copy, Debug, PartialEq)]
enum Framing {
    Length,
    Chunked,
    Close,
}

/// Checks what holds for all answers; of valid ones, what is in them.
pub fn check(data: &[u8]) {
    let Ok(input) = Input::arbitrary_take_rest(Unstructured::new(data)) else { return };
    let max_body = u64::from(input.max_body);
    let wire = match &input.wire {
        Wire::Any(bytes) => bytes.to_vec(),
        Wire::Valid(message) => message.encode(),
    };
    let answer = check_splits(&wire, &input.cuts, max_body);
    if let Wire::Valid(message) = &input.wire {
        message.check(&answer, max_body);
    }
    check_limits(&answer, max_body);
    // What follows an answer is mostly another one.
    check_end(&wire, &wire[..wire.len().min(input.surplus.into())], max_body);
}

impl Message {
    fn encode(&self) -> Vec<u8> {
        let end = if self.bare_line_feeds { "\n" } else { "\r\n" };
        let version = if self.is_old { "1.0" } else { "1.1" };
        let status = if self.is_found { "200 OK" } else { "404 Not Found" };
        let body = all_data(&self.chunks);
        let (framing, body) = match self.framing {
            Framing::Length => (format!("Content-Length: {}{end}", body.len()), body),
            Framing::Chunked => {
                (format!("Transfer-Encoding: chunked{end}"), in_chunks(&self.chunks))
            }
            Framing::Close => (String::new(), body),
        };
        let interim = format!("HTTP/1.1 103 Hints{end}Link: x{end}{end}");
        let interim = interim.repeat(usize::from(self.interim % 20));
        let fields = format!("X-Field: {end}  folded {end}").repeat(self.field_count());
        let kind = if self.is_html { "text/html" } else { "image/png" };
        let head = format!(
            "{interim}HTTP/{version} {status}{end}Content-Type: {kind}{end}\
             {fields}{framing}{end}"
        );
        [head.into_bytes(), body].concat()
    }

    /// A long head is slow to feed byte by byte.
    fn field_count(&self) -> usize {
        usize::from(self.fields % 80)
    }

    fn check(&self, answer: &Answer, max_body: u64) {
        let body = all_data(&self.chunks);
        if body.len() as u64 > max_body {
            match (self.is_html && self.is_found, answer) {
                (true, answer) => {
                    assert_eq!(answer, &Err(HttpError::TooLarge { limit: max_body }));
                }
                (false, answer) => {
                    let response = answer.as_ref().expect("it is not searched");
                    assert!(response.is_head && response.body.is_empty());
                    assert!(!response.reusable);
                }
            }
            return;
        }
        let response = answer.as_ref().expect("a valid answer");
        assert_eq!(response.body, body);
        assert_eq!(response.status, if self.is_found { 200 } else { 404 });
        assert_eq!(response.reusable, !self.is_old && self.framing != Framing::Close);
        let folded = response.header("x-field");
        assert_eq!(folded.as_deref(), (self.field_count() > 0).then_some("folded"));
    }
}

fn check_limits(answer: &Answer, max_body: u64) {
    let Ok(response) = answer else { return };
    let size = response.body.len() as u64;
    assert!(response.status >= 200 && size <= max_body);
    let moved = response.is_redirect() && response.header("location").is_some();
    assert!(!moved || size <= MAX_REDIRECT_BODY);
    let url = Url::parse("http://host/").expect("a URL");
    let page = Page::from_response(&url, response.clone());
    assert_eq!(page.size, (!moved && !response.is_head).then_some(size));
    assert!(page.links.is_empty() || page.is_success() && !response.is_encoded);
}

/// A verdict is final: bytes that come along change nothing but that the connection cannot
/// be used again, and bytes that come later find the parser spent.
fn check_end(wire: &[u8], surplus: &[u8], max_body: u64) {
    if surplus.is_empty() {
        return;
    }
    let mut parser = ResponseParser::with_limit(max_body);
    let Some(answer) = parser.feed(wire).transpose() else { return };
    for later in [surplus, b""] {
        assert!(matches!(parser.feed(later), Err(HttpError::Malformed(_))));
    }
    let longer = feed([&[wire, surplus].concat()[..]], max_body);
    assert!(longer.as_ref().is_ok_and(|longer| !longer.reusable) || answer.is_err());
    assert_eq!(apart_from_reuse(longer), apart_from_reuse(answer));
}
