//! The input of the tokenizer. It skips the parts of a page that cannot matter.

use super::foreign::Foreign;
use html5gum::{Readable, Reader};
use memchr::memchr;
use std::cell::Cell;
use std::convert::Infallible;

/// The unread part of a page. The tokenizer never sees the text between tags, nor most
/// tags without attributes.
pub(super) struct Rest<'a> {
    pub(super) html: &'a [u8],
    /// Whether tags may be skipped now. Cleared inside `svg` and `math`, and where a
    /// `</b>` could be text.
    pub(super) skips_tags: &'a Cell<bool>,
    /// Set when the rest of the page is not needed.
    pub(super) is_over: &'a Cell<bool>,
}

impl<'a> Rest<'a> {
    #[inline]
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, left) = self.html.split_at(count);
        self.html = left;
        taken
    }

    /// Skips to the next `<` that may matter.
    fn skip(&mut self) {
        if self.is_over.get() {
            self.html = &[];
        }
        while let Some(text) = memchr(b'<', self.html) {
            self.take(text);
            match bare_tag(self.html).filter(|_| self.skips_tags.get()) {
                Some(length) => self.take(length),
                None => return,
            };
        }
        self.html = &[];
    }
}

/// Returns the length of the next tag, if the tag has no attributes and does not
/// change how the rest of the page is read.
fn bare_tag(html: &[u8]) -> Option<usize> {
    let is_of_name = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let tag = html.strip_prefix(b"<")?;
    let name_on = tag.strip_prefix(b"/").unwrap_or(tag);
    let length = name_on.iter().position(|byte| !is_of_name(byte))?;
    let (name, after) = name_on.split_at(length);
    let is_start = name_on.len() == tag.len();
    let matters = name == b"template"
        || is_start && (name == b"frameset" || Foreign::is_changed_by(name));
    (after.starts_with(b">") && !matters).then(|| html.len() - after.len() + 1)
}

// All methods are inlined, so that each search is compiled for its own bytes.
impl Reader for Rest<'_> {
    type Error = Infallible;

    #[inline(always)]
    fn read_byte(&mut self) -> Result<Option<u8>, Infallible> {
        Ok(self.html.split_off_first().copied())
    }

    #[inline(always)]
    fn try_read_string(
        &mut self,
        text: &[u8],
        cased: bool,
    ) -> Result<bool, Infallible> {
        let is_next = self.html.to_reader().try_read_string(text, cased)?;
        self.take(if is_next { text.len() } else { 0 });
        Ok(is_next)
    }

    /// Returns the bytes before the first one in `needle`, or that one if it is next.
    /// The tokenizer searches for these four bytes in text. In scripts and styles it
    /// searches for the last three.
    #[inline(always)]
    fn read_until<'b>(
        &'b mut self,
        needle: &[u8],
        buffer: &'b mut [u8; 4],
    ) -> Result<Option<&'b [u8]>, Infallible> {
        let count = match needle {
            b"&<\0\r" | b"<\0\r" => {
                self.skip();
                self.html.len().min(1)
            }
            _ => {
                self.html.to_reader().read_until(needle, buffer)?.map_or(0, <[u8]>::len)
            }
        };
        Ok(Some(self.take(count)).filter(|bytes| !bytes.is_empty()))
    }
}
