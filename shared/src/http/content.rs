//! What a response says of its body: its type, and whether that is searched for links.

use super::Response;
use data_url::mime::Mime;
use std::borrow::Cow;

/// How many bytes of a `Content-Type` or a `Retry-After` are parsed. No type, charset or
/// date needs more, and the work of a MIME parser may grow with the square of the length.
pub const MAX_PARSED: usize = 1024;

/// The longest body that is read although it is not searched for links, in bytes. With a
/// smaller `--max-body` that is the limit.
pub const MAX_UNSEARCHED: u64 = 1 << 20;

impl Response {
    /// Returns the type that `Content-Type` names, with the parameters that fit.
    pub(crate) fn mime(&self) -> Option<Mime> {
        first_part(self.header_bytes("content-type")?).parse().ok()
    }

    /// Returns whether the head says that the body is searched for links: it is a success,
    /// HTML or XML, and in no coding that was not asked for.
    pub(crate) fn is_searched(&self) -> bool {
        let has_links = |mime: Mime| {
            matches!(
                (mime.type_.as_str(), mime.subtype.as_str()),
                ("text", "html") | ("application", "xhtml+xml" | "xml")
            )
        };
        let is_success = (200..300).contains(&self.status);
        is_success && !self.is_encoded && self.mime().is_some_and(has_links)
    }
}

/// Returns the part of a header's value that is parsed.
pub(crate) fn first_part(value: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&value[..value.len().min(MAX_PARSED)])
}
