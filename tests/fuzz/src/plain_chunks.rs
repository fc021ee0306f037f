//! The chunked coding, decoded the plain way: all of the body is there.

use shared::HttpError;
use shared::http::{
    FREE_CHUNK_OVERHEAD, MAX_CHUNK_LINE, MAX_TRAILERS, OVERHEAD_PER_BYTE,
};

const WRONG: HttpError = HttpError::Malformed("");

/// The data, and what follows the body.
pub(crate) fn decode(wire: &[u8], limit: u64) -> Result<(Vec<u8>, &[u8]), HttpError> {
    let (mut body, mut rest, mut overhead) = (Vec::new(), wire, 0);
    loop {
        let (line, after) = line(rest, MAX_CHUNK_LINE)?;
        let size = size(line).ok_or(WRONG)?;
        if size > limit - body.len() as u64 {
            return Err(HttpError::TooLarge { limit });
        }
        overhead += line.len() as u64 + 2;
        check_overhead(overhead, &body)?;
        if size == 0 {
            return Ok((body, after_trailers(after)?));
        }
        let data = after.get(..size as usize).ok_or(HttpError::Truncated)?;
        body.extend_from_slice(data);
        rest = self::line(&after[data.len()..], 2)?.1;
        overhead += 2;
        check_overhead(overhead, &body)?;
    }
}

/// A line without its CR LF, and what follows. With them it has at most `limit` bytes.
fn line(wire: &[u8], limit: usize) -> Result<(&[u8], &[u8]), HttpError> {
    let end = wire.iter().take(limit).position(|byte| *byte == b'\n');
    let Some(end) = end else {
        return Err(if wire.len() < limit { HttpError::Truncated } else { WRONG });
    };
    let line = wire[..end].strip_suffix(b"\r").ok_or(WRONG)?;
    Ok((line, &wire[end + 1..]))
}

fn size(line: &[u8]) -> Option<u64> {
    if line.iter().any(|byte| byte.is_ascii_control() && *byte != b'\t') {
        return None;
    }
    let line = String::from_utf8_lossy(line);
    let digits = line.split([' ', '\t', ';']).next()?;
    let extension = line[digits.len()..].trim_start_matches([' ', '\t']);
    let is_size = digits.len() <= 16
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        && (extension.is_empty() || extension.starts_with(';'));
    u64::from_str_radix(digits, 16).ok().filter(|_| is_size)
}

fn check_overhead(overhead: u64, body: &[u8]) -> Result<(), HttpError> {
    let most = FREE_CHUNK_OVERHEAD + OVERHEAD_PER_BYTE * body.len() as u64;
    if overhead > most { Err(WRONG) } else { Ok(()) }
}

fn after_trailers(mut wire: &[u8]) -> Result<&[u8], HttpError> {
    let mut room = MAX_TRAILERS;
    loop {
        let (line, rest) = line(wire, room)?;
        if line.is_empty() {
            return Ok(rest);
        }
        (room, wire) = (room - line.len() - 2, rest);
    }
}
