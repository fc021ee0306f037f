//! The limits. Each is met exactly, and then exceeded by one.

use super::{Answer, MAX_BODY, chunked, parse, whole};
use shared::http::{
    FREE_CHUNK_OVERHEAD, HttpError, MAX_CHUNK_LINE, MAX_FIELDS, MAX_HEAD, MAX_INTERIM,
    MAX_REDIRECT_BODY, MAX_TRAILERS, Needs, OVERHEAD_PER_BYTE, ResponseParser,
};

/// Parses the bytes in one piece, byte by byte, and in pieces of an odd size. All
/// results are equal.
fn in_any_pieces(wire: &[u8], max_body: u64) -> Answer {
    let answer = parse([wire], max_body);
    for size in [1, 4095, 65_537] {
        assert_eq!(parse(wire.chunks(size), max_body), answer, "in pieces of {size}");
    }
    answer
}

/// Parses a response of which only the head is needed, in any pieces.
fn head_of(wire: &[u8], needs: Needs) -> Answer {
    let mut parser = ResponseParser::new(needs);
    for byte in wire.chunks(1) {
        if let Some(response) = parser.feed(byte)? {
            return Ok(response);
        }
    }
    parser.feed(b"").map(|response| response.expect("end of file ends an answer"))
}

#[test]
fn where_the_head_is_all_that_is_needed_no_body_is_waited_for() {
    for framing in
        ["Content-Length: 99999999999\r\n", "Transfer-Encoding: chunked\r\n", ""]
    {
        let wire = format!("HTTP/1.1 100 C\r\n\r\nHTTP/1.1 200 OK\r\n{framing}\r\n");
        let head = head_of(wire.as_bytes(), Needs::Head).expect("a response");
        assert_eq!((head.status, head.body.len(), head.is_head), (200, 0, true));
        assert!(head.reusable, "{framing}");
        let head = head_of(wire.as_bytes(), Needs::HeadOfGet).expect("a response");
        assert!(head.is_head && !head.reusable, "its body follows: {framing}");
    }
    // The server sends a body although it must not.
    let mut parser = ResponseParser::new(Needs::Head);
    let wire = b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx";
    let head = parser.feed(wire).expect("it is HTTP").expect("it is whole");
    assert!(!head.reusable);
    let cut = b"HTTP/1.1 200 OK\r\n";
    assert_eq!(head_of(cut, Needs::Head), Err(HttpError::Truncated));
    let two = b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n";
    assert!(is_malformed(head_of(two, Needs::Head)));
}

#[test]
fn the_largest_body_that_can_be_asked_for_is_no_head() {
    for max_body in [u64::MAX, u64::MAX - 1] {
        let wire = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc";
        let response = parse([&wire[..]], max_body).expect("a response");
        assert_eq!((response.body.as_slice(), response.is_head), (&b"abc"[..], false));
    }
}

fn is_malformed(answer: Answer) -> bool {
    matches!(answer, Err(HttpError::Malformed(_)))
}

#[test]
fn a_head_may_have_so_many_bytes() {
    let head = |size: usize| {
        let frame = "HTTP/1.1 204 No\r\nX: \r\n\r\n".len();
        format!("HTTP/1.1 204 No\r\nX: {}\r\n\r\n", "x".repeat(size - frame))
            .into_bytes()
    };
    assert!(in_any_pieces(&head(MAX_HEAD), MAX_BODY).is_ok());
    assert!(is_malformed(in_any_pieces(&head(MAX_HEAD + 1), MAX_BODY)));
    // Endless short lines, and one endless line.
    let lines =
        [b"HTTP/1.1 200 OK\r\n".to_vec(), b"X: y\r\n".repeat(MAX_HEAD)].concat();
    assert!(is_malformed(in_any_pieces(&lines, MAX_BODY)));
    let line = [b"HTTP/1.1 200 ".to_vec(), vec![b'x'; MAX_HEAD]].concat();
    assert!(is_malformed(in_any_pieces(&line, MAX_BODY)));
}

#[test]
fn a_head_may_have_so_many_fields() {
    let head = |fields| format!("HTTP/1.1 204 No\r\n{}\r\n", "X: y\r\n".repeat(fields));
    for fields in [0, 64, 65, MAX_FIELDS] {
        assert!(whole(head(fields).as_bytes()).is_ok(), "{fields}");
    }
    assert!(is_malformed(whole(head(MAX_FIELDS + 1).as_bytes())));
}

