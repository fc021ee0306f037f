//! Decodes a page's bytes to text. The encoding comes from the most reliable hint that
//! the page or its head gives.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// How many bytes at the beginning of a page are searched for a `<meta>` that names its
/// encoding.
pub const PRESCAN: usize = 1024;

/// Returns the text of a page, and the encoding that it was read in.
///
/// The encoding is the first that one of these names ([HTML §13.2.3.2]):
///
/// 1. a byte order mark, which is removed;
/// 2. `header_charset`, the `charset` of the response's `Content-Type`;
/// 3. a `<meta>` in the first [`PRESCAN`] bytes of `body`;
/// 4. UTF-8, if none of them does, or if the label is unknown.
///
/// Never fails: bytes that the encoding does not allow become U+FFFD. Copies nothing if
/// the encoding is UTF-8 and `body` is valid.
///
/// [HTML §13.2.3.2]: https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
pub fn decode<'a>(
    header_charset: Option<&str>,
    body: &'a [u8],
) -> (Cow<'a, str>, &'static Encoding) {
    let hinted = header_charset
        .and_then(|label| Encoding::for_label(label.as_bytes()))
        .or_else(|| prescan(&body[..body.len().min(PRESCAN)]))
        .unwrap_or(UTF_8);
    // `decode` looks for a byte order mark first, and ignores the hint if there is one.
    let (text, encoding, _had_errors) = hinted.decode(body);
    (text, encoding)
}

/// Finds the encoding that a `<meta>` names, without parsing the page.
///
/// Follows [Prescan a byte stream]: comments are skipped, and so are the attributes of
/// other tags. A tag that the end of `head` cuts off is ignored.
///
/// [Prescan a byte stream]: https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding
fn prescan(head: &[u8]) -> Option<&'static Encoding> {
    let mut scan = Scan { rest: head };
    loop {
        scan.skip_until(|byte| byte == b'<')?;
        if scan.rest.starts_with(b"<!--") {
            // The dashes that open a comment may also close it: `<!-->`.
            scan.advance(2);
            scan.skip_past(b"-->")?;
        } else if scan.at_tag(b"<meta") {
            scan.advance(b"<meta".len());
            if let Some(encoding) = scan.meta()? {
                return Some(encoding);
            }
        } else if scan.at_any_tag() {
            scan.skip_until(|byte| byte.is_ascii_whitespace() || byte == b'>')?;
            while scan.attribute()?.is_some() {}
        } else if matches!(scan.rest.get(1), Some(b'!' | b'/' | b'?')) {
            scan.skip_past(b">")?;
        } else {
            scan.advance(1);
        }
    }
}

/// The bytes that have not been searched yet. Its methods return `None` when they run
/// out.
struct Scan<'a> {
    rest: &'a [u8],
}

/// The name and the value of an attribute, as written.
type Attribute<'a> = (&'a [u8], &'a [u8]);

