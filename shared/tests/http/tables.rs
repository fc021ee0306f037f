//! Messages and what is to come of each: a table for each part of the rules.

use crate::{Answer, MAX_BODY, parse, whole, without_reusable};
use shared::http::HttpError;

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
