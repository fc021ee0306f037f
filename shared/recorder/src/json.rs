//! Writes strings of JSON.

use std::fmt::{self, Display, Formatter, Write};

/// A value, shown as a string of JSON.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Display> Display for Json<T> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_char('"')?;
        write!(Escaped(out), "{}", self.0)?;
        out.write_char('"')
    }
}

/// Escapes what a string of JSON cannot contain as it is.
struct Escaped<'a, 'b>(&'a mut Formatter<'b>);

impl Write for Escaped<'_, '_> {
    fn write_str(&mut self, mut text: &str) -> fmt::Result {
        let is_special = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
        while let Some(at) = text.bytes().position(is_special) {
            // All of these are one byte long.
            let (before, rest) = text.split_at(at);
            write!(self.0, "{before}\\u{:04x}", rest.as_bytes()[0])?;
            text = &rest[1..];
        }
        self.0.write_str(text)
    }
}
