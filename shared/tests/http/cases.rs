//! Valid and broken responses, one per line, with the results that RFC 9112 §6.3
//! requires.
//!
//! Two suites read this table. The tests of the parser feed it each case, at every
//! split, without a socket. `tests/src/hostile.rs` serves each case to each crawler.
//! So this file uses only the standard library.

/// The longest body that is accepted, in bytes.
pub(crate) const MAX_BODY: u64 = 1000;

/// A response, after which the server closes the connection.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// What the case is about.
    pub(crate) name: &'static str,
    /// All bytes that the server sends.
    pub(crate) bytes: Vec<u8>,
    /// What a client has to make of the bytes.
    pub(crate) expected: Expected,
}

/// What a client has to make of a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// The response is complete.
    Whole {
        status: u16,
        body: Vec<u8>,
        /// Whether another request may follow on the connection.
        is_reusable: bool,
        /// Whether the body is in a coding that the client did not ask for.
        is_encoded: bool,
    },
    /// The body is not searched for links, and is too long to be read.
    NotRead { status: u16 },
    /// The server sends nothing at all.
    ClosedBeforeResponse,
    /// The connection ends before the end of the response.
    Truncated,
    /// The bytes are not HTTP/1, or the end of the response is ambiguous. The text is
    /// that of the error message.
    Malformed(&'static str),
    /// The response is a page, and its body is longer than `MAX_BODY`, or its head
    /// says so.
    TooLarge,
}
use Expected::{ClosedBeforeResponse, Malformed, NotRead, TooLarge, Truncated, Whole};

// The error message after "the answer is not valid HTTP/1: ".
const NOT_HTTP: Expected = Malformed("it does not begin with HTTP/1.");
const TLS: Expected = Malformed("it looks like TLS: does the server speak https?");
const HEAD_SIZE: Expected = Malformed("the head is too long");
const VERSION: Expected = Malformed("its version is not one digit");
const STATUS: Expected = Malformed("its status line makes no sense");
const INTERIM: Expected = Malformed("too many interim answers");
const LINE: Expected = Malformed("a line of its head makes no sense");
const NAME: Expected =
    Malformed("a header line has no colon, or no proper name before it");
const VALUE: Expected = Malformed("a header field has a control character in it");
const FIELDS: Expected = Malformed("it has too many header fields");
const LENGTH: Expected = Malformed("its length is no number");
const TWO_LENGTHS: Expected = Malformed("it has two lengths");
const SIZE: Expected = Malformed("a chunk has no proper size");
const SIZE_LINE: Expected = Malformed("a chunk's line is too long");
const LINE_END: Expected = Malformed("a chunk's line does not end in CR LF");
const CHUNK: Expected = Malformed("a chunk is longer than its size");
const TRAILERS: Expected = Malformed("its trailers are too long");
const WRAPPING: Expected = Malformed("its chunks are mostly wrapping");

/// A complete response. Another request may follow on its connection.
fn kept(status: u16, body: impl Into<Vec<u8>>) -> Expected {
    Whole { status, body: body.into(), is_reusable: true, is_encoded: false }
}

/// A complete response, the last one on its connection.
fn last(status: u16, body: impl Into<Vec<u8>>) -> Expected {
    kept(status, body).and(false, false)
}

impl Expected {
    /// The same response, but in a coding that the client did not ask for.
    fn encoded(self) -> Expected {
        let is_reusable = matches!(self, Whole { is_reusable: true, .. });
        self.and(is_reusable, true)
    }

    fn and(self, is_reusable: bool, is_encoded: bool) -> Expected {
        match self {
            Whole { status, body, .. } => {
                Whole { status, body, is_reusable, is_encoded }
            }
            error => error,
        }
    }
}

/// A response in a short form: `§` is CR LF, `¤` a bare CR, `¦` a bare LF, `∅` a NUL,
/// and `200§` at the beginning the status line `HTTP/1.1 200 OK`.
fn case(name: &'static str, text: &str, expected: Expected) -> Case {
    let text = match text.strip_prefix("200§") {
        Some(rest) => format!("HTTP/1.1 200 OK§{rest}"),
        None => text.to_string(),
    };
    let text = text.replace('§', "\r\n").replace('¤', "\r").replace('¦', "\n");
    raw(name, text.replace('∅', "\0").as_bytes(), expected)
}

