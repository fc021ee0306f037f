//! Takes bytes from the front of the input, within limits.

use super::HttpError;

/// Moves bytes from the front of `input` to `lines`, up to and including the next line
/// feed. Returns whether a line feed has arrived.
///
/// # Errors
/// [`HttpError::Malformed`] with the text `too_long` if `lines` reaches `limit` bytes
/// without a line feed.
pub(super) fn take_line(
    input: &mut &[u8],
    lines: &mut Vec<u8>,
    limit: usize,
    too_long: &'static str,
) -> Result<bool, HttpError> {
    let room = input.len().min(limit - lines.len());
    let line_feed = input[..room].iter().position(|byte| *byte == b'\n');
    let (line, rest) = input.split_at(line_feed.map_or(room, |index| index + 1));
    lines.extend_from_slice(line);
    *input = rest;
    if line_feed.is_none() && lines.len() == limit {
        return Err(HttpError::Malformed(too_long));
    }
    Ok(line_feed.is_some())
}

/// Checks that `body` may grow by `more` bytes.
pub(super) fn check_room(more: u64, body: &[u8], limit: u64) -> Result<(), HttpError> {
    if more > limit - body.len() as u64 {
        return Err(HttpError::TooLarge { limit });
    }
    Ok(())
}

/// Moves up to `left` bytes from the front of `input` to `body`. Returns how many of
/// them are still missing. `body` will not grow beyond `most` bytes.
pub(super) fn take_data(
    left: u64,
    input: &mut &[u8],
    body: &mut Vec<u8>,
    most: u64,
) -> u64 {
    let count = left.min(input.len() as u64) as usize;
    let (data, rest) = input.split_at(count);
    let length = body.len() + count;
    if length > body.capacity() {
        // `Vec` doubles its capacity, which could exceed `most` by far.
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let room = (2 * body.capacity()).min(most).max(length);
        body.reserve_exact(room - body.len());
    }
    body.extend_from_slice(data);
    *input = rest;
    left - count as u64
}
