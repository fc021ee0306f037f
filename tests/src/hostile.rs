//! What a bad response becomes: a table, one line each. Around each bad page there are
//! good ones, which must still be fetched, each once.
//!
//! How a response is framed is the subject of a table of its own, which the parser's
//! tests read, too: `shared/tests/http/cases.rs`. Here each of its cases is served to
//! each crawler. Written here are only cases that need more than bytes: a redirect that
//! leads somewhere, a connection that is reset, and responses that make a crawler wait.

#[path = "../../shared/tests/http/cases.rs"]
mod cases;

use crate::Crawl;
use crate::neighbours::{BAD, Stranger, crawl_around};
use crate::scripted::Act;
use crate::waits::SHORT_TIME_OUT;
use shared::Outcome::{self, *};
use shared::http::{MAX_REDIRECT_BODY, MAX_UNSEARCHED};
use std::time::Duration;

/// One bad response, and what the report has to say of it.
pub struct Case {
    /// The rule that it breaks.
    pub name: &'static str,
    acts: Vec<Act>,
    outcome: Outcome,
    /// The length of the body in bytes, where the response is whole in the end.
    size: Option<u64>,
    /// Whether the body is read. If not, the row has no size.
    is_read: bool,
    /// Where a redirect leads: a URL, or a path of this site.
    next_url: Option<&'static str>,
    /// The crawl's limit for bodies, in bytes.
    max_body: u64,
}

/// The longest body that is taken, in bytes.
const MAX_BODY: u64 = 1_000_000;
/// Bytes that the operating system may hold on both ends, and that no crawler reads.
const ON_ITS_WAY: usize = 16 << 20;

impl Case {
    /// Returns whether an attempt runs into its time-out.
    pub fn has_time_out(&self) -> bool {
        self.outcome == Timeout
    }

    /// Crawls a site with this page on it, and panics if a rule is broken.
    pub fn check(&self, crawl: Crawl) {
        let acts = vec![self.acts.clone()];
        let done = crawl_around(crawl, &Stranger::new(), acts, |options| {
            options.max_body = self.max_body;
            if self.has_time_out() {
                options.timeout = SHORT_TIME_OUT;
            }
        });
        let bad = done.bad();
        assert_eq!(bad.outcome, self.outcome, "{bad:#?}");
        match bad.outcome {
            Ok | Redirect => assert_eq!(bad.error, None),
            // A redirect that cannot be followed is an error, too, with a reason.
            HttpError => assert_eq!(bad.error.is_some(), is_redirect(bad.status)),
            _ => assert!(bad.error.is_some(), "{bad:#?}"),
        }
        if self.size.is_some() || !self.is_read {
            assert_eq!(bad.size, self.size);
        }
        let next_url = self.next_url.map(|to| match to.starts_with('/') {
            true => done.server.url(to),
            false => to.to_string(),
        });
        assert_eq!(bad.next_url, next_url);
        assert_eq!(done.server.count(BAD), 1, "one try was allowed");
        assert_eq!(done.report.rows.len(), 5, "{:#?}", done.report);
        let sent = done.server.seen().sent;
        assert!(sent <= self.max_body as usize + ON_ITS_WAY, "{sent} bytes were taken");
    }
}

/// Returns whether a response with this status may lead elsewhere.
fn is_redirect(status: Option<u16>) -> bool {
    matches!(status, Some(301 | 302 | 303 | 307 | 308))
}

/// What the server does, and what becomes of it.
fn case(name: &'static str, acts: Vec<Act>, outcome: Outcome) -> Case {
    Case {
        name,
        acts,
        outcome,
        size: None,
        is_read: true,
        next_url: None,
        max_body: MAX_BODY,
    }
}

/// Bytes that end in an outcome.
fn bad(name: &'static str, bytes: &[u8], outcome: Outcome) -> Case {
    case(name, vec![Act::Send(bytes.to_vec())], outcome)
}

/// Bytes that lead elsewhere: to a URL, or to a path of this site.
fn leads(name: &'static str, bytes: &[u8], to: &'static str) -> Case {
    Case { next_url: Some(to), ..bad(name, bytes, Redirect) }
}

