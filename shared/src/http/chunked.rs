//! The chunked transfer coding (RFC 9112 §7.1), decoded as it arrives.

use super::{
    HttpError,
    take::{check_room, take_data, take_line},
};

/// Bytes of the line before a chunk: its size, extensions and line end.
pub const MAX_CHUNK_LINE: usize = 4 * 1024;
/// Bytes of the trailer section, its blank line included.
pub const MAX_TRAILERS: usize = 16 * 1024;
/// Bytes that are neither data nor trailers: so many in any body ...
pub const FREE_CHUNK_OVERHEAD: u64 = 64 * 1024;
/// ... and so many more for each byte of data.
pub const OVERHEAD_PER_BYTE: u64 = 16;

const MAX_SIZE_DIGITS: usize = 16;

/// Decodes a body that comes in chunks.
#[derive(Debug, Default)]
pub(super) struct Chunked {
    part: Part,
    /// What has come of the current line; of all lines in the trailer section.
    line: Vec<u8>,
    overhead: u64,
}

/// What is read next.
#[derive(Debug, Default)]
enum Part {
    #[default]
    Size,
    /// So many more bytes, and the end of their line.
    Data(u64),
    Trailers,
}

impl Chunked {
    /// Moves decoded data from the front of `input` to `body`: is it whole?
    pub(super) fn read(
        &mut self,
        input: &mut &[u8],
        body: &mut Vec<u8>,
        limit: u64,
    ) -> Result<bool, HttpError> {
        loop {
            let next = match self.part {
                Part::Size => self.read_size(input, body, limit)?,
                Part::Data(left) => self.read_data(left, input, body)?,
                Part::Trailers => return self.read_trailers(input),
            };
            match next {
                Some(part) => self.part = part,
                None => return Ok(false),
            }
        }
    }

    fn read_size(
        &mut self,
        input: &mut &[u8],
        body: &[u8],
        limit: u64,
    ) -> Result<Option<Part>, HttpError> {
        if !self.read_line(input, MAX_CHUNK_LINE, "a chunk's line is too long")? {
            return Ok(None);
        }
        let size = chunk_size(&self.line);
        let size = size.ok_or(HttpError::Malformed("a chunk has no proper size"))?;
        check_room(size, body, limit)?;
        self.end_line(body)?;
        Ok(Some(if size == 0 { Part::Trailers } else { Part::Data(size) }))
    }

    fn read_data(
        &mut self,
        left: u64,
        input: &mut &[u8],
        body: &mut Vec<u8>,
    ) -> Result<Option<Part>, HttpError> {
        let left = take_data(left, input, body);
        self.part = Part::Data(left);
        if left > 0 || !self.read_line(input, 2, "a chunk is longer than its size")? {
            return Ok(None);
        }
        self.end_line(body)?;
        Ok(Some(Part::Size))
    }

    /// Reads trailer fields until a line is blank, and leaves them unread.
    fn read_trailers(&mut self, input: &mut &[u8]) -> Result<bool, HttpError> {
        while self.read_line(input, MAX_TRAILERS, "its trailers are too long")? {
            if self.line == b"\r\n" || self.line.ends_with(b"\r\n\r\n") {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Has the line come to its end? Unlike in a head, a bare line feed is none.
    fn read_line(
        &mut self,
        input: &mut &[u8],
        limit: usize,
        too_long: &'static str,
    ) -> Result<bool, HttpError> {
        let is_whole = take_line(input, &mut self.line, limit, too_long)?;
        if is_whole && !self.line.ends_with(b"\r\n") {
            return Err(HttpError::Malformed("a chunk's line does not end in CR LF"));
        }
        Ok(is_whole)
    }

    /// Forgets the line, and counts it: a drip of tiny chunks has to stop some time.
    fn end_line(&mut self, body: &[u8]) -> Result<(), HttpError> {
        self.overhead += self.line.len() as u64;
        self.line.clear();
        if self.overhead > FREE_CHUNK_OVERHEAD + OVERHEAD_PER_BYTE * body.len() as u64 {
            return Err(HttpError::Malformed("its chunks are mostly wrapping"));
        }
        Ok(())
    }
}

/// The size that a whole line begins with; only extensions may follow it.
fn chunk_size(line: &[u8]) -> Option<u64> {
    let line = line.strip_suffix(b"\r\n")?;
    let count = line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let (digits, rest) = line.split_at(count);
    let rest = rest.trim_ascii_start();
    let is_proper = count <= MAX_SIZE_DIGITS
        && (rest.is_empty() || rest.starts_with(b";"))
        && !line.iter().any(|byte| byte.is_ascii_control() && *byte != b'\t');
    if !is_proper {
        return None;
    }
    // Without digits the conversion fails: an empty line is no size.
    u64::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}
