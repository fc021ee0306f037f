//! Decodes a page's bytes to text. The encoding comes from the most reliable hint that
//! the page or its head gives.

use super::html::read_tags;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// How many bytes at the beginning of a page are searched for a `<meta>` that names its
/// encoding.
pub const PRESCAN: usize = 1024;

/// Returns the text of a page, and the encoding that it was read in.
///
/// The first of these decides about the encoding ([HTML §13.2.3.2]):
///
/// 1. a byte order mark, which is removed;
/// 2. `header_charset`, the `charset` of the response's `Content-Type`;
/// 3. a `<meta>` in the first [`PRESCAN`] bytes of `body`;
/// 4. UTF-8, if there is none of them, or if the label is unknown.
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

/// Finds the encoding that a `<meta>` names: its `charset`, or the one in its `content` if
/// it stands for a `Content-Type`. A tag that the end of `head` cuts off is ignored.
///
/// The standard's prescan does not know scripts and titles. Here their content is text, as
/// in the page that is read then, so a `<meta>` in them names nothing.
fn prescan(head: &[u8]) -> Option<&'static Encoding> {
    let mut encoding = None;
    read_tags(head, &["http-equiv", "content", "charset"], |tag| {
        if tag.name() != b"meta" {
            return ControlFlow::Continue(());
        }
        let is_content_type = |value: &str| value.eq_ignore_ascii_case("content-type");
        let content = tag.get("content");
        let content =
            content.filter(|_| tag.get("http-equiv").is_some_and(is_content_type));
        let charset = tag.get("charset").map(str::as_bytes);
        let label = charset.or(content.and_then(|text| charset_of(text.as_bytes())));
        encoding = label.and_then(for_meta_label);
        if encoding.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    encoding
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
