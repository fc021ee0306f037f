//! Decodes the chunked transfer coding (RFC 9112 §7.1) as it arrives.

use super::{
    HttpError,
    input::{check_room, take_data, take_line},
};

/// The longest line before a chunk, in bytes: its size, extensions and line end.
pub const MAX_CHUNK_LINE: usize = 4 * 1024;
/// The longest trailer section, in bytes, with its blank line.
pub const MAX_TRAILERS: usize = 16 * 1024;
/// How many bytes of any body may be neither data nor trailers. Each byte of data
/// allows [`OVERHEAD_PER_BYTE`] more.
pub const FREE_CHUNK_OVERHEAD: u64 = 64 * 1024;
/// How much each byte of data adds to [`FREE_CHUNK_OVERHEAD`].
pub const OVERHEAD_PER_BYTE: u64 = 16;

/// The number of hexadecimal digits in the largest 64-bit size.
const MAX_SIZE_DIGITS: usize = 16;

/// Decodes a chunked body.
#[derive(Debug, Default)]
pub(super) struct Chunked {
    part: Part,
    /// The part of the current line that has arrived; cleared at the end of the line.
    /// Trailers are different: all their lines are collected, up to the blank line.
    line: Vec<u8>,
    /// The bytes of all lines so far, without the trailers. Never reset.
    overhead: u64,
}

/// What comes next in the input.
#[derive(Debug, Default)]
enum Part {
    /// The line before a chunk.
    #[default]
    Size,
    /// This many more bytes of the chunk, followed by a line end.
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

    /// Skips trailer fields. Returns whether the blank line after them has arrived.
    fn read_trailers(&mut self, input: &mut &[u8]) -> Result<bool, HttpError> {
        while self.read_line(input, MAX_TRAILERS, "its trailers are too long")? {
            if self.line == b"\r\n" || self.line.ends_with(b"\r\n\r\n") {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads into `line`. Returns whether the line is complete. Only CRLF ends a line
    /// here; in a head a bare line feed does, too.
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

    /// Clears the line and counts its bytes as overhead. Without this limit a server
    /// could send tiny chunks for ever.
    fn end_line(&mut self, body: &[u8]) -> Result<(), HttpError> {
        self.overhead += self.line.len() as u64;
        self.line.clear();
        if self.overhead > FREE_CHUNK_OVERHEAD + OVERHEAD_PER_BYTE * body.len() as u64 {
            return Err(HttpError::Malformed("its chunks are mostly wrapping"));
        }
        Ok(())
    }
}

/// Returns the size at the beginning of a complete line. Only extensions may follow
/// the size.
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
    // `from_str_radix` fails if there are no digits, as in an empty line.
    u64::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}
