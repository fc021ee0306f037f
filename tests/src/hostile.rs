//! What a bad answer becomes: a table, one line each. Around each bad page there are good
//! ones, which must still be fetched, each once.

use crate::Crawl;
use crate::around::{BAD, Stranger, crawl_around};
use crate::server::Act;
use shared::Outcome::{self, *};
use shared::http::MAX_REDIRECT_BODY;
use std::time::Duration;

/// One bad answer, and what the report has to say of it.
pub struct Case {
    /// The rule that it breaks.
    pub name: &'static str,
    acts: Vec<Act>,
    outcome: Outcome,
    /// Bytes of the body, for answers that are good in the end.
    size: Option<u64>,
    /// Where a redirect leads: a path is one of this site.
    next_url: Option<&'static str>,
}

/// Enough for every answer of the table but those that never end.
const TIMEOUT: Duration = Duration::from_secs(20);
/// For those that never end; enough for the good pages around them.
const SHORT: Duration = Duration::from_secs(5);
/// The longest body that is taken.
const MAX_BODY: u64 = 1_000_000;
/// What the systems at both ends may hold on its way, and what nobody reads.
const ON_ITS_WAY: usize = 16 << 20;

impl Case {
    /// Crawls a site with this page on it, and panics if a rule is broken.
    pub fn check(&self, crawl: Crawl) {
        let acts = vec![self.acts.clone()];
        let done = crawl_around(crawl, &Stranger::new(), acts, |options| {
            options.max_body = MAX_BODY;
            options.timeout = if self.outcome == Timeout { SHORT } else { TIMEOUT };
        });
        let bad = done.bad();
        assert_eq!(bad.outcome, self.outcome, "{bad:#?}");
        match bad.outcome {
            Ok | Redirect => assert_eq!(bad.error, None),
            // A redirect that cannot be followed is one, with its reason.
            HttpError => assert_eq!(bad.error.is_some(), is_redirect(bad.status)),
            _ => assert!(bad.error.is_some(), "{bad:#?}"),
        }
        if self.size.is_some() {
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
        assert!(sent <= MAX_BODY as usize + ON_ITS_WAY, "{sent} bytes were taken");
    }
}

/// May an answer with this status lead elsewhere?
fn is_redirect(status: Option<u16>) -> bool {
    matches!(status, Some(301 | 302 | 303 | 307 | 308))
}

/// Bytes that end in an outcome.
fn bad(name: &'static str, bytes: &[u8], outcome: Outcome) -> Case {
    let acts = vec![Act::Send(bytes.to_vec())];
    Case { name, acts, outcome, size: None, next_url: None }
}

/// Bytes that lead elsewhere: to a URL, or to a path of this site.
fn leads(name: &'static str, bytes: &[u8], to: &'static str) -> Case {
    Case { next_url: Some(to), ..bad(name, bytes, Redirect) }
}

/// Bytes that are odd, and good in the end, with a body of that size.
fn fine(name: &'static str, bytes: &[u8], size: u64) -> Case {
    let acts = vec![Act::Send(bytes.to_vec())];
    Case { name, acts, outcome: Ok, size: Some(size), next_url: None }
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
    let mut all = framing();
    all.extend(chunks());
    all.extend(heads());
    all.extend(redirects());
    all.extend(resets());
    all.extend(endless());
    all
}

#[rustfmt::skip]
fn framing() -> Vec<Case> {
    vec![
        bad("closed without an answer", b"", Truncated),
        bad("closed in the status line", b"HTTP/1.1 20", Truncated),
        bad("closed in the head", b"HTTP/1.1 200 OK\r\nContent-", Truncated),
        bad("closed before the promised end", &with("Content-Length: 10", b"12345"), Truncated),
        bad("closed before the promised body", &with("Content-Length: 10", b""), Truncated),
        fine("closed is the end where no length is given", &with("X: y", b"12345"), 5),
        fine("more than was promised is not read", &with("Content-Length: 3", b"12345"), 3),
        fine("a length of nothing", &with("Content-Length: 0", b""), 0),
        fine("204 has no body", b"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n12345", 0),
        bad("304 has no body", b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", HttpError),
        fine("HTTP/1.0 until close", b"HTTP/1.0 200 OK\r\n\r\n12345", 5),
        bad("two lengths that differ", &with("Content-Length: 3|Content-Length: 4", b"1234"), Malformed),
        bad("a list of lengths that differ", &with("Content-Length: 3, 4", b"1234"), Malformed),
        fine("a list of lengths that agree", &with("Content-Length: 4, 4", b"1234"), 4),
        bad("a negative length", &with("Content-Length: -1", b"1234"), Malformed),
        bad("a signed length", &with("Content-Length: +4", b"1234"), Malformed),
        bad("an empty length", &with("Content-Length:", b"1234"), Malformed),
        bad("a length in hexadecimal", &with("Content-Length: 0x4", b"1234"), Malformed),
        bad("a length with a fraction", &with("Content-Length: 4.0", b"1234"), Malformed),
        bad("a length that overflows", &with("Content-Length: 99999999999999999999", b"1"), Malformed),
        bad("the largest length there is", &with("Content-Length: 18446744073709551615", b"1"), TooLarge),
        bad("a length over the limit", &with("Content-Length: 1000001", b"1"), TooLarge),
        bad("a body over the limit", &with("X: y", &vec![b'x'; 1_000_001]), TooLarge),
        fine("a body at the limit", &with("X: y", &vec![b'x'; 1_000_000]), 1_000_000),
        fine("interim answers are skipped", &[b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n".to_vec(), with("Content-Length: 2", b"ok")].concat(), 2),
        bad("too many interim answers", &b"HTTP/1.1 100 Continue\r\n\r\n".repeat(21), Malformed),
        bad("interim and nothing else", b"HTTP/1.1 100 Continue\r\n\r\n", Truncated),
        fine("an interim answer has no body", &[b"HTTP/1.1 103 Early Hints\r\nContent-Length: 500\r\n\r\n".to_vec(), with("Content-Length: 2", b"ok")].concat(), 2),
        fine("twenty interim answers", &[b"HTTP/1.1 100 Continue\r\n\r\n".repeat(20), with("Content-Length: 2", b"ok")].concat(), 2),
        fine("a length that is told twice", &with("Content-Length: 4|Content-Length: 4", b"1234"), 4),
        fine("a length with spaces around", &with("Content-Length:   4  ", b"1234"), 4),
        fine("a length with zeros before", &with("Content-Length: 0004", b"1234"), 4),
        bad("a length in two words", &with("Content-Length: 1 4", b"1234"), Malformed),
        bad("a list of lengths with a hole", &with("Content-Length: 4,,4", b"1234"), Malformed),
        bad("a list of lengths of which one is signed", &with("Content-Length: 4, +4", b"1234"), Malformed),
        fine("204 has no chunks", b"HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 0),
        bad("304 has no chunks", b"HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n", HttpError),
        fine("a length that lies is no matter where there are chunks", &with("Transfer-Encoding: chunked|Content-Length: 99999999999", b"3\r\nabc\r\n0\r\n\r\n"), 3),
    ]
}

#[rustfmt::skip]
fn chunks() -> Vec<Case> {
    vec![
        fine("chunks", &chunked(b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"), 5),
        fine("trailers are read and dropped", &chunked(b"3\r\nabc\r\n0\r\nX: y\r\n\r\n"), 3),
        fine("chunked overrides a length", &with("Content-Length: 1|Transfer-Encoding: chunked", b"3\r\nabc\r\n0\r\n\r\n"), 3),
        fine("chunked in capitals", &with("Transfer-Encoding: CHUNKED", b"3\r\nabc\r\n0\r\n\r\n"), 3),
        bad("closed in a chunk", &chunked(b"5\r\nabc"), Truncated),
        bad("closed between chunks", &chunked(b"3\r\nabc\r\n"), Truncated),
        bad("closed before the last line", &chunked(b"3\r\nabc\r\n0\r\n"), Truncated),
        bad("closed in place of a chunk", &chunked(b""), Truncated),
        bad("an empty chunk size", &chunked(b"\r\n\r\n"), Malformed),
        bad("a signed chunk size", &chunked(b"+3\r\nabc\r\n0\r\n\r\n"), Malformed),
        bad("a negative chunk size", &chunked(b"-3\r\nabc\r\n0\r\n\r\n"), Malformed),
        bad("a chunk size with a prefix", &chunked(b"0x3\r\nabc\r\n0\r\n\r\n"), Malformed),
        bad("a chunk size that overflows", &chunked(b"fffffffffffffffff\r\nabc"), Malformed),
        bad("a chunk size over the limit", &chunked(b"ffffffff\r\nabc"), TooLarge),
        bad("no line end behind a chunk", &chunked(b"3\r\nabcX0\r\n\r\n"), Malformed),
        bad("a bare line feed behind a chunk size", &chunked(b"3\nabc\r\n0\r\n\r\n"), Malformed),
        bad("a chunk line that is too long", &chunked(&[b"3;".to_vec(), vec![b'x'; 5000]].concat()), Malformed),
        bad("trailers that are too long", &chunked(&[b"0\r\n".to_vec(), b"X: yyyyyyyyyyyy\r\n".repeat(1100)].concat()), Malformed),
        bad("chunks that are mostly wrapping", &chunked(&[b"1;", &b"x".repeat(1000)[..], b"\r\na\r\n"].concat().repeat(100)), Malformed),
        bad("chunks over the limit", &chunked(&b"400\r\n".iter().copied().chain([b'x'; 1024]).chain(*b"\r\n").collect::<Vec<_>>().repeat(1000)), TooLarge),
        fine("chunked that is not last is not decoded", &with("Transfer-Encoding: chunked, gzip", b"3\r\nabc\r\n0\r\n\r\n"), 13),
        fine("a chunk size with zeros before", &chunked(b"00000003\r\nabc\r\n000\r\n\r\n"), 3),
        fine("a chunk size in capitals", &chunked(b"A\r\n0123456789\r\n0\r\n\r\n"), 10),
        fine("a chunk extension in quotes", &chunked(b"3;x=\"a;b\"\r\nabc\r\n0\r\n\r\n"), 3),
        bad("a chunk size that is a word", &chunked(b"three\r\nabc\r\n0\r\n\r\n"), Malformed),
        bad("a space before a chunk size", &chunked(b" 3\r\nabc\r\n0\r\n\r\n"), Malformed),
        bad("a chunk that is longer than it says", &chunked(b"3\r\nabcd\r\n0\r\n\r\n"), Malformed),
        bad("a chunk that is shorter than it says", &chunked(b"5\r\nabc\r\n0\r\n\r\n"), Malformed),
        bad("closed in a chunk size", &chunked(b"3\r\nabc\r\n1"), Truncated),
        bad("closed in the trailers", &chunked(b"3\r\nabc\r\n0\r\nX: y\r\n"), Truncated),
        fine("behind the last chunk nothing is read", &chunked(b"3\r\nabc\r\n0\r\n\r\nHTTP/1.1 500 Oops\r\n\r\n"), 3),
        fine("chunked behind another coding", &with("Transfer-Encoding: gzip, chunked", b"3\r\nabc\r\n0\r\n\r\n"), 3),
        fine("chunked on a line of its own", &with("Transfer-Encoding: gzip|Transfer-Encoding: chunked", b"3\r\nabc\r\n0\r\n\r\n"), 3),
        fine("a coding that only looks like chunked", &with("Transfer-Encoding: xchunked", b"3\r\nabc\r\n0\r\n\r\n"), 13),
        fine("chunked twice is not decoded", &with("Transfer-Encoding: chunked, chunked", b"3\r\nabc\r\n0\r\n\r\n"), 13),
    ]
}

#[rustfmt::skip]
fn heads() -> Vec<Case> {
    let many = |count| (0..count).map(|field| format!("X-{field}: y")).collect::<Vec<_>>().join("|");
    vec![
        bad("not HTTP at all", b"hello\r\n\r\n", Malformed),
        bad("HTTP/0.9", b"<html>hello</html>", Malformed),
        bad("HTTP/2", b"HTTP/2 200 OK\r\n\r\n", Malformed),
        bad("SSH", b"SSH-2.0-x\r\n", Malformed),
        bad("a status that is no number", b"HTTP/1.1 abc OK\r\n\r\n", Malformed),
        bad("a status with two digits", b"HTTP/1.1 20 OK\r\n\r\n", Malformed),
        bad("a status with four digits", b"HTTP/1.1 2000 OK\r\n\r\n", Malformed),
        bad("HTTP in small letters", b"http/1.1 200 OK\r\n\r\n", Malformed),
        bad("HTTP/3", b"HTTP/3.0 200 OK\r\n\r\n", Malformed),
        bad("another protocol from here on", b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n\x01\x02\x03\x04", Malformed),
        bad("bytes at random", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", Malformed),
        bad("a name that is empty", &with(": y|Content-Length: 1", b"x"), Malformed),
        bad("a name of two words", &with("X y: z|Content-Length: 1", b"x"), Malformed),
        bad("a NUL in a name", &with("X\0: y|Content-Length: 1", b"x"), Malformed),
        bad("a NUL in the status line", b"HTTP/1.1 200 O\0K\r\nContent-Length: 1\r\n\r\nx", Malformed),
        bad("a bare CR in the status line", b"HTTP/1.1 200 O\rK\r\nContent-Length: 1\r\n\r\nx", Malformed),
        fine("254 fields, and two more", &with(&format!("{}|Content-Length: 1", many(254)), b"x"), 1),
        bad("one field too many", &with(&format!("{}|Content-Length: 1", many(255)), b"x"), Malformed),
        fine("a status without a reason", b"HTTP/1.1 200\r\nContent-Length: 1\r\n\r\nx", 1),
        bad("a NUL in the head", &with("X: a\0b|Content-Length: 1", b"x"), Malformed),
        bad("a bare CR in the head", &with("X: a\rb|Content-Length: 1", b"x"), Malformed),
        bad("a header line without a colon", &with("nonsense|Content-Length: 1", b"x"), Malformed),
        fine("a folded header line", &with("X: a\r\n  b|Content-Length: 1", b"x"), 1),
        bad("a length that is folded", &with("Content-Length: 1\r\n 2", &[b'x'; 12]), Malformed),
        fine("a length on the line after its name", &with("Content-Length:\r\n 1", b"xy"), 1),
        fine("a list of codings that is folded", &with("Transfer-Encoding: gzip,\r\n chunked", b"3\r\nabc\r\n0\r\n\r\n"), 3),
        fine("a space before the colon", &with("Content-Length : 1", b"x"), 1),
        fine("bare line feeds", b"HTTP/1.1 200 OK\nContent-Length: 1\n\nx", 1),
        fine("bytes that are no UTF-8", b"HTTP/1.1 200 OK\r\nX: \xe9\r\nContent-Length: 1\r\n\r\nx", 1),
        fine("two hundred fields", &with(&format!("{}|Content-Length: 1", many(200)), b"x"), 1),
        bad("too many fields", &with(&many(300), b"x"), Malformed),
        bad("a head that is too long", &with(&format!("X: {}", "y".repeat(300_000)), b"x"), Malformed),
        bad("404", b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno", HttpError),
        bad("500 with links", b"HTTP/1.1 500 Oops\r\nContent-Type: text/html\r\n\r\n<a href=/no>", HttpError),
        bad("a status that nobody knows", b"HTTP/1.1 799 What\r\nContent-Length: 0\r\n\r\n", HttpError),
        fine("a content coding that we did not ask for", &with("Content-Encoding: gzip", b"<a href=/no>"), 12),
    ]
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
        leads("a redirect to itself", &to("/bad"), "/bad"),
        leads("a redirect to itself with a fragment", &to("/bad#there"), "/bad"),
        leads("a redirect to a page seen before", &to("/good/1"), "/good/1"),
        leads("301", &status(301, "/good/1"), "/good/1"),
        leads("303", &status(303, "/good/1"), "/good/1"),
        leads("307", &status(307, "/good/1"), "/good/1"),
        leads("308", &status(308, "/good/1"), "/good/1"),
        bad("305 is not followed", &status(305, "/no"), HttpError),
        fine("a target that is none where the status is 200", &with("Location: /no|Content-Length: 1", b"x"), 1),
        bad("a redirect to blanks", &to("   "), HttpError),
        bad("a redirect to a port that is none", &to("http://127.0.0.1:99999/"), HttpError),
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
        leads("a redirect with a fragment", &to("http://x.invalid/a?b#c"), "http://x.invalid/a?b"),
        leads("a redirect with a huge body", b"HTTP/1.1 302 Found\r\nLocation: /good/1\r\nContent-Length: 99999999999\r\n\r\n", "/good/1"),
    ]
}

/// A reset is not a close: not even where a close would be the end of the body.
fn resets() -> Vec<Case> {
    let after = |name, bytes: &[u8]| {
        let acts = vec![Act::Send(bytes.to_vec()), Act::Reset];
        Case { name, acts, outcome: NetworkError, size: None, next_url: None }
    };
    vec![
        after("a reset in place of an answer", b""),
        after("a reset in the head", b"HTTP/1.1 200 OK\r\nContent-"),
        after("a reset in the body", &with("Content-Length: 10", b"12345")),
        after("a reset where a close is the end", &with("X: y", b"12345")),
        after("a reset between chunks", &chunked(b"3\r\nabc\r\n")),
    ]
}

fn endless() -> Vec<Case> {
    let pause = Duration::from_millis(20);
    let case = |name, acts, outcome| {
        let next_url = (outcome == Redirect).then_some("/good/1");
        Case { name, acts, outcome, size: None, next_url }
    };
    let page = with("Content-Length: 100000", &[b'x'; 1000]);
    let redirect = b"HTTP/1.1 302 Found\r\nLocation: /good/1\r\n\r\n".to_vec();
    let too_long = MAX_REDIRECT_BODY as usize + 1;
    let long = vec![b'x'; too_long];
    let length = format!("Content-Length: {too_long}\r\n");
    let promise = format!("HTTP/1.1 302 Found\r\nLocation: /good/1\r\n{length}\r\n");
    vec![
        case("says nothing", vec![Act::Stall], Timeout),
        case(
            "stalls in a chunk",
            vec![Act::Send(chunked(b"5\r\nabc")), Act::Stall],
            Timeout,
        ),
        case(
            "stalls where a close would be the end",
            vec![Act::Send(with("X: y", b"12345")), Act::Stall],
            Timeout,
        ),
        case(
            "floods with a chunk line",
            vec![Act::Send(chunked(b"1;")), Act::Flood(vec![b'x'; 999])],
            Malformed,
        ),
        case(
            "floods with chunks",
            vec![Act::Send(chunked(b"")), Act::Flood(b"1\r\na\r\n".to_vec())],
            TooLarge,
        ),
        case(
            "floods with trailers",
            vec![Act::Send(chunked(b"0\r\n")), Act::Flood(b"X: y\r\n".to_vec())],
            Malformed,
        ),
        case(
            "floods behind the end",
            vec![
                Act::Send(with("Content-Length: 1", b"x")),
                Act::Flood(vec![b'y'; 999]),
            ],
            Ok,
        ),
        case(
            "stalls in the head",
            vec![Act::Send(b"HTT".to_vec()), Act::Stall],
            Timeout,
        ),
        case("stalls in the body", vec![Act::Send(page.clone()), Act::Stall], Timeout),
        // No phase takes as long as the time-out; all together take longer.
        case(
            "is slow twice",
            vec![
                Act::Drip(b"H".to_vec(), SHORT * 2 / 3),
                Act::Send(with("Content-Length: 2", b"o")[1..].to_vec()),
                Act::Drip(b"k".to_vec(), SHORT * 2 / 3),
            ],
            Timeout,
        ),
        case("drips its head", vec![Act::Drip(page.clone(), pause)], Timeout),
        case(
            "drips its body",
            vec![
                Act::Send(with("Content-Length: 999", b"")),
                Act::Drip(vec![b'x'; 999], pause),
            ],
            Timeout,
        ),
        case(
            "floods",
            vec![Act::Send(head("X: y")), Act::Flood(vec![b'x'; 1 << 16])],
            TooLarge,
        ),
        case(
            "floods its head",
            vec![
                Act::Send(b"HTTP/1.1 200 OK\r\n".to_vec()),
                Act::Flood(b"X: y\r\n".to_vec()),
            ],
            Malformed,
        ),
        case(
            "floods with interim answers",
            vec![Act::Flood(b"HTTP/1.1 100 Continue\r\n\r\n".to_vec())],
            Malformed,
        ),
        case(
            "a redirect that floods",
            vec![Act::Send(redirect.clone()), Act::Flood(vec![b'x'; 999])],
            Redirect,
        ),
        // What is dropped is not waited for: this would be a time-out.
        case(
            "a redirect that stalls in a long body",
            vec![Act::Send([redirect, long].concat()), Act::Stall],
            Redirect,
        ),
        case(
            "a redirect that promises a long body and stalls",
            vec![Act::Send(promise.into_bytes()), Act::Stall],
            Redirect,
        ),
    ]
}