/// Bytes that lead to a URL, and never to a page.
fn never_ends(name: &'static str, bytes: &[u8], to: &'static str) -> Case {
    Case { outcome: TooManyRedirects, ..leads(name, bytes, to) }
}

/// Bytes that are odd, and good in the end, with a body of that size.
fn fine(name: &'static str, bytes: &[u8], size: u64) -> Case {
    Case { size: Some(size), ..bad(name, bytes, Ok) }
}

/// A case of the table that the parser's tests read. Where it leads elsewhere, that is
/// to the first good page.
fn framing(case: cases::Case) -> Case {
    use cases::Expected;
    let text = String::from_utf8_lossy(&case.bytes).to_lowercase();
    let leads_to_good_page = text.contains("\r\nlocation: /good/1\r\n");
    let made = match case.expected {
        Expected::Whole { status, .. } if is_redirect(Some(status)) => {
            match leads_to_good_page {
                true => leads(case.name, &case.bytes, "/good/1"),
                false => bad(case.name, &case.bytes, HttpError),
            }
        }
        Expected::Whole { status, body, .. } => {
            let outcome = if (200..300).contains(&status) { Ok } else { HttpError };
            let size = Some(body.len() as u64);
            Case { size, ..bad(case.name, &case.bytes, outcome) }
        }
        Expected::NotRead { status } => {
            let outcome = if (200..300).contains(&status) { Ok } else { HttpError };
            Case { is_read: false, ..bad(case.name, &case.bytes, outcome) }
        }
        Expected::ClosedBeforeResponse | Expected::Truncated => {
            bad(case.name, &case.bytes, Truncated)
        }
        Expected::Malformed(_) => bad(case.name, &case.bytes, Malformed),
        Expected::TooLarge => bad(case.name, &case.bytes, TooLarge),
    };
    Case { max_body: cases::MAX_BODY, ..made }
}

/// A status line and these lines, an empty one, and a body.
fn head(lines: &str) -> Vec<u8> {
    let lines: String = lines.split('|').map(|line| format!("{line}\r\n")).collect();
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{lines}\r\n").into_bytes()
}

fn with(lines: &str, body: &[u8]) -> Vec<u8> {
    [head(lines), body.to_vec()].concat()
}

fn chunked(body: &[u8]) -> Vec<u8> {
    with("Transfer-Encoding: chunked", body)
}

/// The whole table.
pub fn cases() -> Vec<Case> {
    let mut all: Vec<Case> = cases::all().into_iter().map(framing).collect();
    all.extend(redirects());
    all.extend(large());
    all.extend(slow_heads());
    all.extend(resets());
    all.extend(endless());
    all
}