impl<'a> Scan<'a> {
    /// Returns the next `count` bytes, and moves past them.
    fn advance(&mut self, count: usize) -> &'a [u8] {
        let (passed, rest) = self.rest.split_at(count);
        self.rest = rest;
        passed
    }

    /// Moves to the first byte for which `stop` is true, and returns the bytes before
    /// it.
    fn skip_until(&mut self, stop: impl Fn(u8) -> bool) -> Option<&'a [u8]> {
        let count = self.rest.iter().position(|&byte| stop(byte))?;
        Some(self.advance(count))
    }

    /// Moves to the first byte after `end`.
    fn skip_past(&mut self, end: &[u8]) -> Option<()> {
        let found = self.rest.windows(end.len()).position(|bytes| bytes == end)?;
        self.advance(found + end.len());
        Some(())
    }

    /// Returns whether `tag` starts here, and not a tag with a longer name.
    fn at_tag(&self, tag: &[u8]) -> bool {
        self.rest.split_at_checked(tag.len()).is_some_and(|(start, rest)| {
            let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'/';
            start.eq_ignore_ascii_case(tag) && rest.first().is_some_and(ends)
        })
    }

    /// Returns whether a start or end tag begins here.
    fn at_any_tag(&self) -> bool {
        let name = if self.rest.get(1) == Some(&b'/') { 2 } else { 1 };
        self.rest.get(name).is_some_and(u8::is_ascii_alphabetic)
    }

    /// Returns the encoding that this `<meta>` names, if it names one.
    fn meta(&mut self) -> Option<Option<&'static Encoding>> {
        let (mut http_equiv, mut content, mut charset) = (None, None, None);
        while let Some((name, value)) = self.attribute()? {
            let slot = match name.to_ascii_lowercase().as_slice() {
                b"http-equiv" => &mut http_equiv,
                b"content" => &mut content,
                b"charset" => &mut charset,
                _ => continue,
            };
            // Of two attributes with the same name the first counts.
            slot.get_or_insert(value);
        }
        let is_content_type =
            |value: &[u8]| value.eq_ignore_ascii_case(b"content-type");
        let content = content.filter(|_| http_equiv.is_some_and(is_content_type));
        let label = charset.or(content.and_then(charset_of));
        Some(label.and_then(for_meta_label))
    }

    /// Reads an attribute as in [Get an attribute]; `Some(None)` at the end of the tag.
    ///
    /// [Get an attribute]: https://html.spec.whatwg.org/multipage/parsing.html#concept-get-attributes-when-sniffing
    fn attribute(&mut self) -> Option<Option<Attribute<'a>>> {
        self.skip_until(|byte| !byte.is_ascii_whitespace() && byte != b'/')?;
        if self.rest[0] == b'>' {
            return Some(None);
        }
        // An equals sign at the very beginning belongs to the name.
        let ends = |&byte: &u8| {
            byte.is_ascii_whitespace() || matches!(byte, b'=' | b'/' | b'>')
        };
        let length = 1 + self.rest[1..].iter().position(ends)?;
        let name = self.advance(length);
        self.skip_space()?;
        if self.rest[0] != b'=' {
            return Some(Some((name, b"")));
        }
        self.advance(1);
        self.skip_space()?;
        Some(Some((name, self.value()?)))
    }

    fn value(&mut self) -> Option<&'a [u8]> {
        let quote = self.rest[0];
        if !matches!(quote, b'"' | b'\'') {
            return self.skip_until(|byte| byte.is_ascii_whitespace() || byte == b'>');
        }
        self.advance(1);
        let value = self.skip_until(|byte| byte == quote)?;
        self.advance(1);
        Some(value)
    }

    fn skip_space(&mut self) -> Option<&'a [u8]> {
        self.skip_until(|byte| !byte.is_ascii_whitespace())
    }
}

/// Returns the label in a `content` such as `text/html; charset=label`.
///
/// Follows [Extracting a character encoding].
///
/// [Extracting a character encoding]: https://html.spec.whatwg.org/multipage/urls-and-fetching.html#extracting-character-encodings-from-meta-elements
fn charset_of(content: &[u8]) -> Option<&[u8]> {
    let mut rest = content;
    loop {
        let start = rest
            .windows(b"charset".len())
            .position(|bytes| bytes.eq_ignore_ascii_case(b"charset"))?;
        rest = rest[start + b"charset".len()..].trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b"=") {
            return unquoted(value.trim_ascii_start());
        }
    }
}

fn unquoted(value: &[u8]) -> Option<&[u8]> {
    let ends = |&byte: &u8| byte.is_ascii_whitespace() || byte == b';';
    match value {
        [quote @ (b'"' | b'\''), quoted @ ..] => {
            let length = quoted.iter().position(|byte| byte == quote)?;
            Some(&quoted[..length])
        }
        _ => value.split(ends).next(),
    }
}

/// Returns the encoding for a label in a `<meta>`. If that says UTF-16 it is wrong,
/// since the `<meta>` itself could be read as ASCII: then it is UTF-8, as the standard
/// says.
fn for_meta_label(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    if encoding == UTF_16BE || encoding == UTF_16LE {
        return Some(UTF_8);
    }
    Some(if encoding == X_USER_DEFINED { WINDOWS_1252 } else { encoding })
}
