//! Bodies that arrive in pieces: in chunks, one byte at a time, without a length.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::RawQuery;
use axum::http::{Version, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use futures_util::stream;
use tokio::time;

use crate::page::number;

/// The pause between two chunks: long enough that they are sent in different packets.
const CHUNK_PAUSE: Duration = Duration::from_millis(5);
const MOST_MILLISECONDS: u64 = 10_000;

/// The chunks. They end in places that are difficult for a program that reads whole
/// lines, tags or letters: the third inside a tag, the fourth between the two bytes of
/// a letter.
const CHUNKS: [&[u8]; 5] = [
    b"<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>Chunks</title></head>",
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

/// Makes `/chunked`, `/drip?ms=M` and `/no-length`.
pub(crate) fn routes() -> Router {
    Router::new()
        .route("/chunked", get(chunked))
        .route("/drip", get(drip))
        .route("/no-length", get(no_length))
}

async fn chunked() -> Html<Body> {
    Html(pieces(CHUNKS.into_iter(), CHUNK_PAUSE))
}

async fn drip(RawQuery(query): RawQuery) -> Response {
    let pause = number(query.as_deref(), "ms", 1, MOST_MILLISECONDS).max(1);
    let bytes = DRIP.as_bytes().chunks(1);
    let body = pieces(bytes, Duration::from_millis(pause));
    ([(header::CONTENT_LENGTH, DRIP.len())], Html(body)).into_response()
}

/// Responds as HTTP/1.0 does: a body without a length ends with the connection (RFC
/// 9112 §6.3, rule 8). In HTTP/1.1 the server would send chunks instead.
async fn no_length() -> Response {
    let body = pieces([NO_LENGTH.as_bytes()].into_iter(), CHUNK_PAUSE);
    let mut response = ([(header::CONNECTION, "close")], Html(body)).into_response();
    *response.version_mut() = Version::HTTP_10;
    response
}

/// Makes a body of unknown length. Its pieces are sent one by one, with a pause between
/// them.
fn pieces(
    pieces: impl Iterator<Item = &'static [u8]> + Send + 'static,
    pause: Duration,
) -> Body {
    let start = (pieces, time::interval(pause));
    Body::from_stream(stream::unfold(start, async |(mut pieces, mut clock)| {
        let piece = Bytes::from_static(pieces.next()?);
        clock.tick().await;
        Some((Ok::<_, Infallible>(piece), (pieces, clock)))
    }))
}