#[rustfmt::skip]
fn redirects() -> Vec<Case> {
    let to = |location: &str| format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n").into_bytes();
    let status = |status: u16, location: &str| format!("HTTP/1.1 {status} x\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n").into_bytes();
    let long = format!("http://x.invalid/{}", "y".repeat(20_000));
    vec![
        bad("a redirect without a target", b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", HttpError),
        bad("a redirect to nothing", &to(""), HttpError),
        bad("a redirect to javascript", &to("javascript:alert(1)"), HttpError),
        bad("a redirect to a file", &to("file:///etc/passwd"), HttpError),
        bad("a redirect to data", &to("data:text/html,x"), HttpError),
        bad("a redirect to mail", &to("mailto:a@b.example"), HttpError),
        bad("a redirect to garbage", &to("http://[::1"), HttpError),
        bad("a redirect to a URL that is too long", &to(&long), HttpError),
        leads("a redirect off the site", &to("http://x.invalid/"), "http://x.invalid/"),
        never_ends("a redirect to itself", &to("/bad"), "/bad"),
        never_ends("a redirect to itself with a fragment", &to("/bad#there"), "/bad"),
        leads("a redirect to a page seen before", &to("/good/1"), "/good/1"),
        leads("301", &status(301, "/good/1"), "/good/1"),
        leads("303", &status(303, "/good/1"), "/good/1"),
        leads("307", &status(307, "/good/1"), "/good/1"),
        leads("308", &status(308, "/good/1"), "/good/1"),
        bad("305 is not followed", &status(305, "/no"), HttpError),
        fine("a target that is ignored where the status is 200", &with("Location: /no|Content-Length: 1", b"x"), 1),
        bad("a redirect to blanks", &to("   "), HttpError),
        bad("a redirect to a port that does not exist", &to("http://127.0.0.1:99999/"), HttpError),
        bad("a redirect to ftp", &to("ftp://x.invalid/"), HttpError),
        bad("a redirect to about", &to("about:blank"), HttpError),
        leads("a redirect to a host without a scheme", &to("//x.invalid/"), "http://x.invalid/"),
        leads("a redirect to a foreign port", &to("http://127.0.0.1:1/"), "http://127.0.0.1:1/"),
        leads("a redirect with backslashes", &to("\\good\\1"), "/good/1"),
        leads("a redirect with dots", &to("/x/../good/./1"), "/good/1"),
        leads("a redirect with a name and a password", &to("http://user:secret@x.invalid/"), "http://x.invalid/"),
        bad("300 is not followed", b"HTTP/1.1 300 Choose\r\nLocation: /no\r\nContent-Length: 0\r\n\r\n", HttpError),
        leads("a redirect beside its page", &to("good/1"), "/good/1"),
        leads("a redirect to a URL without a path", &to("http://x.invalid"), "http://x.invalid/"),
        leads("a redirect to the usual port", &to("http://x.invalid:80/"), "http://x.invalid/"),
        leads("a redirect in capitals", &to("HTTP://X.INVALID/A"), "http://x.invalid/A"),
        leads("a redirect with spaces", &to("  http://x.invalid/a b  "), "http://x.invalid/a%20b"),
        leads("a redirect with an umlaut", &to("http://x.invalid/\u{e4}"), "http://x.invalid/%C3%A4"),
        leads("a Location that is not UTF-8", b"HTTP/1.1 302 Found\r\nLocation: http://x.invalid/caf\xe9\r\n\r\n", "http://x.invalid/caf%E9"),
        leads("a redirect with a fragment", &to("http://x.invalid/a?b#c"), "http://x.invalid/a?b"),
    ]
}

/// Bodies that take many reads.
#[rustfmt::skip]
fn large() -> Vec<Case> {
    let limit = MAX_BODY as usize;
    let length = format!("Content-Length: {limit}");
    let archive = |length: usize| {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/zip\r\n\r\n";
        [head.as_bytes(), &vec![b'x'; length]].concat()
    };
    let chunk = [b"400\r\n", &[b'x'; 1024][..], b"\r\n"].concat();
    vec![
        fine("a large body at the limit", &with(&length, &vec![b'x'; limit]), MAX_BODY),
        fine("a large body at the limit, until close", &with("X: y", &vec![b'x'; limit]), MAX_BODY),
        bad("a large body over the limit", &with("X: y", &vec![b'x'; limit + 1]), TooLarge),
        Case { max_body: 10 * MAX_BODY, ..fine("an archive at its limit", &archive(MAX_UNSEARCHED as usize), MAX_UNSEARCHED) },
        Case { max_body: 10 * MAX_BODY, is_read: false, ..bad("an archive over its limit", &archive(MAX_UNSEARCHED as usize + 1), Ok) },
        bad("many chunks over the limit", &chunked(&chunk.repeat(1000)), TooLarge),
    ]
}

/// Heads that are expensive, if reading them takes more than linear time.
fn slow_heads() -> Vec<Case> {
    let parameters: String = (0..30_000).map(|name| format!(";{name}=x")).collect();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html{parameters}\r\n");
    let page = format!("{head}Content-Length: 1\r\n\r\nx");
    vec![fine("a type with 30,000 parameters", page.as_bytes(), 1)]
}

/// A reset is not a close: not even where a close would be the end of the body.
#[rustfmt::skip]
fn resets() -> Vec<Case> {
    let after = |name, bytes: &[u8]| case(name, vec![Act::Send(bytes.to_vec()), Act::Reset], NetworkError);
    vec![
        after("a reset in place of an answer", b""),
        after("a reset in the head", b"HTTP/1.1 200 OK\r\nContent-"),
        after("a reset in the body", &with("Content-Length: 10", b"12345")),
        after("a reset where a close is the end", &with("X: y", b"12345")),
        after("a reset between chunks", &chunked(b"3\r\nabc\r\n")),
    ]
}

/// Responses that stop, drip or go on for ever. Only a time-out or a limit ends them.
#[rustfmt::skip]
fn endless() -> Vec<Case> {
    let send = |bytes: &[u8]| Act::Send(bytes.to_vec());
    let flood = |bytes: &[u8]| Act::Flood(bytes.to_vec());
    let drip = |bytes: &[u8], pause| Act::Drip(bytes.to_vec(), pause);
    let pause = Duration::from_millis(20);
    let slow = SHORT_TIME_OUT * 2 / 3;
    let page = with("Content-Length: 100000", &[b'x'; 1000]);
    let redirect = |rest: &str| format!("HTTP/1.1 302 Found\r\nLocation: /good/1\r\n{rest}\r\n").into_bytes();
    let too_long = MAX_REDIRECT_BODY as usize + 1;
    let leads = |name, acts| Case { next_url: Some("/good/1"), ..case(name, acts, Redirect) };
    vec![
        case("says nothing", vec![Act::Stall], Timeout),
        case("stalls in the head", vec![send(b"HTT"), Act::Stall], Timeout),
        case("stalls in the body", vec![send(&page), Act::Stall], Timeout),
        case("stalls in a chunk", vec![send(&chunked(b"5\r\nabc")), Act::Stall], Timeout),
        case("stalls where a close would be the end", vec![send(&with("X: y", b"12345")), Act::Stall], Timeout),
        case("drips its head", vec![drip(&page, pause)], Timeout),
        case("drips its body", vec![send(&with("Content-Length: 999", b"")), drip(&[b'x'; 999], pause)], Timeout),
        // No phase takes as long as the time-out; all together take longer.
        case("is slow twice", vec![drip(b"H", slow), send(&with("Content-Length: 2", b"o")[1..]), drip(b"k", slow)], Timeout),
        case("floods", vec![send(&head("X: y")), flood(&[b'x'; 1 << 16])], TooLarge),
        Case { is_read: false, ..case("floods, and is not searched", vec![send(b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n"), flood(&[b'x'; 1 << 16])], Ok) },
        // What is dropped is not waited for: else this would be a time-out.
        Case { is_read: false, ..case("promises a long video and stalls", vec![send(b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 1048577\r\n\r\n"), Act::Stall], Ok) },
        case("floods its head", vec![send(b"HTTP/1.1 200 OK\r\n"), flood(b"X: y\r\n")], Malformed),
        case("floods with interim answers", vec![flood(b"HTTP/1.1 100 Continue\r\n\r\n")], Malformed),
        case("floods with a chunk line", vec![send(&chunked(b"1;")), flood(&[b'x'; 999])], Malformed),
        // A million chunks of one byte would be minutes of a slow machine.
        Case { max_body: 100_000, ..case("floods with chunks", vec![send(&chunked(b"")), flood(b"1\r\na\r\n")], TooLarge) },
        case("floods with trailers", vec![send(&chunked(b"0\r\n")), flood(b"X: y\r\n")], Malformed),
        case("floods after the end", vec![send(&with("Content-Length: 1", b"x")), flood(&[b'y'; 999])], Ok),
        leads("a redirect that floods", vec![send(&redirect("")), flood(&[b'x'; 999])]),
        // What is dropped is not waited for: else these would be time-outs.
        leads("a redirect that stalls in a long body", vec![send(&redirect("")), send(&vec![b'x'; too_long]), Act::Stall]),
        leads("a redirect that promises a long body and stalls", vec![send(&redirect(&format!("Content-Length: {too_long}\r\n"))), Act::Stall]),
    ]
}
