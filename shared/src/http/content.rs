//! Reads the type of a body from the head, and decides whether to search the body for
//! links.

use super::Response;
use data_url::mime::Mime;
use std::borrow::Cow;

/// The length to which a `Content-Type` or a `Retry-After` is cut before it is parsed,
/// in bytes. No type, charset or date needs more, and the work of a MIME parser may
/// grow with the square of the length.
pub const MAX_PARSED: usize = 1024;

/// The longest body that is read without being searched for links, in bytes. A smaller
/// `--max-body` takes precedence.
pub const MAX_UNSEARCHED: u64 = 1 << 20;

impl Response {
    /// Returns the type that `Content-Type` names. Parameters beyond [`MAX_PARSED`]
    /// bytes are cut off.
    pub(crate) fn mime(&self) -> Option<Mime> {
        first_part(self.header_bytes("content-type")?).parse().ok()
    }

    /// Returns whether the body will be searched for links: the status is a success,
    /// the type is HTML or XML, and the body is not encoded.
    pub(crate) fn is_searched(&self) -> bool {
        let is_success = (200..300).contains(&self.status);
        is_success
            && !self.is_encoded
            && self.mime().is_some_and(|mime| has_links(&mime.type_, &mime.subtype))
    }
}

/// Returns whether a body of this type is searched for links. The names are in lower
/// case.
pub(crate) fn has_links(kind: &str, subtype: &str) -> bool {
    matches!((kind, subtype), ("text", "html") | ("application", "xhtml+xml" | "xml"))
}

/// Returns the first [`MAX_PARSED`] bytes of a header's value as text.
pub(crate) fn first_part(value: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&value[..value.len().min(MAX_PARSED)])
}
