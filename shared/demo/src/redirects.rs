//! Pages that redirect: those in the figure of the original chapter, and some that go
//! wrong.

use hyper::StatusCode;

use crate::answer::{Answer, moved, page};

const LONGEST_CHAIN: u64 = 1_000;

/// Responds to all redirects, and to the pages where they end.
pub(crate) fn answer(path: &str, _query: Option<&str>) -> Option<Answer> {
    Some(match path {
        "/foo" | "/bar" => found("/baz"),
        "/baz" => end("Baz", "Both <code>/foo</code> and <code>/bar</code> lead here."),
        "/353" => moved(StatusCode::MOVED_PERMANENTLY, "/353/"),
        "/353/" => end("353", "Its address ends in a slash."),
        "/loop/a" => found("/loop/b"),
        "/loop/b" => found("/loop/a"),
        "/away" => found("http://example.com/"),
        "/relative/start" => found("end"),
        "/relative/end" => end("Relative", "The way here was not a whole address."),
        _ => chain(path.strip_prefix("/chain/")?.parse().ok()?),
    })
}

fn found(location: &str) -> Answer {
    moved(StatusCode::FOUND, location)
}

/// Makes a page at the end of a redirect.
fn end(title: &str, text: &str) -> Answer {
    page(title, &format!("<p>{text}</p>"))
}

/// Responds to `/chain/N`: the first of N redirects that lead to a page.
fn chain(left: u64) -> Answer {
    match left.min(LONGEST_CHAIN).checked_sub(1) {
        Some(next) => found(&format!("/chain/{next}")),
        None => end("The end of the chain", "No more redirects."),
    }
}