#[test]
fn so_many_interim_answers_are_skipped() {
    let answers = |interim| {
        let wire = "HTTP/1.1 102 Wait\r\n\r\n".repeat(interim);
        wire + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    };
    assert!(in_any_pieces(answers(MAX_INTERIM).as_bytes(), MAX_BODY).is_ok());
    assert!(is_malformed(in_any_pieces(answers(MAX_INTERIM + 1).as_bytes(), MAX_BODY)));
}

#[test]
fn a_chunk_line_may_have_so_many_bytes() {
    let line = |size: usize| chunked(&format!("0;{}\r\n\r\n", "x".repeat(size - 4)));
    assert!(in_any_pieces(&line(MAX_CHUNK_LINE), MAX_BODY).is_ok());
    assert!(is_malformed(in_any_pieces(&line(MAX_CHUNK_LINE + 1), MAX_BODY)));
}

#[test]
fn trailers_may_have_so_many_bytes() {
    let trailers = |size: usize| {
        let fields = "A: b\r\n".repeat(1000);
        let rest = "x".repeat(size - fields.len() - "X: \r\n\r\n".len());
        chunked(&format!("0\r\n{fields}X: {rest}\r\n\r\n"))
    };
    assert!(in_any_pieces(&trailers(MAX_TRAILERS), MAX_BODY).is_ok());
    assert!(is_malformed(in_any_pieces(&trailers(MAX_TRAILERS + 1), MAX_BODY)));
}

#[test]
fn chunks_that_are_mostly_wrapping_are_refused() {
    let size = 10_000;
    let body = |extension: usize| {
        let chunk = format!("1;{}\r\nx\r\n", "e".repeat(extension));
        chunked(&(chunk.repeat(size) + "0\r\n\r\n"))
    };
    // The overhead of a chunk of one byte: "1;", the extension, and two line ends.
    let allowed = OVERHEAD_PER_BYTE as usize - 6;
    assert!(in_any_pieces(&body(allowed), size as u64).is_ok());
    let spread = FREE_CHUNK_OVERHEAD as usize / size;
    assert!(in_any_pieces(&body(allowed + spread), size as u64).is_ok());
    assert!(is_malformed(in_any_pieces(&body(allowed + spread + 1), size as u64)));
}

#[test]
fn a_body_is_too_large_as_soon_as_that_is_known() {
    let too_large = Err(HttpError::TooLarge { limit: 5 });
    let framed = [
        ("Content-Length: 5\r\n\r\nhell", "o", "Content-Length: 6\r\n\r\n"),
        (
            "Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r",
            "\n",
            "Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n3\r\n",
        ),
        ("\r\nhello", "", "\r\nhello!"),
    ];
    for (begin, end, beyond) in framed {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
        let mut parser = ResponseParser::with_limit(5);
        assert_eq!(parser.feed(format!("{head}{begin}").as_bytes()), Ok(None));
        let response = parser.feed(end.as_bytes()).expect("within the limit");
        assert_eq!(response.expect("the end").body, b"hello");
        let mut parser = ResponseParser::with_limit(5);
        assert_eq!(parser.feed(format!("{head}{beyond}").as_bytes()), too_large);
    }
}

#[test]
fn a_promise_is_not_memory() {
    for promise in
        ["Content-Length: 18446744073709551615", "Transfer-Encoding: chunked"]
    {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{promise}");
        let wire = format!("{head}\r\n\r\nffffffffffffffff\r\nx");
        assert_eq!(parse([wire.as_bytes()], u64::MAX), Err(HttpError::Truncated));
    }
}

#[test]
fn a_redirect_is_read_no_further_than_its_cap() {
    let cap = MAX_REDIRECT_BODY as usize;
    let bodies = |size: usize| {
        let data = "x".repeat(size);
        [
            format!("Content-Length: {size}\r\n\r\n{data}"),
            format!(
                "Transfer-Encoding: chunked\r\n\r\n{size:x}\r\n{data}\r\n0\r\n\r\n"
            ),
            format!("\r\n{data}"),
        ]
    };
    let redirect = |rest: &String| {
        let wire = format!("HTTP/1.1 301 Moved\r\nLocation: /there\r\n{rest}");
        let response = in_any_pieces(wire.as_bytes(), u64::MAX).expect("a redirect");
        assert_eq!(response.header("location").as_deref(), Some("/there"));
        (response.body.len(), response.reusable)
    };
    let to_the_cap = [(cap, true), (cap, true), (cap, false)];
    assert_eq!(bodies(cap).each_ref().map(redirect), to_the_cap);
    assert_eq!(bodies(cap + 1).each_ref().map(redirect), [(0, false); 3]);
}
