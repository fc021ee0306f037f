//! A page's bytes as text: which encoding they are in, from the surest hint to the
//! last.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// How many bytes of a page are searched for a `<meta>` that names its encoding.
pub const PRESCAN: usize = 1024;

/// The text of a page, and the encoding it was read in.
///
/// That is the first of these to name one ([HTML §13.2.3.2]): a byte order mark, which
/// is removed; `header_charset`, the `charset` of the answer's `Content-Type`; a
/// `<meta>` in the first [`PRESCAN`] bytes of `body`; else UTF-8. A label nobody knows
/// counts as none.
///
/// Never fails: what the encoding does not allow becomes U+FFFD. Nothing is copied where
/// `body` is valid UTF-8 and read as such.
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
    // `decode` looks for a byte order mark before it believes the hint.
    let (text, encoding, _had_errors) = hinted.decode(body);
    (text, encoding)
}

/// The encoding that a `<meta>` names, found without parsing the page.
///
/// [Prescan a byte stream](https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding):
/// comments are stepped over, and so are the attributes of other tags. A tag that is cut off
/// by the end of `head` names nothing.
fn prescan(head: &[u8]) -> Option<&'static Encoding> {
    let mut scan = Scan { rest: head };
    loop {
        scan.skip_until(|byte| byte == b'<')?;
        if scan.rest.starts_with(b"<!--") {
            // The dashes that open a comment may close it: `<!-->`.
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

/// What is left of the bytes to search. Its methods return `None` where they run out.
struct Scan<'a> {
    rest: &'a [u8],
}

/// The name and the value of an attribute, as written.
type Attribute<'a> = (&'a [u8], &'a [u8]);

impl<'a> Scan<'a> {
    fn advance(&mut self, count: usize) -> &'a [u8] {
        let (passed, rest) = self.rest.split_at(count);
        self.rest = rest;
        passed
    }

    fn skip_until(&mut self, stop: impl Fn(u8) -> bool) -> Option<&'a [u8]> {
        let count = self.rest.iter().position(|&byte| stop(byte))?;
        Some(self.advance(count))
    }

    fn skip_past(&mut self, end: &[u8]) -> Option<()> {
        let found = self.rest.windows(end.len()).position(|bytes| bytes == end)?;
        self.advance(found + end.len());
        Some(())
    }

    /// Whether the tag that starts here is this one, and not one with a longer name.
    fn at_tag(&self, tag: &[u8]) -> bool {
        self.rest.split_at_checked(tag.len()).is_some_and(|(start, rest)| {
            let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'/';
            start.eq_ignore_ascii_case(tag) && rest.first().is_some_and(ends)
        })
    }

    fn at_any_tag(&self) -> bool {
        let name = if self.rest.get(1) == Some(&b'/') { 2 } else { 1 };
        self.rest.get(name).is_some_and(u8::is_ascii_alphabetic)
    }

    /// The encoding that this `<meta>` names, if it names one.
    fn meta(&mut self) -> Option<Option<&'static Encoding>> {
        let (mut http_equiv, mut content, mut charset) = (None, None, None);
        while let Some((name, value)) = self.attribute()? {
            let slot = match name.to_ascii_lowercase().as_slice() {
                b"http-equiv" => &mut http_equiv,
                b"content" => &mut content,
                b"charset" => &mut charset,
                _ => continue,
            };
            // The first of two with the same name counts.
            slot.get_or_insert(value);
        }
        let is_content_type =
            |value: &[u8]| value.eq_ignore_ascii_case(b"content-type");
        let content = content.filter(|_| http_equiv.is_some_and(is_content_type));
        let label = charset.or(content.and_then(charset_of));
        Some(label.and_then(for_meta_label))
    }

    /// [Get an attribute](https://html.spec.whatwg.org/multipage/parsing.html#concept-get-attributes-when-sniffing);
    /// `Some(None)` at the end of the tag.
    fn attribute(&mut self) -> Option<Option<Attribute<'a>>> {
        self.skip_until(|byte| !byte.is_ascii_whitespace() && byte != b'/')?;
        if self.rest[0] == b'>' {
            return Some(None);
        }
        // An equals sign that comes first belongs to the name.
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

/// The label in `text/html; charset=label`, as `content` holds it.
///
/// [Extracting a character encoding from a meta element](https://html.spec.whatwg.org/multipage/urls-and-fetching.html#extracting-character-encodings-from-meta-elements).
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

/// A page whose `<meta>` could be read is not in UTF-16, whatever it says.
fn for_meta_label(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    if encoding == UTF_16BE || encoding == UTF_16LE {
        return Some(UTF_8);
    }
    Some(if encoding == X_USER_DEFINED { WINDOWS_1252 } else { encoding })
}
