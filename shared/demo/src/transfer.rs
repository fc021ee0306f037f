//! Bodies that arrive in pieces: in chunks, byte by byte, or without a length.

use std::time::Duration;

use futures_util::stream;
use hyper::Version;
use hyper::body::Bytes;
use hyper::header::{CONNECTION, CONTENT_LENGTH};
use tokio::time;

use crate::answer::{self, Answer, Body, HTML, field};
use crate::page::number;

/// The pause between two chunks, long enough to send them in different packets.
const CHUNK_PAUSE: Duration = Duration::from_millis(5);
const MAX_MILLISECONDS: u64 = 10_000;

/// The chunks of a page. Two are cut where a careless parser fails: the third ends
/// inside a tag, the fourth between the two bytes of a letter.
const CHUNKS: [&[u8]; 5] = [
    b"<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>Chunks</title></head>",
    // english: is told
    b"<body><h1>In chunks</h1><p>The length is told piece by piece.</p>",
    b"<p><a hre",
    b"f=\"/wiki/web/chunk\">About chunks, from a caf\xc3",
    b"\xa9</a></p></body></html>\n",
];

const DRIP: &str = r#"<!DOCTYPE html><html><head><title>Drip</title></head><body>
<p>One byte at a time. <a href="/wiki/waiting/event-loop">Why wait?</a></p></body></html>
"#;

const NO_LENGTH: &str = r#"<!DOCTYPE html><html><head><title>No length</title></head><body>
<p>This page ends where its connection ends. <a href="/wiki/web/length">How long?</a></p>
</body></html>
"#;

/// Responds to `/chunked`, `/drip?ms=M` and `/no-length`.
pub(crate) fn answer(path: &str, query: Option<&str>) -> Option<Answer> {
    Some(match path {
        "/chunked" => answer::answer(HTML, pieces(CHUNKS.into_iter(), CHUNK_PAUSE)),
        "/drip" => drip(query),
        "/no-length" => no_length(),
        _ => return None,
    })
}

fn drip(query: Option<&str>) -> Answer {
    let pause = number(query, "ms", 1, MAX_MILLISECONDS).max(1);
    let bytes = DRIP.as_bytes().chunks(1);
    let body = pieces(bytes, Duration::from_millis(pause));
    field(CONTENT_LENGTH, DRIP.len(), answer::answer(HTML, body))
}

/// Responds with HTTP/1.0, so that the end of the connection ends the body (RFC 9112
/// §6.3, rule 8). With HTTP/1.1 the server would send chunks instead.
fn no_length() -> Answer {
    let body = pieces([NO_LENGTH.as_bytes()].into_iter(), CHUNK_PAUSE);
    let mut answer = field(CONNECTION, "close", answer::answer(HTML, body));
    *answer.version_mut() = Version::HTTP_10;
    answer
}

/// Makes a body of unknown length, with a pause after each piece.
fn pieces(
    pieces: impl Iterator<Item = &'static [u8]> + Send + 'static,
    pause: Duration,
) -> Body {
    let start = (pieces, time::interval(pause));
    answer::pieces(stream::unfold(start, async |(mut pieces, mut clock)| {
        let piece = Bytes::from_static(pieces.next()?);
        clock.tick().await;
        Some((Ok(piece), (pieces, clock)))
    }))
}
