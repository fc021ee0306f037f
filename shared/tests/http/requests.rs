//! The bytes of requests.

use shared::http::{ConnectionOption, request};
use url::Url;

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
    let sent =
        request(&url, "crawler/1 (+http://example.com)", ConnectionOption::KeepAlive);
    assert_eq!(String::from_utf8_lossy(&sent), expected);
    let sent =
        request(&url, "crawler/1 (+http://example.com)", ConnectionOption::Close);
    let expected = expected.replace("keep-alive", "close");
    assert_eq!(String::from_utf8_lossy(&sent), expected);
}

#[test]
fn target_and_host_are_what_the_url_says() {
    let lines = |url| {
        let url = Url::parse(url).expect("a valid URL");
        let sent = String::from_utf8(request(&url, "x", ConnectionOption::Close));
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
    let sent = request(&url, "x\r\nEvil: y", ConnectionOption::Close);
    let sent = String::from_utf8(sent).expect("a request in UTF-8");
    assert!(sent.contains("\r\nUser-Agent: x  Evil: y\r\n"), "{sent}");
}
