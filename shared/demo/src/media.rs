//! Files that are not pages: a picture, a feed, plain text.

use crate::answer::{self, Answer, page, whole};

/// Responds to `/image.png`, `/plain.txt` and `/feed.xml`, and to the page that is
/// linked only from the feed.
pub(crate) fn answer(path: &str, _query: Option<&str>) -> Option<Answer> {
    let (content_type, bytes): (_, &[u8]) = match path {
        "/image.png" => ("image/png", include_bytes!("pages/image.png")),
        "/plain.txt" => {
            ("text/plain; charset=utf-8", include_bytes!("pages/plain.txt"))
        }
        "/feed.xml" => ("application/xml", include_bytes!("pages/feed.xml")),
        "/feed/entry" => {
            return Some(page("An entry", "<p>Only the feed leads here.</p>"));
        }
        _ => return None,
    };
    Some(answer::answer(content_type, whole(bytes)))
}
