//! HTTP/1 by the rules of RFC 9112 §6.3, against servers that break them.

mod any_bytes;
mod cases;
mod limits;
mod requests;
mod tables;

use shared::http::{HttpError, Response, ResponseParser};

const MAX_BODY: u64 = 100;

type Answer = Result<Response, HttpError>;

/// Feeds the pieces and then end of file, until there is a result.
fn parse<'a>(pieces: impl IntoIterator<Item = &'a [u8]>, max_body: u64) -> Answer {
    let mut parser = ResponseParser::with_limit(max_body);
    for piece in pieces.into_iter().filter(|piece| !piece.is_empty()) {
        if let Some(response) = parser.feed(piece)? {
            return Ok(response);
        }
    }
    parser.feed(b"").map(|response| response.expect("end of file ends an answer"))
}

fn whole(wire: &[u8]) -> Answer {
    parse([wire], MAX_BODY)
}

/// Clears `reusable`, which may depend on the split: surplus bytes are noticed only if
/// they arrive together with the end of the body.
fn without_reusable(answer: Answer) -> Answer {
    let mut response = answer?;
    response.reusable = false;
    Ok(response)
}

fn chunked(body: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{body}").into_bytes()
}

#[test]
fn garbage_is_refused_at_its_first_wrong_byte() {
    for (good, wrong) in [("", "<"), ("HT", "M"), ("HTTP/", "2"), ("HTTP/1", " ")] {
        let mut parser = ResponseParser::with_limit(MAX_BODY);
        if !good.is_empty() {
            assert_eq!(parser.feed(good.as_bytes()), Ok(None));
        }
        assert!(matches!(parser.feed(wrong.as_bytes()), Err(HttpError::Malformed(_))));
    }
}

#[test]
fn a_connection_that_dies_before_the_first_byte_has_not_begun() {
    let mut parser = ResponseParser::with_limit(MAX_BODY);
    assert!(!parser.has_begun());
    assert_eq!(parser.feed(b""), Err(HttpError::ClosedBeforeResponse));
    assert!(!parser.has_begun());

    let mut parser = ResponseParser::with_limit(MAX_BODY);
    assert_eq!(parser.feed(b"H"), Ok(None));
    assert!(parser.has_begun());
}

#[test]
fn a_parser_tells_how_much_memory_it_has() {
    let mut parser = ResponseParser::with_limit(MAX_BODY);
    let mut held = |wire: &[u8]| {
        parser.feed(wire).unwrap();
        parser.held()
    };
    assert!(held(b"HTTP/1.1 200 OK\r\n") >= 17);
    assert_eq!(held(b"Transfer-Encoding: chunked\r\n\r\n"), 0, "the head was read");
    assert!(
        (3..8).contains(&held(b"5;extension\r\n123")),
        "and not what frames the body"
    );
}

#[test]
fn a_body_has_at_most_twice_the_memory_that_it_needs_and_never_more_than_it_may() {
    const LENGTH: usize = 100_000;
    const LIMIT: u64 = 120_000;
    let chunked = format!("Transfer-Encoding: chunked\r\n\r\n{LENGTH:x}\r\n");
    let known = format!("Content-Length: {LENGTH}\r\n\r\n");
    for (field, most) in
        [(known.as_str(), LENGTH), (&chunked, LIMIT as usize), ("\r\n", LIMIT as usize)]
    {
        let mut parser = ResponseParser::with_limit(LIMIT);
        let head = format!("HTTP/1.1 200 OK\r\n{field}");
        assert_eq!(parser.feed(head.as_bytes()), Ok(None), "{field}");
        let (mut grown, mut held) = (0, 0);
        for length in 1..LENGTH {
            assert_eq!(parser.feed(b"x"), Ok(None), "{field}");
            grown += usize::from(parser.held() > held);
            held = parser.held();
            assert!((length..=most.min(8.max(2 * length))).contains(&held), "{field}");
        }
        assert!(grown < 20, "{grown} times: it is copied each time");
        assert_eq!(held, most, "{field}");
    }
}

#[test]
fn what_a_parser_says_is_what_the_response_has() {
    let mut parser = ResponseParser::with_limit(MAX_BODY);
    parser.feed(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
    for _ in 0..3 {
        parser.feed(&[b'x'; 30]).unwrap();
    }
    let held = parser.held();
    let response = parser.feed(b"").unwrap().unwrap();
    assert_eq!(held, response.body.capacity());
    assert_ne!(held, response.body.len(), "there is room for more");
}

#[test]
fn a_spent_parser_takes_nothing_more() {
    for wire in ["HTTP/1.1 204 No\r\n\r\n", "nonsense"] {
        for more in ["HTTP/1.1 204 No\r\n\r\n", ""] {
            let mut parser = ResponseParser::with_limit(MAX_BODY);
            assert_ne!(parser.feed(wire.as_bytes()), Ok(None));
            let answer = parser.feed(more.as_bytes());
            assert_eq!(answer, Err(HttpError::Malformed("bytes after its end")));
        }
    }
}

#[test]
fn a_field_is_found_in_any_case_and_unfolded_and_the_first_one_counts() {
    let fields = b"HTTP/1.1 200 OK\r\nX-Fold: one \r\n\t two\r\n \r\n three\r\n\
        Set-Cookie: a\r\nset-cookie: b\r\nLatin: caf\xe9\r\nContent-Length: 0\r\n\r\n";
    let response = whole(fields).expect("a valid answer");
    assert_eq!(response.header("x-fOLD").as_deref(), Some("one two three"));
    assert_eq!(response.header("Set-Cookie").as_deref(), Some("a"));
    assert_eq!(response.header("latin").as_deref(), Some("caf\u{fffd}"));
    assert_eq!(response.header("absent"), None);
}

#[test]
fn five_statuses_are_redirects() {
    let is_redirect = |status: &u16| {
        let wire = format!("HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n");
        whole(wire.as_bytes()).expect("a valid answer").is_redirect()
    };
    let redirects: Vec<u16> = (200..600).filter(is_redirect).collect();
    assert_eq!(redirects, [301, 302, 303, 307, 308]);
}

#[test]
fn errors_are_sentences_for_the_report() {
    for (wire, sentence) in [
        ("", "the server closed the connection without an answer"),
        ("HTTP/1.1 2", "the server closed the connection in the middle of its answer"),
        ("<", "the answer is not valid HTTP/1: it does not begin with HTTP/1."),
        (
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 101\r\n\r\n",
            "the body is longer than --max-body, 100 bytes",
        ),
    ] {
        let error = whole(wire.as_bytes()).expect_err(wire);
        assert_eq!(error.to_string(), sentence);
    }
}
