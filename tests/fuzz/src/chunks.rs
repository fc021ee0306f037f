//! The chunked coding: what is decoded is what was encoded, and two decoders agree on
//! what is neither.

use arbitrary::{Arbitrary, Unstructured};
use shared::http::FREE_CHUNK_OVERHEAD;
use shared::{HttpError, Response};

use crate::feed::check_splits;
use crate::plain_chunks::decode;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    cuts: [u16; 3],
    max_body: u16,
    wire: Wire<'a>,
}

#[derive(Arbitrary, Debug)]
enum Wire<'a> {
    Any(&'a [u8]),
    /// The same bytes again and again: this leads to the limits.
    Repeated(u16, &'a [u8]),
    Valid(Vec<Chunk>),
}

/// A piece of a body, and how it is written.
#[derive(Arbitrary, Debug)]
pub(crate) struct Chunk {
    data: Vec<u8>,
    zeros: u8,
    in_capitals: bool,
    extension: Option<u8>,
}

const HEAD: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n";

/// Decodes as the plain decoder does, and gets back what the encoder took.
pub fn check(data: &[u8]) {
    let Ok(input) = Input::arbitrary_take_rest(Unstructured::new(data)) else { return };
    let limit = u64::from(input.max_body);
    let body = match &input.wire {
        Wire::Any(bytes) => bytes.to_vec(),
        Wire::Repeated(count, bytes) => repeat(bytes, *count),
        Wire::Valid(chunks) => in_chunks(chunks),
    };
    let answer = check_splits(&[HEAD, &body].concat(), &input.cuts, limit);
    match (answer, decode(&body, limit)) {
        (Ok(response), Ok((body, rest))) => check_whole(&response, &body, rest),
        (Err(HttpError::Malformed(_)), Err(HttpError::Malformed(_))) => {}
        (answer, expected) => assert_eq!(answer.err(), expected.err()),
    }
    if let Wire::Valid(chunks) = &input.wire {
        check_valid(decode(&body, limit), all_data(chunks), limit);
    }
}

fn check_valid(
    decoded: Result<(Vec<u8>, &[u8]), HttpError>,
    data: Vec<u8>,
    limit: u64,
) {
    let fits = data.len() as u64 <= limit;
    let expected =
        if fits { Ok((data, &b""[..])) } else { Err(HttpError::TooLarge { limit }) };
    assert_eq!(decoded, expected);
}

fn check_whole(response: &Response, body: &[u8], rest: &[u8]) {
    assert_eq!(response.body, body);
    assert_eq!(response.reusable, rest.is_empty());
    assert!(!response.is_encoded);
}

/// A little more than the free overhead, at most.
fn repeat(bytes: &[u8], count: u16) -> Vec<u8> {
    let most = (FREE_CHUNK_OVERHEAD as usize + (16 << 10)) / bytes.len().max(1);
    bytes.repeat(usize::from(count).min(most))
}

/// The data of all chunks.
pub(crate) fn all_data(chunks: &[Chunk]) -> Vec<u8> {
    chunks.iter().flat_map(|chunk| chunk.data.clone()).collect()
}

/// A body in these chunks.
pub(crate) fn in_chunks(chunks: &[Chunk]) -> Vec<u8> {
    // An empty one would be the end.
    let chunks = chunks.iter().filter(|chunk| !chunk.data.is_empty());
    let mut wire: Vec<u8> = chunks.flat_map(Chunk::encode).collect();
    wire.extend(b"0\r\nTrailer: x\r\n\r\n");
    wire
}

impl Chunk {
    fn encode(&self) -> Vec<u8> {
        let length = self.data.len();
        let zeros = "0".repeat(usize::from(self.zeros % 12));
        let size = if self.in_capitals {
            format!("{length:X}")
        } else {
            format!("{length:x}")
        };
        let extension = self.extension.map(|length| "e".repeat(length.into()));
        let extension = extension.map_or(String::new(), |text| format!(" ;{text}"));
        let line = format!("{zeros}{size}{extension}\r\n").into_bytes();
        [&line, &self.data[..], b"\r\n"].concat()
    }
}