/// A response that the short form cannot express.
fn raw(name: &'static str, bytes: &[u8], expected: Expected) -> Case {
    Case { name, bytes: bytes.to_vec(), expected }
}

/// A chunked body, after a head that announces it.
fn chunks(name: &'static str, body: &str, expected: Expected) -> Case {
    case(name, &format!("200§Transfer-Encoding: chunked§§{body}"), expected)
}

/// A chunked body of a page, which is searched for links.
fn searched_chunks(name: &'static str, body: &str, expected: Expected) -> Case {
    let head = "Content-Type: text/html§Transfer-Encoding: chunked";
    case(name, &format!("200§{head}§§{body}"), expected)
}

/// The whole table.
pub(crate) fn all() -> Vec<Case> {
    [
        status_lines(),
        heads(),
        without_body(),
        lengths(),
        until_close(),
        codings(),
        in_chunks(),
        connections(),
        bodies_of_redirects(),
        bodies_that_are_not_searched(),
        limits(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[rustfmt::skip]
fn status_lines() -> Vec<Case> {
    vec![
        case("closed without an answer", "", ClosedBeforeResponse),
        case("closed in the first word", "HTT", Truncated),
        case("closed in the status line", "HTTP/1.1 20", Truncated),
        case("closed in the head", "200§Content-", Truncated),
        case("a status without a reason", "HTTP/1.1 200§Content-Length: 1§§x", kept(200, "x")),
        case("a status with an empty reason", "HTTP/1.1 200 §Content-Length: 0§§", kept(200, "")),
        case("a reason that is no ASCII", "HTTP/1.1 404 Straße\t!§Content-Length: 2§§no", kept(404, "no")),
        case("a NUL in the status line", "HTTP/1.1 200 O∅K§Content-Length: 1§§x", STATUS),
        case("a bare CR in the status line", "HTTP/1.1 200 O¤K§Content-Length: 1§§x", STATUS),
        case("404", "HTTP/1.1 404 Not Found§Content-Length: 2§§no", kept(404, "no")),
        case("500 with links", "HTTP/1.1 500 Oops§Content-Type: text/html§§<a href=/no>", last(500, "<a href=/no>")),
        case("a status that is not registered", "HTTP/1.1 799 What§Content-Length: 0§§", kept(799, "")),
        case("the largest status", "HTTP/1.1 999 Odd§Content-Length: 0§§", kept(999, "")),
        case("a status below 100", "HTTP/1.1 099 Low§§", STATUS),
        case("a status that is no number", "HTTP/1.1 abc OK§§", STATUS),
        case("a status that is a word alone", "HTTP/1.1 abc§§", STATUS),
        case("a status that is no number, in a head without an end", "HTTP/1.1 abc§closed before the blank line", STATUS),
        case("a status with two digits", "HTTP/1.1 20 OK§§", STATUS),
        case("a status with four digits", "HTTP/1.1 2000 OK§§", STATUS),
        case("a status with a sign", "HTTP/1.1 +20 OK§§", STATUS),
        case("a version without a status", "HTTP/1.1§§", VERSION),
        case("HTTP/1.0 until close", "HTTP/1.0 200 OK§§12345", last(200, "12345")),
        case("HTTP/1.2", "HTTP/1.2 200 OK§Content-Length: 2§§ok", kept(200, "ok")),
        case("HTTP/1.9", "HTTP/1.9 200 OK§Content-Length: 2§§ok", kept(200, "ok")),
        case("HTTP/1.10", "HTTP/1.10 200 OK§Content-Length: 2§§ok", VERSION),
        case("HTTP/1.x", "HTTP/1.x 200 OK§Content-Length: 2§§ok", VERSION),
        case("HTTP/0.9", "<html>hello</html>", NOT_HTTP),
        case("HTTP/0.9 by its number", "HTTP/0.9 200 OK§§", NOT_HTTP),
        case("HTTP/2", "HTTP/2 200 OK§§", NOT_HTTP),
        case("HTTP/2.0", "HTTP/2.0 200 OK§§", NOT_HTTP),
        case("the preface of HTTP/2", "PRI * HTTP/2.0§§SM§§", NOT_HTTP),
        case("HTTP/3", "HTTP/3.0 200 OK§§", NOT_HTTP),
        case("HTTP in small letters", "http/1.1 200 OK§§", NOT_HTTP),
        case("Shoutcast", "ICY 200 OK§§", NOT_HTTP),
        case("SSH", "SSH-2.0-x§", NOT_HTTP),
        case("not HTTP at all", "hello§§", NOT_HTTP),
        case("an empty line before the status line", "§HTTP/1.1 200 OK§§", NOT_HTTP),
        raw("an alert of TLS", b"\x15\x03\x01\x00\x02\x02\x46", TLS),
        raw("bytes at random", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", NOT_HTTP),
    ]
}

#[rustfmt::skip]
fn heads() -> Vec<Case> {
    vec![
        case("bare line feeds", "HTTP/1.1 200 OK¦Content-Length: 1¦¦x", kept(200, "x")),
        case("a bare line feed as the empty line", "200§Content-Length: 2§¦ok", kept(200, "ok")),
        case("bare line feeds before the empty line", "HTTP/1.1 200 OK¦Content-Length: 2¦§ok", kept(200, "ok")),
        case("a name in other letters, and no space after the colon", "200§content-LENGTH:2§§ok", kept(200, "ok")),
        case("a field without a value", "200§Empty:§Content-Length: 2§§ok", kept(200, "ok")),
        case("a space before the colon", "200§Content-Length : 1§§x", kept(200, "x")),
        case("a tab before the colon", "200§Content-Length\t: 2§§ok", kept(200, "ok")),
        case("a space before the colon of a second length", "200§Content-Length: 2§Content-Length : 3§§okay", TWO_LENGTHS),
        case("a space before the colon of a coding", "200§Transfer-Encoding : chunked§§2§ok§0§§", kept(200, "ok")),
        case("a folded header line", "200§X: a§  b§Content-Length: 1§§x", kept(200, "x")),
        case("a length that is folded", "200§Content-Length: 1§ 2§§xxxxxxxxxxxx", LENGTH),
        case("a length on the line after its name", "200§Content-Length:§ 1§§xy", last(200, "x")),
        case("a length before a line of blanks", "200§Content-Length: 2§\t§§ok", kept(200, "ok")),
        case("a list of lengths that is folded after a bare line feed", "200§Content-Length: 2,¦ 2§§ok", kept(200, "ok")),
        case("a coding on the line after its name", "200§Transfer-Encoding:§ chunked§§2§ok§0§§", kept(200, "ok")),
        case("a list of codings that is folded", "200§Transfer-Encoding: gzip,§ chunked§§3§abc§0§§", kept(200, "abc").encoded()),
        case("a folded line before the first field", "200§ X: y§Content-Length: 2§§ok", NAME),
        case("a header line without a colon", "200§nonsense§Content-Length: 1§§x", NAME),
        case("a header line without a colon, and then a close", "200§no colon§and closed", NAME),
        case("a name that is empty", "200§: y§Content-Length: 1§§x", NAME),
        case("a name of two words", "200§X y: z§Content-Length: 1§§x", NAME),
        case("a NUL in a name", "200§X∅: y§Content-Length: 1§§x", NAME),
        case("a NUL in the head", "200§X: a∅b§Content-Length: 1§§x", VALUE),
        case("a bare CR in the head", "200§X: a¤b§Content-Length: 1§§x", VALUE),
        case("two CRs at the end of a line", "200§X: a¤¤¦Content-Length: 2§§ok", VALUE),
        case("a bare CR before the empty line", "200§X: a§Content-Length: 2§¤§ok", LINE),
        case("an escape sequence in the head", "200§X: a\x1b[31mb§Content-Length: 2§§ok", VALUE),
        raw("bytes that are no UTF-8", b"HTTP/1.1 200 OK\r\nX: \xe9\r\nContent-Length: 1\r\n\r\nx", kept(200, "x")),
    ]
}

/// Interim responses, which are skipped, and statuses that never have a body.
#[rustfmt::skip]
fn without_body() -> Vec<Case> {
    vec![
        case("204", "HTTP/1.1 204 No§§", kept(204, "")),
        case("304", "HTTP/1.1 304 Not§§", kept(304, "")),
        case("204 and another response", "HTTP/1.1 204 No§§HTTP/1.1 200 OK§§", last(204, "")),
        case("204 has no body", "HTTP/1.1 204 No Content§Content-Length: 5§§12345", last(204, "")),
        case("204 with a length, and nothing after it", "HTTP/1.1 204 No§Content-Length: 5§§", last(204, "")),
        case("204 with a length that is signed", "HTTP/1.1 204 No§Content-Length: +5§§", last(204, "")),
        case("204 has no chunks", "HTTP/1.1 204 No Content§Transfer-Encoding: chunked§§5§hello§0§§", last(204, "")),
        case("204 that says chunked, and nothing after it", "HTTP/1.1 204 No§Transfer-Encoding: chunked§§", last(204, "")),
        case("304 has no body", "HTTP/1.1 304 Not Modified§Content-Length: 5§§", last(304, "")),
        case("304 with a body nevertheless", "HTTP/1.1 304 Not§Content-Length: 5§§hello", last(304, "")),
        case("304 has no chunks", "HTTP/1.1 304 Not Modified§Transfer-Encoding: chunked§§5§", last(304, "")),
        case("304 with chunks nevertheless", "HTTP/1.1 304 Not§Transfer-Encoding: chunked§§5§hello§0§§", last(304, "")),
        case("another protocol from here on", "HTTP/1.1 101 Switching Protocols§Upgrade: x§§\u{1}\u{2}\u{3}\u{4}", NOT_HTTP),
        case("interim and nothing else", "HTTP/1.1 100 Continue§§", Truncated),
        case("interim and then nonsense", "HTTP/1.1 100 Continue§§200", NOT_HTTP),
        case("an interim answer before the answer", "HTTP/1.1 100 Continue§§HTTP/1.1 200 OK§Content-Length: 2§§ok", kept(200, "ok")),
        case("interim answers are skipped", "HTTP/1.1 100 Continue§§HTTP/1.1 103 Early Hints§Link: x§§HTTP/1.1 200 OK§Content-Length: 2§§ok", kept(200, "ok")),
        case("an interim answer has no body", "HTTP/1.1 103 Early Hints§Content-Length: 500§§HTTP/1.1 200 OK§Content-Length: 2§§ok", kept(200, "ok")),
        case("an interim answer has no chunks", "HTTP/1.1 103 Hints§Content-Length: 9§§HTTP/1.1 100 Continue§Transfer-Encoding: chunked§§HTTP/1.0 200 OK§§ok", last(200, "ok")),
    ]
}

#[rustfmt::skip]
fn lengths() -> Vec<Case> {
    vec![
        case("a length of nothing", "200§Content-Length: 0§§", kept(200, "")),
        case("a length with zeros before", "200§Content-Length: 0004§§1234", kept(200, "1234")),
        case("a length with spaces around", "200§Content-Length:   4  §§1234", kept(200, "1234")),
        case("a length with tabs around", "200§Content-Length: \t 2 \t §§ok", kept(200, "ok")),
        case("more than was promised is not read", "200§Content-Length: 3§§12345", last(200, "123")),
        case("closed before the promised end", "200§Content-Length: 10§§12345", Truncated),
        case("closed before the promised body", "200§Content-Length: 10§§", Truncated),
        case("a length that is told twice", "200§Content-Length: 4§Content-Length: 4§§1234", kept(200, "1234")),
        case("two lengths that differ", "200§Content-Length: 3§Content-Length: 4§§1234", TWO_LENGTHS),
        case("a list of lengths that agree", "200§Content-Length: 4, 4§§1234", kept(200, "1234")),
        case("a list of lengths that differ", "200§Content-Length: 3, 4§§1234", TWO_LENGTHS),
        case("a list of lengths with a hole", "200§Content-Length: 4,,4§§1234", LENGTH),
        case("a list of lengths that ends in a comma", "200§Content-Length: 2,§§ok", LENGTH),
        case("a list of lengths of which one is signed", "200§Content-Length: 4, +4§§1234", LENGTH),
        case("an empty length", "200§Content-Length:§§1234", LENGTH),
        case("a length of blanks", "200§Content-Length: §§", LENGTH),
        case("a negative length", "200§Content-Length: -1§§1234", LENGTH),
        case("a signed length", "200§Content-Length: +4§§1234", LENGTH),
        case("a length in hexadecimal", "200§Content-Length: 0x4§§1234", LENGTH),
        case("a length with a fraction", "200§Content-Length: 4.0§§1234", LENGTH),
        case("a length in two words", "200§Content-Length: 1 4§§1234", LENGTH),
        case("a length in wide digits", "200§Content-Length: ２§§ok", LENGTH),
        case("a length that overflows", "200§Content-Length: 99999999999999999999§§1", LENGTH),
        case("a length one more than the largest", "200§Content-Length: 18446744073709551616§§1", LENGTH),
        case("the largest length there is", "200§Content-Type: text/html§Content-Length: 18446744073709551615§§1", TooLarge),
        case("a length over the limit", "200§Content-Type: text/html§Content-Length: 1001§§1", TooLarge),
        case("a length at the limit, and a close", "200§Content-Length: 1000§§", Truncated),
    ]
}

#[rustfmt::skip]
fn until_close() -> Vec<Case> {
    vec![
        case("no length and no body", "200§§", last(200, "")),
        case("closed is the end where no length is given", "200§X: y§§12345", last(200, "12345")),
        case("keep-alive without a length", "200§Connection: keep-alive§§all", last(200, "all")),
        case("a body at the limit", &format!("200§X: y§§{}", "x".repeat(1000)), last(200, "x".repeat(1000))),
        case("a body over the limit", &format!("200§Content-Type: text/html§X: y§§{}", "x".repeat(1001)), TooLarge),
    ]
}

#[rustfmt::skip]
fn codings() -> Vec<Case> {
    vec![
        case("chunked", "200§Transfer-Encoding: chunked§§2§ok§0§§", kept(200, "ok")),
        case("chunked in capitals", "200§Transfer-Encoding: CHUNKED§§3§abc§0§§", kept(200, "abc")),
        case("chunked in mixed letters", "200§Transfer-Encoding: ChUnKeD§§2§ok§0§§", kept(200, "ok")),
        case("chunked among empty members", "200§Transfer-Encoding: , chunked,§§2§ok§0§§", kept(200, "ok")),
        case("chunked behind another coding", "200§Transfer-Encoding: gzip, chunked§§3§abc§0§§", kept(200, "abc").encoded()),
        case("chunked on a line of its own", "200§Transfer-Encoding: gzip§Transfer-Encoding: chunked§§3§abc§0§§", kept(200, "abc").encoded()),
        case("chunked behind identity", "200§Transfer-Encoding: identity, chunked§§2§ok§0§§", kept(200, "ok")),
        case("identity is no coding for a transfer", "200§Transfer-Encoding: identity§§ok", last(200, "ok")),
        case("an empty coding overrides a length", "200§Transfer-Encoding:§Content-Length: 1§§ok", last(200, "ok")),
        case("gzip until close", "200§Transfer-Encoding: gzip§§zz", last(200, "zz").encoded()),
        case("gzip overrides a length", "200§Transfer-Encoding: gzip§Content-Length: 1§§zz", last(200, "zz").encoded()),
        case("chunked that is not last is not decoded", "200§Transfer-Encoding: chunked, gzip§§3§abc§0§§", last(200, "3\r\nabc\r\n0\r\n\r\n").encoded()),
        case("chunked before identity is not decoded", "200§Transfer-Encoding: chunked, identity§§2§ok", last(200, "2\r\nok").encoded()),
        case("chunked twice is not decoded", "200§Transfer-Encoding: chunked, chunked§§3§abc§0§§", last(200, "3\r\nabc\r\n0\r\n\r\n").encoded()),
        case("chunked twice, on two lines", "200§Transfer-Encoding: chunked§Transfer-Encoding: chunked§§0§§", last(200, "0\r\n\r\n").encoded()),
        case("chunked with a parameter", "200§Transfer-Encoding: chunked;x=y§§0§§", last(200, "0\r\n\r\n").encoded()),
        case("a coding that only looks like chunked", "200§Transfer-Encoding: xchunked§§3§abc§0§§", last(200, "3\r\nabc\r\n0\r\n\r\n").encoded()),
        case("chunked overrides a length", "200§Content-Length: 1§Transfer-Encoding: chunked§§3§abc§0§§", last(200, "abc")),
        case("a length that lies is no matter where there are chunks", "200§Transfer-Encoding: chunked§Content-Length: 99999999999§§3§abc§0§§", last(200, "abc")),
        case("a signed length beside chunks", "200§Content-Length: +2§Transfer-Encoding: chunked§§2§ok§0§§", LENGTH),
        case("lengths that differ beside chunks", "200§Content-Length: 2,3§Transfer-Encoding: chunked§§2§ok§0§§", TWO_LENGTHS),
        case("chunks in HTTP/1.0", "HTTP/1.0 200 OK§Transfer-Encoding: chunked§§2§ok§0§§", last(200, "ok")),
        case("chunks in HTTP/1.0 with keep-alive", "HTTP/1.0 200 OK§Connection: keep-alive§Transfer-Encoding: chunked§§2§ok§0§§", last(200, "ok")),
        case("a content coding that we did not ask for", "200§Content-Type: text/html§Content-Encoding: gzip§Content-Length: 12§§<a href=/no>", kept(200, "<a href=/no>").encoded()),
        case("a content coding that is none", "200§Content-Encoding: Identity§Content-Length: 2§§ok", kept(200, "ok")),
        case("an empty content coding", "200§Content-Encoding:§Content-Length: 2§§ok", kept(200, "ok")),
        case("a content coding behind identity", "200§Content-Encoding: identity, br§Content-Length: 2§§zz", kept(200, "zz").encoded()),
    ]
}

#[rustfmt::skip]
fn in_chunks() -> Vec<Case> {
    vec![
        chunks("no chunk but the last", "0§§", kept(200, "")),
        chunks("chunks", "3§abc§2;x=y§de§0§§", kept(200, "abcde")),
        chunks("chunks without extensions", "1§a§2§bc§000§§", kept(200, "abc")),
        chunks("a chunk of a line end", "2§§§0§§", kept(200, "\r\n")),
        chunks("a chunk size with zeros before", "00000003§abc§000§§", kept(200, "abc")),
        chunks("a chunk size of sixteen digits", "0000000000000002§ok§0§§", kept(200, "ok")),
        chunks("a chunk size of seventeen digits", "00000000000000002§ok§0§§", SIZE),
        chunks("a chunk size in capitals", "A§0123456789§0§§", kept(200, "0123456789")),
        chunks("a chunk size in small letters", "a§0123456789§A§0123456789§0§§", kept(200, "01234567890123456789")),
        chunks("a chunk extension in quotes", "3;x=\"a;b\"§abc§0§§", kept(200, "abc")),
        chunks("an extension of the last chunk", "2;ext§ok§0;last=\"a;b\"§§", kept(200, "ok")),
        chunks("blanks after a chunk size", "2 \t;ext§ok§0  §§", kept(200, "ok")),
        chunks("trailers are read and dropped", "3§abc§0§X: y§§", kept(200, "abc")),
        chunks("two trailers", "2§ok§0§Trailer: x§Another: y§§", kept(200, "ok")),
        chunks("a trailer is no length", "2§ok§0§Content-Length: 9§§", kept(200, "ok")),
        chunks("behind the last chunk nothing is read", "3§abc§0§§HTTP/1.1 500 Oops§§", last(200, "abc")),
        chunks("closed in place of a chunk", "", Truncated),
        chunks("closed in the first chunk size", "2", Truncated),
        chunks("closed in a chunk size", "3§abc§1", Truncated),
        chunks("closed in a chunk", "5§abc", Truncated),
        chunks("closed at the end of a chunk", "2§ok", Truncated),
        chunks("closed in the line end behind a chunk", "2§ok¤", Truncated),
        chunks("closed between chunks", "3§abc§", Truncated),
        chunks("closed in the last line", "2§ok§0", Truncated),
        chunks("closed before the last line", "3§abc§0§", Truncated),
        chunks("closed in the trailers", "3§abc§0§X: y§", Truncated),
        chunks("an empty chunk size", "§§", SIZE),
        chunks("an empty chunk size before a chunk", "§ok§0§§", SIZE),
        chunks("an empty chunk size in place of the last", "2§ok§§", SIZE),
        chunks("an empty line between chunks", "2§ok§§0§§", SIZE),
        chunks("an extension without a chunk size", ";ext§0§§", SIZE),
        chunks("a signed chunk size", "+3§abc§0§§", SIZE),
        chunks("a negative chunk size", "-3§abc§0§§", SIZE),
        chunks("a space before a chunk size", " 3§abc§0§§", SIZE),
        chunks("a chunk size with a prefix", "0x3§abc§0§§", SIZE),
        chunks("a chunk size in two words", "2 2§ok§0§§", SIZE),
        chunks("a chunk size and a comma", "2,ext§ok§0§§", SIZE),
        chunks("a chunk size that is a word", "three§abc§0§§", SIZE),
        chunks("a chunk size in other letters", "zz§ok§0§§", SIZE),
        chunks("a chunk size in wide digits", "２§ok§0§§", SIZE),
        chunks("a chunk size that overflows", "fffffffffffffffff§abc", SIZE),
        chunks("a chunk size one more than the largest", "10000000000000000§ok§0§§", SIZE),
        searched_chunks("the largest chunk size there is", "ffffffffffffffff§ok§0§§", TooLarge),
        searched_chunks("the largest chunk size there is, after a chunk", "2§ok§ffffffffffffffff§", TooLarge),
        searched_chunks("a chunk size over the limit", "ffffffff§abc", TooLarge),
        searched_chunks("a chunk size one over the limit", "3e9§", TooLarge),
        searched_chunks("a chunk size that is over the limit with the one before", "2§ok§3e7§", TooLarge),
        chunks("a chunk size at the limit, without its line end", "3e8", Truncated),
        chunks("a chunk size at the limit, and a close", "3e8§", Truncated),
        chunks("a bare line feed behind a chunk size", "3¦abc§0§§", LINE_END),
        chunks("a bare line feed behind an extension", "2;ext¦ok§0§§", LINE_END),
        chunks("a bare CR in an extension", "2;e¤xt§ok§0§§", SIZE),
        chunks("a NUL in an extension", "2;e∅xt§ok§0§§", SIZE),
        chunks("two CRs behind a chunk size", "2¤¤¦ok§0§§", SIZE),
        chunks("a bare line feed behind a chunk", "2§ok¦0§§", LINE_END),
        chunks("no line end behind a chunk", "3§abcX0§§", CHUNK),
        chunks("the last chunk size where a line end belongs", "2§ok0§§", CHUNK),
        chunks("a chunk that is longer than it says", "3§abcd§0§§", CHUNK),
        chunks("a chunk that is shorter than it says", "5§abc§0§§", CHUNK),
        chunks("bare line feeds at the end", "2§ok§0¦¦", LINE_END),
        chunks("a bare line feed as the last line", "2§ok§0§¦", LINE_END),
        chunks("a bare line feed behind a trailer", "2§ok§0§Trailer: x¦§", LINE_END),
    ]
}

#[rustfmt::skip]
fn connections() -> Vec<Case> {
    vec![
        case("close", "200§Connection: close§Content-Length: 2§§ok", last(200, "ok")),
        case("close in capitals", "200§Connection: CLOSE§Content-Length: 2§§ok", last(200, "ok")),
        case("close in a list", "200§Connection: x, Close ,y§Content-Length: 2§§ok", last(200, "ok")),
        case("close on another line than keep-alive", "200§Connection: keep-alive§Connection: close§Content-Length: 2§§ok", last(200, "ok")),
        case("close on a folded line", "200§Connection: x,§ close§Content-Length: 2§§ok", last(200, "ok")),
        case("a word that only looks like close", "200§Connection: closed§Content-Length: 2§§ok", kept(200, "ok")),
        case("keep-alive", "200§Connection: keep-alive§Content-Length: 2§§ok", kept(200, "ok")),
        case("HTTP/1.0 with a length", "HTTP/1.0 200 OK§Content-Length: 2§§ok", last(200, "ok")),
        case("HTTP/1.0 with keep-alive", "HTTP/1.0 200 OK§Connection: Keep-Alive§Content-Length: 2§§ok", kept(200, "ok")),
        case("HTTP/1.0 with keep-alive and close", "HTTP/1.0 200 OK§Connection: keep-alive, close§Content-Length: 2§§ok", last(200, "ok")),
    ]
}

/// The body of a redirect is not needed. If it is too long, it is dropped.
#[rustfmt::skip]
fn bodies_of_redirects() -> Vec<Case> {
    vec![
        case("a redirect with a body", "HTTP/1.1 301 M§Location: /good/1§Content-Length: 2§§to", kept(301, "to")),
        case("a redirect with a body over the limit", "HTTP/1.1 302 M§location: /good/1§Content-Length: 1001§§", last(302, "")),
        case("a redirect that is cut", "HTTP/1.1 303 M§Location: /good/1§Content-Length: 2§§", Truncated),
        case("a redirect with a negative length", "HTTP/1.1 303 M§Location: /good/1§Content-Length: -2§§", LENGTH),
        case("a redirect with a chunk over the limit", "HTTP/1.1 307 M§Location: /good/1§Transfer-Encoding: chunked§§3e9§", last(307, "")),
        case("a redirect with a huge body", "HTTP/1.1 302 Found§Location: /good/1§Content-Length: 99999999999§§", last(302, "")),
        case("a redirect to nothing with a huge body", "HTTP/1.1 308 M§Location:§Content-Length: 999999999999§§", last(308, "")),
        case("a redirect without a target, with a body over the limit", "HTTP/1.1 301 M§Content-Length: 1001§§", NotRead { status: 301 }),
        case("300 with a body over the limit", "HTTP/1.1 300 M§Location: /no§Content-Length: 1001§§", NotRead { status: 300 }),
        case("200 with a target and a body over the limit", "HTTP/1.1 200 M§Content-Type: text/html§Location: /no§Content-Length: 1001§§", TooLarge),
    ]
}

/// A body that is not searched for links is never too large. Here `MAX_BODY` limits
/// it, since that is less than the limit of such bodies.
#[rustfmt::skip]
fn bodies_that_are_not_searched() -> Vec<Case> {
    let over = "x".repeat(1001);
    let not_read = NotRead { status: 200 };
    vec![
        case("a picture at the limit", &format!("200§Content-Type: image/png§Content-Length: 1000§§{}", &over[1..]), kept(200, &over[1..])),
        case("a picture over the limit", &format!("200§Content-Type: image/png§Content-Length: 1001§§{over}"), not_read.clone()),
        case("a picture that promises a byte too many, and a close", "200§Content-Type: image/png§Content-Length: 1001§§", not_read.clone()),
        case("an archive over the limit, until close", &format!("200§Content-Type: application/zip§§{over}"), not_read.clone()),
        case("an archive in one chunk over the limit", "200§Content-Type: application/zip§Transfer-Encoding: chunked§§3e9§", not_read.clone()),
        case("an archive in chunks over the limit", &format!("200§Content-Type: application/zip§Transfer-Encoding: chunked§§{}", format!("40§{}§", "x".repeat(64)).repeat(20)), not_read.clone()),
        case("an archive that is cut before the limit", "200§Content-Type: application/zip§Content-Length: 1000§§x", Truncated),
        case("an archive with a chunk size that is none", "200§Content-Type: application/zip§Transfer-Encoding: chunked§§zz§", SIZE),
        case("an archive with two lengths over the limit", "200§Content-Type: application/zip§Content-Length: 1001§Content-Length: 1002§§", TWO_LENGTHS),
        case("a compressed page over the limit", "200§Content-Type: text/html§Content-Encoding: gzip§Content-Length: 1001§§", not_read.clone()),
        case("a page without a type over the limit", &format!("200§X: y§§{over}"), not_read.clone()),
        case("the largest length there is, of a picture", "200§Content-Type: image/png§Content-Length: 18446744073709551615§§1", not_read),
        case("404 with a page over the limit", "HTTP/1.1 404 No§Content-Type: text/html§Content-Length: 1001§§", NotRead { status: 404 }),
    ]
}

/// Responses far beyond the limits. `limits.rs` tests each limit exactly.
#[rustfmt::skip]
fn limits() -> Vec<Case> {
    let fields = |count: usize| (0..count).map(|field| format!("X-{field}: y§")).collect::<String>();
    let one = "Content-Length: 1§§x";
    let interim = "HTTP/1.1 100 Continue§§";
    let answer = "HTTP/1.1 200 OK§Content-Length: 2§§ok";
    vec![
        case("two hundred fields", &format!("200§{}{one}", fields(200)), kept(200, "x")),
        case("254 fields, and two more", &format!("200§Content-Type: text/html§{}{one}", fields(254)), kept(200, "x")),
        case("one field too many", &format!("200§Content-Type: text/html§{}{one}", fields(255)), FIELDS),
        case("too many fields", &format!("200§{}§x", fields(300)), FIELDS),
        case("a head that is too long", &format!("200§X: {}§§x", "y".repeat(300_000)), HEAD_SIZE),
        case("twenty interim answers", &format!("{}{answer}", interim.repeat(20)), kept(200, "ok")),
        case("too many interim answers", &interim.repeat(21), INTERIM),
        chunks("a chunk line that is too long", &format!("3;{}", "x".repeat(5000)), SIZE_LINE),
        chunks("trailers that are too long", &format!("0§{}", "X: yyyyyyyyyyyy§".repeat(1100)), TRAILERS),
        chunks("chunks that are mostly wrapping", &format!("1;{}§a§", "x".repeat(1000)).repeat(100), WRAPPING),
        searched_chunks("chunks over the limit", &format!("40§{}§", "x".repeat(64)).repeat(20), TooLarge),
    ]
}
