//! Takes bytes from the front of the input, within limits.

use super::HttpError;

/// Moves bytes from the front of `input` to `lines`, up to the next line feed, which is
/// moved, too. Returns whether the line feed has come.
///
/// # Errors
/// [`HttpError::Malformed`] with the text `too_long`, if `lines` has reached `limit`
/// bytes and the line feed has not come.
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

/// Moves at most `left` bytes from the front of `input` to `body`, which becomes at most
/// `most` bytes long. Returns how many of them have not come yet.
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
        // A vector that grows by itself may have room for twice as much as ever comes.
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let room = (2 * body.capacity()).min(most).max(length);
        body.reserve_exact(room - body.len());
    }
    body.extend_from_slice(data);
    *input = rest;
    left - count as u64
}
