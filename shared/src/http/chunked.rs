//! Decodes the chunked transfer coding (RFC 9112 §7.1) as it arrives.

use super::{
    HttpError,
    input::{check_room, take_data, take_line},
};

/// The longest line before a chunk, in bytes: its size, extensions and line end.
pub const MAX_CHUNK_LINE: usize = 4 * 1024;
/// The longest trailer section, in bytes, with its blank line.
pub const MAX_TRAILERS: usize = 16 * 1024;
/// How many bytes of a body may be neither data nor trailers: this many in any body ...
pub const FREE_CHUNK_OVERHEAD: u64 = 64 * 1024;
/// ... and this many more for each byte of data.
pub const OVERHEAD_PER_BYTE: u64 = 16;

/// Hexadecimal digits of the largest size that fits into 64 bits.
const MAX_SIZE_DIGITS: usize = 16;

/// Decodes a body that comes in chunks.
#[derive(Debug, Default)]
pub(super) struct Chunked {
    part: Part,
    /// The bytes of the current line that have arrived; cleared when the line is read.
    /// In the trailer section all its lines are collected here.
    line: Vec<u8>,
    /// Bytes of all lines so far.
    overhead: u64,
}

/// The part that is read next.
#[derive(Debug, Default)]
enum Part {
    /// The line before a chunk.
    #[default]
    Size,
    /// This many more bytes of the chunk, and then the end of its line.
    Data(u64),
    /// The lines after the last chunk.
    Trailers,
}

impl Chunked {
    /// Moves decoded data from the front of `input` to `body`. Returns whether the body
    /// is complete.
    pub(super) fn read(
        &mut self,
        input: &mut &[u8],
        body: &mut Vec<u8>,
        limit: u64,
    ) -> Result<bool, HttpError> {
        loop {
            let next = match self.part {
                Part::Size => self.read_size(input, body, limit)?,
                Part::Data(left) => self.read_data(left, input, body, limit)?,
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
        limit: u64,
    ) -> Result<Option<Part>, HttpError> {
        let left = take_data(left, input, body, limit);
        self.part = Part::Data(left);
        if left > 0 || !self.read_line(input, 2, "a chunk is longer than its size")? {
            return Ok(None);
        }
        self.end_line(body)?;
        Ok(Some(Part::Size))
    }

    /// Skips trailer fields. Returns whether the blank line after them has come.
    fn read_trailers(&mut self, input: &mut &[u8]) -> Result<bool, HttpError> {
        while self.read_line(input, MAX_TRAILERS, "its trailers are too long")? {
            if self.line == b"\r\n" || self.line.ends_with(b"\r\n\r\n") {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads into `line`. Returns whether the line is complete. Unlike in a head, a
    /// bare line feed does not end a line.
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

    /// Clears the line, and counts its bytes as overhead: otherwise a server could send
    /// tiny chunks for ever without reaching a limit.
    fn end_line(&mut self, body: &[u8]) -> Result<(), HttpError> {
        self.overhead += self.line.len() as u64;
        self.line.clear();
        if self.overhead > FREE_CHUNK_OVERHEAD + OVERHEAD_PER_BYTE * body.len() as u64 {
            return Err(HttpError::Malformed("its chunks are mostly wrapping"));
        }
        Ok(())
    }
}

/// Returns the size at the beginning of a complete line; only extensions may follow it.
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
    // Fails if there are no digits: an empty line is not a size.
    u64::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}
