//! HTTP/1 by the rules of RFC 9112 §6.3, against servers that break them.

use proptest::{collection::vec, prelude::*, sample::Index};
use shared::http::{
    Connection, FREE_CHUNK_OVERHEAD, HttpError, MAX_CHUNK_LINE, MAX_FIELDS, MAX_HEAD,
    MAX_INTERIM, MAX_REDIRECT_BODY, MAX_TRAILERS, OVERHEAD_PER_BYTE, Response,
    ResponseParser, request,
};
use url::Url;

const MAX_BODY: u64 = 100;

type Answer = Result<Response, HttpError>;

/// Feeds the pieces, then end of file, until there is an answer.
fn parse<'a>(pieces: impl IntoIterator<Item = &'a [u8]>, max_body: u64) -> Answer {
    let mut parser = ResponseParser::new(max_body);
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

/// `reusable` may depend on the split: only bytes that came along are seen as surplus.
fn without_reusable(answer: Answer) -> Answer {
    let mut response = answer?;
    response.reusable = false;
    Ok(response)
}

/// What a line of the table expects, in words: see `in_words`.
type Case = (&'static str, &'static str);

/// Status, body, and the flags that are set; or the kind of the error.
fn in_words(answer: &Answer) -> String {
    match answer {
        Ok(response) => {
            let body = String::from_utf8_lossy(&response.body);
            let reusable = if response.reusable { " reusable" } else { "" };
            let coded = if response.coded { " coded" } else { "" };
            format!("{} {body:?}{reusable}{coded}", response.status)
        }
        Err(HttpError::Malformed(_)) => "malformed".into(),
        Err(HttpError::NoAnswer) => "no answer".into(),
        Err(HttpError::Truncated) => "truncated".into(),
        Err(HttpError::TooLarge { .. }) => "too large".into(),
    }
}

/// `§` stands for CR LF, `¤` for a bare CR, `¦` for a bare LF, `∅` for NUL, and `200§`
/// at the beginning for the status line of an HTTP/1.1 answer.
fn wire(text: &str) -> Vec<u8> {
    let line = if text.starts_with("200§") { "HTTP/1.1 " } else { "" };
    let text = text.replace('§', "\r\n").replace('¤', "\r").replace('¦', "\n");
    format!("{line}{}", text.replace('∅', "\0")).into_bytes()
}

const STATUS_LINES: &[Case] = &[
    ("", "no answer"),
    ("HTT", "truncated"),
    ("HTTP/1.1 200 OK§Content-Len", "truncated"),
    ("HTTP/1.1 200 OK§§", r#"200 """#),
    ("HTTP/1.1 200§Content-Length: 0§§", r#"200 "" reusable"#),
    ("HTTP/1.1 200 §Content-Length: 0§§", r#"200 "" reusable"#),
    ("HTTP/1.1 404 Straße\t!§Content-Length: 2§§no", r#"404 "no" reusable"#),
    ("HTTP/1.1 999 Odd§Content-Length: 0§§", r#"999 "" reusable"#),
    ("HTTP/1.2 200 OK§Content-Length: 2§§ok", r#"200 "ok" reusable"#),
    ("HTTP/1.9 200 OK§Content-Length: 2§§ok", r#"200 "ok" reusable"#),
    ("HTTP/1.10 200 OK§Content-Length: 2§§ok", "malformed"),
    ("HTTP/1.x 200 OK§Content-Length: 2§§ok", "malformed"),
    ("HTTP/0.9 200 OK§§", "malformed"),
    ("HTTP/2 200 OK§§", "malformed"),
    ("HTTP/2.0 200 OK§§", "malformed"),
    ("PRI * HTTP/2.0§§SM§§", "malformed"),
    ("http/1.1 200 OK§§", "malformed"),
    ("ICY 200 OK§§", "malformed"),
    ("<html>hello, I speak HTTP/0.9</html>", "malformed"),
    ("§HTTP/1.1 200 OK§§", "malformed"),
    ("HTTP/1.1 099 Low§§", "malformed"),
    ("HTTP/1.1 20 OK§§", "malformed"),
    ("HTTP/1.1 2000 OK§§", "malformed"),
    ("HTTP/1.1 +20 OK§§", "malformed"),
    ("HTTP/1.1 abc§§", "malformed"),
    ("HTTP/1.1 abc§closed before the blank line", "malformed"),
    ("HTTP/1.1§§", "malformed"),
];

const HEADS: &[Case] = &[
    ("HTTP/1.1 200 OK¦Content-Length: 2¦¦ok", r#"200 "ok" reusable"#),
    ("HTTP/1.1 200 OK§Content-Length: 2§¦ok", r#"200 "ok" reusable"#),
    ("HTTP/1.1 200 OK¦Content-Length: 2¦§ok", r#"200 "ok" reusable"#),
    ("200§content-LENGTH:2§§ok", r#"200 "ok" reusable"#),
    ("200§Content-Length: \t 2 \t §§ok", r#"200 "ok" reusable"#),
    ("200§Content-Length : 2§§ok", r#"200 "ok" reusable"#),
    ("200§Content-Length\t: 2§§ok", r#"200 "ok" reusable"#),
    ("200§Content-Length:§ 2§§ok", r#"200 "ok" reusable"#),
    ("200§Content-Length: 2§\t§§ok", r#"200 "ok" reusable"#),
    ("200§Content-Length: 2,¦ 2§§ok", r#"200 "ok" reusable"#),
    ("200§Content-Length: 1§ 2§§ok", "malformed"),
    ("200§Transfer-Encoding:§ chunked§§2§ok§0§§", r#"200 "ok" reusable"#),
    ("200§Empty:§Content-Length: 2§§ok", r#"200 "ok" reusable"#),
    ("200§ X: before the first field§Content-Length: 2§§ok", "malformed"),
    ("200§no colon§Content-Length: 2§§ok", "malformed"),
    ("200§no colon§and closed", "malformed"),
    ("200§: no name§Content-Length: 2§§ok", "malformed"),
    ("200§two words: x§Content-Length: 2§§ok", "malformed"),
    ("200§X: a∅b§Content-Length: 2§§ok", "malformed"),
    ("200§X∅: ab§Content-Length: 2§§ok", "malformed"),
    ("HTTP/1.1 200 O∅K§Content-Length: 2§§ok", "malformed"),
    ("200§X: a¤b§Content-Length: 2§§ok", "malformed"),
    ("200§X: a¤¤¦Content-Length: 2§§ok", "malformed"),
    ("200§X: a§Content-Length: 2§¤§ok", "malformed"),
    ("HTTP/1.1 200 O¤K§Content-Length: 2§§ok", "malformed"),
    ("200§X: a\x1b[31mb§Content-Length: 2§§ok", "malformed"),
];

const STATUSES_WITHOUT_A_BODY: &[Case] = &[
    ("HTTP/1.1 204 No§§", r#"204 "" reusable"#),
    ("HTTP/1.1 304 Not§§", r#"304 "" reusable"#),
    ("HTTP/1.1 204 No§§HTTP/1.1 200 OK§§", r#"204 """#),
    ("HTTP/1.1 204 No§Content-Length: 5§§", r#"204 """#),
    ("HTTP/1.1 204 No§Transfer-Encoding: chunked§§", r#"204 """#),
    ("HTTP/1.1 204 No§Content-Length: +5§§", r#"204 """#),
    ("HTTP/1.1 304 Not§Content-Length: 5§§hello", r#"304 """#),
    ("HTTP/1.1 304 Not§Transfer-Encoding: chunked§§5§hello§0§§", r#"304 """#),
    ("HTTP/1.1 100 Go on§§200", "malformed"),
    ("HTTP/1.1 101 Switching§Upgrade: x§§\u{1}\u{2}", "malformed"),
    ("HTTP/1.1 100 Go on§§", "truncated"),
    (
        "HTTP/1.1 100 Go on§§HTTP/1.1 200 OK§Content-Length: 2§§ok",
        r#"200 "ok" reusable"#,
    ),
    (
        "HTTP/1.1 103 Hints§Content-Length: 9§Link: </a>§§HTTP/1.1 100 Go on§\
         Transfer-Encoding: chunked§§HTTP/1.0 200 OK§§ok",
        r#"200 "ok""#,
    ),
];

const LENGTHS: &[Case] = &[
    ("200§Content-Length: 0§§", r#"200 "" reusable"#),
    ("200§Content-Length: 002§§ok", r#"200 "ok" reusable"#),
    ("200§Content-Length: 2§§okay", r#"200 "ok""#),
    ("200§Content-Length: 2§§", "truncated"),
    ("200§Content-Length: 2§§o", "truncated"),
    ("200§Content-Length: 2, 2§§ok", r#"200 "ok" reusable"#),
    ("200§Content-Length: 2§Content-Length: 2§§ok", r#"200 "ok" reusable"#),
    ("200§Content-Length: 2§Content-Length: 3§§okay", "malformed"),
    ("200§Content-Length: 2§Content-Length : 3§§okay", "malformed"),
    ("200§Content-Length: 2, 3§§okay", "malformed"),
    ("200§Content-Length: 2,§§ok", "malformed"),
    ("200§Content-Length:§§", "malformed"),
    ("200§Content-Length: §§", "malformed"),
    ("200§Content-Length: -2§§ok", "malformed"),
    ("200§Content-Length: +2§§ok", "malformed"),
    ("200§Content-Length: 2.0§§ok", "malformed"),
    ("200§Content-Length: 0x2§§ok", "malformed"),
    ("200§Content-Length: 2 2§§ok", "malformed"),
    ("200§Content-Length: ２§§ok", "malformed"),
    ("200§Content-Length: 18446744073709551616§§ok", "malformed"),
    ("200§Content-Length: 18446744073709551615§§ok", "too large"),
    ("200§Content-Length: 101§§", "too large"),
    ("200§Content-Length: 100§§", "truncated"),
];

const UNTIL_CLOSE: &[Case] = &[
    ("200§§", r#"200 """#),
    ("200§§all of this", r#"200 "all of this""#),
    ("200§Connection: keep-alive§§all", r#"200 "all""#),
    ("HTTP/1.0 200 OK§§all of this", r#"200 "all of this""#),
];

const CODINGS: &[Case] = &[
    ("200§Transfer-Encoding: chunked§§2§ok§0§§", r#"200 "ok" reusable"#),
    ("200§Transfer-Encoding : chunked§§2§ok§0§§", r#"200 "ok" reusable"#),
    ("200§Transfer-Encoding: ChUnKeD§§2§ok§0§§", r#"200 "ok" reusable"#),
    ("200§Transfer-Encoding: , chunked,§§2§ok§0§§", r#"200 "ok" reusable"#),
    ("200§Transfer-Encoding: gzip, chunked§§2§zz§0§§", r#"200 "zz" reusable coded"#),
    (
        "200§Transfer-Encoding: gzip§Transfer-Encoding: chunked§§2§zz§0§§",
        r#"200 "zz" reusable coded"#,
    ),
    ("200§Transfer-Encoding: identity, chunked§§2§ok§0§§", r#"200 "ok" reusable"#),
    ("200§Transfer-Encoding: identity§§ok", r#"200 "ok""#),
    ("200§Transfer-Encoding:§Content-Length: 1§§ok", r#"200 "ok""#),
    ("200§Transfer-Encoding: gzip§§zz", r#"200 "zz" coded"#),
    ("200§Transfer-Encoding: gzip§Content-Length: 1§§zz", r#"200 "zz" coded"#),
    ("200§Transfer-Encoding: chunked, gzip§§2§ok", "200 \"2\\r\\nok\" coded"),
    ("200§Transfer-Encoding: chunked, identity§§2§ok", "200 \"2\\r\\nok\" coded"),
    ("200§Transfer-Encoding: chunked, chunked§§2§ok", "200 \"2\\r\\nok\" coded"),
    (
        "200§Transfer-Encoding: chunked§Transfer-Encoding: chunked§§0§§",
        "200 \"0\\r\\n\\r\\n\" coded",
    ),
    ("200§Transfer-Encoding: chunked;x=y§§0§§", "200 \"0\\r\\n\\r\\n\" coded"),
    ("200§Transfer-Encoding: xchunked§§0§§", "200 \"0\\r\\n\\r\\n\" coded"),
    ("200§Content-Length: 1§Transfer-Encoding: chunked§§2§ok§0§§", r#"200 "ok""#),
    ("200§Content-Length: +2§Transfer-Encoding: chunked§§2§ok§0§§", "malformed"),
    ("200§Content-Length: 2,3§Transfer-Encoding: chunked§§2§ok§0§§", "malformed"),
    ("HTTP/1.0 200 OK§Transfer-Encoding: chunked§§2§ok§0§§", r#"200 "ok""#),
    (
        "HTTP/1.0 200 OK§Connection: keep-alive§Transfer-Encoding: chunked§§2§ok§0§§",
        r#"200 "ok""#,
    ),
    ("200§Content-Encoding: gzip§Content-Length: 2§§zz", r#"200 "zz" reusable coded"#),
    ("200§Content-Encoding: Identity§Content-Length: 2§§ok", r#"200 "ok" reusable"#),
    ("200§Content-Encoding:§Content-Length: 2§§ok", r#"200 "ok" reusable"#),
    (
        "200§Content-Encoding: identity, br§Content-Length: 2§§zz",
        r#"200 "zz" reusable coded"#,
    ),
];

/// What follows a head that says chunked.
const CHUNKS: &[Case] = &[
    ("0§§", r#"200 "" reusable"#),
    ("1§a§2§bc§000§§", r#"200 "abc" reusable"#),
    ("0000000000000002§ok§0§§", r#"200 "ok" reusable"#),
    ("00000000000000002§ok§0§§", "malformed"),
    ("a§0123456789§A§0123456789§0§§", r#"200 "01234567890123456789" reusable"#),
    ("2;ext§ok§0;last=\"a;b\"§§", r#"200 "ok" reusable"#),
    ("2 \t;ext§ok§0  §§", r#"200 "ok" reusable"#),
    ("2§ok§0§Trailer: x§Another: y§§", r#"200 "ok" reusable"#),
    ("2§ok§0§Content-Length: 9§§", r#"200 "ok" reusable"#),
    ("2§ok§0§§surplus", r#"200 "ok""#),
    ("2§§§0§§", "200 \"\\r\\n\" reusable"),
    ("2§ok§§0§§", "malformed"),
    ("", "truncated"),
    ("2", "truncated"),
    ("2§o", "truncated"),
    ("2§ok", "truncated"),
    ("2§ok¤", "truncated"),
    ("2§ok§", "truncated"),
    ("2§ok§0", "truncated"),
    ("2§ok§0§", "truncated"),
    ("2§ok§0§Trailer: x§", "truncated"),
    ("§ok§0§§", "malformed"),
    ("2§ok§§", "malformed"),
    (";ext§0§§", "malformed"),
    ("+2§ok§0§§", "malformed"),
    ("-2§ok§0§§", "malformed"),
    (" 2§ok§0§§", "malformed"),
    ("0x2§ok§0§§", "malformed"),
    ("2 2§ok§0§§", "malformed"),
    ("2,ext§ok§0§§", "malformed"),
    ("zz§ok§0§§", "malformed"),
    ("２§ok§0§§", "malformed"),
    ("10000000000000000§ok§0§§", "malformed"),
    ("ffffffffffffffff§ok§0§§", "too large"),
    ("2¦ok§0§§", "malformed"),
    ("2;ext¦ok§0§§", "malformed"),
    ("2;e¤xt§ok§0§§", "malformed"),
    ("2;e∅xt§ok§0§§", "malformed"),
    ("2¤¤¦ok§0§§", "malformed"),
    ("2§ok¦0§§", "malformed"),
    ("2§okay§0§§", "malformed"),
    ("2§ok0§§", "malformed"),
    ("2§ok§0¦¦", "malformed"),
    ("2§ok§0§¦", "malformed"),
    ("2§ok§0§Trailer: x¦§", "malformed"),
    ("64", "truncated"),
    ("64§", "truncated"),
    ("65§", "too large"),
    ("2§ok§63§", "too large"),
    ("2§ok§ffffffffffffffff§", "too large"),
];

const CONNECTIONS: &[Case] = &[
    ("200§Connection: close§Content-Length: 2§§ok", r#"200 "ok""#),
    ("200§Connection: CLOSE§Content-Length: 2§§ok", r#"200 "ok""#),
    ("200§Connection: x, Close ,y§Content-Length: 2§§ok", r#"200 "ok""#),
    (
        "200§Connection: keep-alive§Connection: close§Content-Length: 2§§ok",
        r#"200 "ok""#,
    ),
    ("200§Connection: x,§ close§Content-Length: 2§§ok", r#"200 "ok""#),
    ("200§Connection: closed§Content-Length: 2§§ok", r#"200 "ok" reusable"#),
    ("200§Connection: keep-alive§Content-Length: 2§§ok", r#"200 "ok" reusable"#),
    ("HTTP/1.0 200 OK§Content-Length: 2§§ok", r#"200 "ok""#),
    (
        "HTTP/1.0 200 OK§Connection: Keep-Alive§Content-Length: 2§§ok",
        r#"200 "ok" reusable"#,
    ),
    (
        "HTTP/1.0 200 OK§Connection: keep-alive, close§Content-Length: 2§§ok",
        r#"200 "ok""#,
    ),
];

const REDIRECTS: &[Case] = &[
    ("HTTP/1.1 301 M§Location: /a§Content-Length: 2§§to", r#"301 "to" reusable"#),
    ("HTTP/1.1 302 M§location: /a§Content-Length: 101§§", r#"302 """#),
    ("HTTP/1.1 303 M§Location: /a§Content-Length: 2§§", "truncated"),
    ("HTTP/1.1 303 M§Location: /a§Content-Length: -2§§", "malformed"),
    ("HTTP/1.1 307 M§Location: /a§Transfer-Encoding: chunked§§65§", r#"307 """#),
    ("HTTP/1.1 308 M§Location:§Content-Length: 999999999999§§", r#"308 """#),
    ("HTTP/1.1 301 M§Content-Length: 101§§", "too large"),
    ("HTTP/1.1 300 M§Location: /a§Content-Length: 101§§", "too large"),
    ("HTTP/1.1 200 M§Location: /a§Content-Length: 101§§", "too large"),
];

/// Every message of the tables, and what to expect of it.
fn cases() -> impl Iterator<Item = (Vec<u8>, &'static str)> {
    let tables = [
        STATUS_LINES,
        HEADS,
        STATUSES_WITHOUT_A_BODY,
        LENGTHS,
        UNTIL_CLOSE,
        CODINGS,
        CONNECTIONS,
        REDIRECTS,
    ];
    let chunks = CHUNKS.iter().map(|(chunks, expected)| {
        (wire(&format!("200§Transfer-Encoding: chunked§§{chunks}")), *expected)
    });
    let messages = tables.into_iter().flatten();
    messages.map(|(text, expected)| (wire(text), *expected)).chain(chunks)
}

#[test]
fn every_message_gets_its_answer() {
    for (wire, expected) in cases() {
        let answer = whole(&wire);
        assert_eq!(in_words(&answer), expected, "{} {answer:?}", wire.escape_ascii());
    }
}

#[test]
fn an_answer_does_not_depend_on_how_its_bytes_were_split() {
    for (wire, _) in cases() {
        let expected = without_reusable(whole(&wire));
        let bytewise = parse(wire.chunks(1), MAX_BODY);
        assert_eq!(without_reusable(bytewise), expected, "{}", wire.escape_ascii());
        for at in 0..wire.len() {
            let (first, second) = wire.split_at(at);
            let answer = without_reusable(parse([first, second], MAX_BODY));
            assert_eq!(answer, expected, "{at} of {}", wire.escape_ascii());
        }
    }
}

#[test]
fn a_split_does_not_cost_the_connection_unless_bytes_follow_the_answer() {
    for (wire, expected) in
        cases().filter(|(_, expected)| expected.contains("reusable"))
    {
        assert_eq!(in_words(&parse(wire.chunks(1), MAX_BODY)), expected);
    }
}

#[test]
fn garbage_is_refused_at_its_first_wrong_byte() {
    for (good, wrong) in [("", "<"), ("HT", "M"), ("HTTP/", "2"), ("HTTP/1", " ")] {
        let mut parser = ResponseParser::new(MAX_BODY);
        if !good.is_empty() {
            assert_eq!(parser.feed(good.as_bytes()), Ok(None));
        }
        assert!(matches!(parser.feed(wrong.as_bytes()), Err(HttpError::Malformed(_))));
    }
}

#[test]
fn a_connection_that_dies_before_the_first_byte_has_not_begun() {
    let mut parser = ResponseParser::new(MAX_BODY);
    assert!(!parser.has_begun());
    assert_eq!(parser.feed(b""), Err(HttpError::NoAnswer));
    assert!(!parser.has_begun());

    let mut parser = ResponseParser::new(MAX_BODY);
    assert_eq!(parser.feed(b"H"), Ok(None));
    assert!(parser.has_begun());
}

#[test]
fn a_spent_parser_takes_nothing_more() {
    for wire in ["HTTP/1.1 204 No\r\n\r\n", "nonsense"] {
        for more in ["HTTP/1.1 204 No\r\n\r\n", ""] {
            let mut parser = ResponseParser::new(MAX_BODY);
            assert_ne!(parser.feed(wire.as_bytes()), Ok(None));
            let answer = parser.feed(more.as_bytes());
            assert!(matches!(answer, Err(HttpError::Malformed(_))), "{answer:?}");
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
    let sentence = |error: HttpError| error.to_string();
    assert_eq!(
        sentence(HttpError::Malformed("it has two lengths")),
        "the answer is not valid HTTP/1: it has two lengths"
    );
    assert_eq!(
        sentence(HttpError::TooLarge { limit: 7 }),
        "the body is longer than 7 bytes"
    );
}

// The limits, each met exactly and then passed by one.

/// The same in one piece, byte by byte, and in pieces of an odd size.
fn in_any_pieces(wire: &[u8], max_body: u64) -> Answer {
    let answer = parse([wire], max_body);
    for size in [1, 4095, 65_537] {
        assert_eq!(parse(wire.chunks(size), max_body), answer, "in pieces of {size}");
    }
    answer
}

fn chunked(body: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{body}").into_bytes()
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
    // Short lines without end, and one line without end.
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
    // What wraps one byte: "1;", the extension, and two line ends.
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
        let head = "HTTP/1.1 200 OK\r\n";
        let mut parser = ResponseParser::new(5);
        assert_eq!(parser.feed(format!("{head}{begin}").as_bytes()), Ok(None));
        let response = parser.feed(end.as_bytes()).expect("within the limit");
        assert_eq!(response.expect("the end").body, b"hello");
        let mut parser = ResponseParser::new(5);
        assert_eq!(parser.feed(format!("{head}{beyond}").as_bytes()), too_large);
    }
}

#[test]
fn a_promise_is_not_memory() {
    for promise in
        ["Content-Length: 18446744073709551615", "Transfer-Encoding: chunked"]
    {
        let wire = format!("HTTP/1.1 200 OK\r\n{promise}\r\n\r\nffffffffffffffff\r\nx");
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

// Messages that nobody thought of.

/// A valid answer, and its body.
fn message() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let pieces = vec(vec(any::<u8>(), 1..40), 0..6);
    let ends = prop_oneof![Just("\r\n"), Just("\n")];
    let extension = prop_oneof![Just(""), Just("  "), Just(";a"), Just(" ;a=\"b;c\"")];
    let trailers =
        prop_oneof![Just(""), Just("A: b\r\n"), Just("A: b\r\nC:\r\n d\r\n")];
    (0..4_usize, 0..80_usize, 0..3, pieces, ends, extension, trailers).prop_map(
        |(interim, fields, framing, pieces, end, extension, trailers)| {
            let body = pieces.concat();
            let interim =
                format!("HTTP/1.1 103 Hints{end}A: b{end}{end}").repeat(interim);
            let fields = format!("X-Some: thing{end}").repeat(fields);
            let framed = match framing {
                0 => (format!("Content-Length: {}{end}", body.len()), body.clone()),
                1 => {
                    let chunks = in_chunks(&pieces, extension, trailers);
                    (format!("Transfer-Encoding: chunked{end}"), chunks)
                }
                _ => (String::new(), body.clone()),
            };
            let head =
                format!("{interim}HTTP/1.1 200 OK{end}{fields}{}{end}", framed.0);
            ([head.into_bytes(), framed.1].concat(), body)
        },
    )
}

fn in_chunks(pieces: &[Vec<u8>], extension: &str, trailers: &str) -> Vec<u8> {
    let mut wire = Vec::new();
    for piece in pieces {
        wire.extend(format!("{:X}{extension}\r\n", piece.len()).into_bytes());
        wire.extend(piece);
        wire.extend(b"\r\n");
    }
    wire.extend(format!("0{extension}\r\n{trailers}\r\n").into_bytes());
    wire
}

/// Words that belong in an answer, in any order, with a few that do not.
fn salad() -> impl Strategy<Value = Vec<u8>> {
    let words: &[&[u8]] = &[
        b"HTTP/1.1 200 OK",
        b"HTTP/1.1 204 No",
        b"HTTP/1.0 301 Moved",
        b"HTTP/1.1 100 Go on",
        b"\r\n",
        b"\r\n\r\n",
        b"\n",
        b"\r",
        b"\0",
        b" ",
        b",",
        b";",
        b":",
        b"0",
        b"5",
        b"f",
        b"hello",
        b"Content-Length: ",
        b"Transfer-Encoding: chunked",
        b"Transfer-Encoding: gzip",
        b"Connection: close",
        b"Location: /",
        b"\xff",
    ];
    let words = vec(prop::sample::select(words), 0..30);
    let begin = prop_oneof![Just(""), Just("HTTP/1.1 200 OK\r\n")];
    (begin, words)
        .prop_map(|(begin, words)| [begin.as_bytes(), &words.concat()].concat())
}

/// A valid answer in which some bytes are replaced, inserted or left out.
fn mutant() -> impl Strategy<Value = Vec<u8>> {
    let byte =
        prop_oneof![any::<u8>(), prop::sample::select(&b"\r\n\0 :;,0159afx+-"[..])];
    let mutations = vec((any::<Index>(), 0..3, byte), 1..6);
    (message(), mutations).prop_map(|((mut wire, _), mutations)| {
        for (index, kind, byte) in mutations {
            let at = index.index(wire.len());
            match kind {
                0 => wire[at] = byte,
                1 => wire.insert(at, byte),
                _ => drop(wire.remove(at)),
            }
        }
        wire
    })
}

fn cuts() -> impl Strategy<Value = Vec<Index>> {
    vec(any::<Index>(), 0..12)
}

/// The pieces between the cuts.
fn split<'a>(wire: &'a [u8], cuts: &[Index]) -> Vec<&'a [u8]> {
    let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(wire.len() + 1)).collect();
    cuts.sort_unstable();
    let begins = [0].into_iter().chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([wire.len()]);
    begins.zip(ends).map(|(begin, end)| &wire[begin..end]).collect()
}

fn check_any_split(wire: &[u8], cuts: &[Index]) {
    let expected = without_reusable(whole(wire));
    assert_eq!(without_reusable(parse(split(wire, cuts), MAX_BODY)), expected);
    assert_eq!(without_reusable(parse(wire.chunks(1), MAX_BODY)), expected);
}

/// A failure is printed; it leaves no file behind.
fn without_a_file() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..Default::default() }
}

proptest! {
    #![proptest_config(without_a_file())]

    #[test]
    fn a_valid_answer_gives_its_body_at_any_split(
        (wire, body) in message(),
        cuts in cuts(),
    ) {
        let whole = parse([&wire[..]], 1000).expect("a valid answer");
        prop_assert_eq!(&whole.body, &body);
        prop_assert_eq!(parse(split(&wire, &cuts), 1000), Ok(whole));
    }

    #[test]
    fn a_valid_answer_that_is_cut_short_is_never_whole(
        (wire, body) in message(),
        cut in any::<Index>(),
    ) {
        match parse([&wire[..cut.index(wire.len())]], 1000) {
            // Until close: whatever came is all of it.
            Ok(response) => prop_assert!(body.starts_with(&response.body)),
            Err(HttpError::NoAnswer | HttpError::Truncated) => {}
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn no_bytes_make_it_panic_or_depend_on_the_split(
        wire in vec(any::<u8>(), 0..300),
        cuts in cuts(),
    ) {
        check_any_split(&wire, &cuts);
        check_any_split(&[b"HTTP/1.1 200 OK\r\n", &wire[..]].concat(), &cuts);
        check_any_split(&[&chunked("")[..], &wire[..]].concat(), &cuts);
    }

    #[test]
    fn no_words_make_it_panic_or_depend_on_the_split(wire in salad(), cuts in cuts()) {
        check_any_split(&wire, &cuts);
    }

    #[test]
    fn no_mutation_makes_it_panic_or_depend_on_the_split(
        wire in mutant(),
        cuts in cuts(),
    ) {
        check_any_split(&wire, &cuts);
    }
}

// What is sent.

#[test]
fn a_request_is_these_lines_and_nothing_else() {
    let url =
        Url::parse("http://user:secret@example.com/a/b%20c?x=1&y=ä#part").unwrap();
    let expected = "GET /a/b%20c?x=1&y=%C3%A4 HTTP/1.1\r\n\
        Host: example.com\r\n\
        User-Agent: crawler/1 (+http://example.com)\r\n\
        Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n\
        Accept-Encoding: identity\r\n\
        Connection: keep-alive\r\n\
        \r\n";
    let sent = request(&url, "crawler/1 (+http://example.com)", Connection::KeepAlive);
    assert_eq!(String::from_utf8_lossy(&sent), expected);
    let sent = request(&url, "crawler/1 (+http://example.com)", Connection::Close);
    let expected = expected.replace("keep-alive", "close");
    assert_eq!(String::from_utf8_lossy(&sent), expected);
}

#[test]
fn target_and_host_are_what_the_url_says() {
    let lines = |url| {
        let url = Url::parse(url).expect("a valid URL");
        let sent = String::from_utf8(request(&url, "x", Connection::Close));
        let sent = sent.expect("a request in UTF-8");
        sent.lines().take(2).collect::<Vec<_>>().join(" | ")
    };
    let expected = [
        ("http://example.com", "GET / HTTP/1.1 | Host: example.com"),
        ("http://example.com:80/", "GET / HTTP/1.1 | Host: example.com"),
        ("https://example.com:443/", "GET / HTTP/1.1 | Host: example.com"),
        ("http://example.com:8080/", "GET / HTTP/1.1 | Host: example.com:8080"),
        ("http://[::1]/a", "GET /a HTTP/1.1 | Host: [::1]"),
        ("http://[::1]:8000/a", "GET /a HTTP/1.1 | Host: [::1]:8000"),
        ("http://127.0.0.1:8000?q", "GET /?q HTTP/1.1 | Host: 127.0.0.1:8000"),
        ("http://bücher.example/", "GET / HTTP/1.1 | Host: xn--bcher-kva.example"),
        ("http://a/?", "GET /? HTTP/1.1 | Host: a"),
        ("http://a/x\r\nEvil: y", "GET /xEvil:%20y HTTP/1.1 | Host: a"),
    ];
    for (url, first_lines) in expected {
        assert_eq!(lines(url), first_lines);
    }
}

#[test]
fn a_user_agent_cannot_smuggle_a_line_in() {
    let url = Url::parse("http://a/").unwrap();
    let sent = request(&url, "x\r\nEvil: y", Connection::Close);
    let sent = String::from_utf8(sent).expect("a request in UTF-8");
    assert!(sent.contains("\r\nUser-Agent: x  Evil: y\r\n"), "{sent}");
}
