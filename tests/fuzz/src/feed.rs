//! Answers from bytes, in one piece or many.

use shared::{HttpError, Response, ResponseParser};

/// How a connection ended.
pub(crate) type Answer = Result<Response, HttpError>;

/// Feeds the pieces, and then the end of file if there is no answer before.
pub(crate) fn feed<'a>(
    pieces: impl IntoIterator<Item = &'a [u8]>,
    max_body: u64,
) -> Answer {
    let mut parser = ResponseParser::with_limit(max_body);
    for piece in pieces.into_iter().filter(|piece| !piece.is_empty()) {
        if let Some(response) = parser.feed(piece)? {
            return Ok(response);
        }
    }
    parser.feed(b"").map(|response| response.expect("end of file ends an answer"))
}

/// The pieces between the cuts, which may lie anywhere.
pub(crate) fn split<'a>(wire: &'a [u8], cuts: &[u16]) -> Vec<&'a [u8]> {
    let place = |cut: &u16| usize::from(*cut) % (wire.len() + 1);
    let mut places: Vec<usize> = cuts.iter().map(place).collect();
    places.extend([0, wire.len()]);
    places.sort_unstable();
    places.windows(2).map(|ends| &wire[ends[0]..ends[1]]).collect()
}

/// Whether a connection can be used again may depend on the split: only bytes that come
/// along with an answer's end are seen to follow it.
pub(crate) fn apart_from_reuse(answer: Answer) -> Answer {
    let mut response = answer?;
    response.reusable = false;
    Ok(response)
}

/// Bytes that any answer may take in memory: the table of a head's fields.
const TABLE: u64 = 32 * 1024;
/// And for each byte that came: buffers double, and for a moment the old one lives on.
const PER_BYTE: u64 = 16;

/// The same answer however the bytes are split, in little more memory than they take;
/// returns the answer to all at once.
pub(crate) fn check_splits(wire: &[u8], cuts: &[u16], max_body: u64) -> Answer {
    let whole = feed([wire], max_body);
    // Byte by byte is slow for a long one, and its cuts are many.
    let bytes = if wire.len() < 2000 { wire.chunks(1) } else { wire.chunks(997) };
    let mut cut = Err(HttpError::ClosedBeforeResponse);
    let used = allocation_counter::measure(|| cut = feed(split(wire, cuts), max_body));
    assert!(used.bytes_max <= TABLE + PER_BYTE * wire.len() as u64, "{used:?}");
    for answer in [cut, feed(bytes, max_body)] {
        if let (Ok(whole), Ok(answer)) = (&whole, &answer) {
            assert!(answer.reusable || !whole.reusable, "a split costs the connection");
        }
        let answer = apart_from_reuse(answer);
        assert_eq!(answer, apart_from_reuse(whole.clone()), "{}", wire.escape_ascii());
    }
    whole
}
