//! Helpers for all demo pages: a frame for the text, and the numbers in a query.

/// The end of every page that links to the demo site.
pub(crate) const CLOSING: &str =
    "\n<p><a href=\"/\">The demo site</a></p>\n</main></body></html>\n";

/// The end of pages without a link to the demo site.
pub(crate) const CLOSING_ALONE: &str = "\n</main></body></html>\n";

/// Returns the beginning of a page, before its text. The title is plain text.
pub(crate) fn opening(title: &str) -> String {
    let title = escape(title);
    let style = include_str!("pages/style.css");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <title>{title}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <link rel=\"icon\" href=\"data:,\">\n\
         <style>\n{style}</style></head>\n<body><main>\n<h1>{title}</h1>\n"
    )
}

/// Returns a complete page with this text.
pub(crate) fn frame(title: &str, text: &str) -> String {
    opening(title) + text + CLOSING
}

/// Escapes plain text for HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// Returns the value of `name` in `query`, but at most `most`; `default` if it is
/// missing or not a number.
pub(crate) fn number(query: Option<&str>, name: &str, default: u64, most: u64) -> u64 {
    let pairs = query.unwrap_or("").split('&').filter_map(|pair| pair.split_once('='));
    let value =
        pairs.filter(|(key, _)| *key == name).find_map(|(_, value)| value.parse().ok());
    value.unwrap_or(default).min(most)
}

/// Returns whether `name` occurs in `query`, with or without a value.
pub(crate) fn has(query: Option<&str>, name: &str) -> bool {
    let names = query.unwrap_or("").split('&').map(|pair| pair.split('=').next());
    names.flatten().any(|key| key == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_found_by_its_name_and_never_more_than_the_most() {
        assert_eq!(number(Some("count=3&ms=50"), "ms", 1, 100), 50);
        assert_eq!(number(Some("ms=5000"), "ms", 1, 100), 100);
    }

    #[test]
    fn a_number_that_is_missing_or_is_none_is_the_default() {
        assert_eq!(number(None, "ms", 7, 100), 7);
        assert_eq!(number(Some("ms=soon&xms=3"), "ms", 7, 100), 7);
    }
}
