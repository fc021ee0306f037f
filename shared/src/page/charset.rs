//! Decodes the bytes of a page to text, by the most reliable hint at its encoding.

use super::html::read_tags;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// How many bytes at the beginning of a page are searched for a `<meta>` with the
/// encoding.
pub const PRESCAN: usize = 1024;

/// Returns the text of a page, and its encoding.
///
/// The first of these that is present decides ([HTML §13.2.3.2]):
///
/// 1. a byte order mark, which is removed;
/// 2. `header_charset`, the `charset` of the response's `Content-Type`;
/// 3. a `<meta>` in the first [`PRESCAN`] bytes of `body`;
/// 4. UTF-8, also if the label is unknown.
///
/// Decoding never fails: invalid bytes become U+FFFD. Valid UTF-8 is not copied.
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
    // `decode` prefers a byte order mark to the hint.
    let (text, encoding, _had_errors) = hinted.decode(body);
    (text, encoding)
}

/// Finds the encoding that a `<meta>` names, in its `charset` or in the `content` of
/// an `http-equiv="content-type"`. A tag that the end of `head` cuts off is ignored.
///
/// The prescan of the standard would also read a `<meta>` inside a script or a title.
/// Here it is text, as it will be when the page is read.
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

/// Returns the label in a `content`, for example in `text/html; charset=label`.
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

/// Returns the encoding for a label in a `<meta>`. UTF-16 must be wrong, because the
/// `<meta>` was read as ASCII. The standard replaces it by UTF-8.
fn for_meta_label(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    if encoding == UTF_16BE || encoding == UTF_16LE {
        return Some(UTF_8);
    }
    Some(if encoding == X_USER_DEFINED { WINDOWS_1252 } else { encoding })
}
