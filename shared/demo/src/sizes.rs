//! Pages of any size or depth, as the query asks. They are sent in blocks and never
//! stored as a whole.

use futures_util::stream;
use hyper::body::Bytes;
use hyper::header::CONTENT_LENGTH;

use crate::answer::{self, Answer, HTML, field, pieces};
use crate::page::{CLOSING, number, opening};

const MAX_BYTES: u64 = 100_000_000;
const MAX_BRACKETS: u64 = 20_000_000;
const MAX_DEPTH: u64 = 1_000_000;

/// The approximate size of a block of repeated text, in bytes.
const BLOCK: usize = 16 * 1024;

/// Responds to `/big?bytes=N`, `/tags?bytes=N` and `/deep?depth=N`.
pub(crate) fn answer(path: &str, query: Option<&str>) -> Option<Answer> {
    Some(match path {
        "/big" => big(query),
        "/tags" => tags(query),
        "/deep" => deep(query),
        _ => return None,
    })
}

/// A part of a body: a block that is sent again and again.
struct Part {
    block: Bytes,
    /// How many bytes are left to send.
    left: u64,
}

impl Part {
    fn once(text: String) -> Part {
        Part { left: text.len() as u64, block: text.into() }
    }

    fn repeated(text: &str, bytes: u64) -> Part {
        Part { block: text.repeat(BLOCK / text.len()).into(), left: bytes }
    }
}

impl Iterator for Part {
    type Item = Bytes;

    fn next(&mut self) -> Option<Bytes> {
        let count = self.left.min(self.block.len() as u64);
        self.left -= count;
        (count > 0).then(|| self.block.slice(..count as usize))
    }
}

/// Responds with a page of exactly N bytes, but not less than the smallest page.
fn big(query: Option<&str>) -> Answer {
    let bytes = number(query, "bytes", 100_000, MAX_BYTES);
    let head = opening("A big page");
    let frame = (head.len() + CLOSING.len()) as u64;
    let filler = Part::repeated("There is much to say. ", bytes.saturating_sub(frame));
    whole(vec![Part::once(head), filler, closing()])
}

/// Responds with N times `<`, each of which could begin a tag.
fn tags(query: Option<&str>) -> Answer {
    let bytes = number(query, "bytes", 1_000, MAX_BRACKETS);
    let head = opening("A page of brackets");
    whole(vec![Part::once(head), Part::repeated("<", bytes), closing()])
}

/// Responds with a link that is nested inside N elements.
fn deep(query: Option<&str>) -> Answer {
    let depth = number(query, "depth", 1_000, MAX_DEPTH);
    let (open, close) = ("<div>", "</div>");
    let link = "<a href=\"/wiki/web/link\">A link, far down</a>";
    whole(vec![
        Part::once(opening("A deep page")),
        Part::repeated(open, depth * open.len() as u64),
        Part::once(link.to_owned()),
        Part::repeated(close, depth * close.len() as u64),
        closing(),
    ])
}

fn closing() -> Part {
    Part::once(CLOSING.to_owned())
}

/// Joins the parts to a page, with a `Content-Length`.
fn whole(parts: Vec<Part>) -> Answer {
    let length: u64 = parts.iter().map(|part| part.left).sum();
    let body = pieces(stream::iter(parts.into_iter().flatten().map(Ok)));
    field(CONTENT_LENGTH, length, answer::answer(HTML, body))
}
