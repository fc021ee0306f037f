//! How a response becomes a page.

use shared::http::MAX_HEAD;
use shared::http::MAX_PARSED;
use shared::page::MAX_CONTENT_TYPE;
use shared::{Page, ResponseParser};
use std::time::{Duration, SystemTime};
use url::Url;

const URL: &str = "http://example.com/dir/page?query#fragment";

/// Makes a page of a response with this status, these header lines and this body.
fn page(status: &str, headers: &str, body: &[u8]) -> Page {
    let mut parser = ResponseParser::with_limit(1 << 20);
    let head = format!("HTTP/1.1 {status}\r\n{headers}\r\n");
    let wire = [head.as_bytes(), body].concat();
    let response = parser.feed(&wire).expect("a valid answer");
    let response = match response {
        Some(response) => response,
        None => parser.feed(b"").unwrap().expect("end of file ends an answer"),
    };
    Page::from_response(&Url::parse(URL).unwrap(), response)
}

fn of_type(content_type: &str, body: &str) -> Page {
    page("200 OK", &format!("Content-Type: {content_type}\r\n"), body.as_bytes())
}

fn links(page: &Page) -> Vec<&str> {
    page.links.iter().map(Url::as_str).collect()
}

const LINK: &str = "<a href=next>n</a>";

#[test]
fn three_types_are_searched_parameters_and_case_aside() {
    for (header, name, is_searched) in [
        ("text/html", "text/html", true),
        ("TEXT/Html", "text/html", true),
        (" text/html ;charset=utf-8", "text/html", true),
        ("text/html; charset=\"utf-8\"; a=b", "text/html", true),
        ("text/html;", "text/html", true),
        ("text/html; garbage", "text/html", true),
        ("application/xhtml+xml", "application/xhtml+xml", true),
        ("application/xml; charset=utf-8", "application/xml", true),
        ("text/xml", "text/xml", false),
        ("application/rss+xml", "application/rss+xml", false),
        ("image/svg+xml", "image/svg+xml", false),
        ("image/png", "image/png", false),
        ("text/plain", "text/plain", false),
        ("text/htmlx", "text/htmlx", false),
        ("application/json", "application/json", false),
    ] {
        let page = of_type(header, LINK);
        assert_eq!(page.content_type.as_deref(), Some(name), "{header}");
        assert_eq!(!page.links.is_empty(), is_searched, "{header}");
        assert_eq!(page.encoding.is_some(), is_searched, "{header}");
        assert_eq!(page.size, Some(LINK.len() as u64), "{header}");
    }
}

/// The work of a MIME parser may grow with the square of the length.
#[test]
fn of_a_long_type_only_the_beginning_is_parsed() {
    let pad =
        |size: usize| format!("text/html; pad={}; charset=koi8-r", "x".repeat(size));
    let encoding =
        |header: &str| of_type(header, LINK).encoding.expect("it is searched");
    assert_eq!(encoding(&pad(MAX_PARSED / 2)), "koi8-r");
    assert_eq!(encoding(&pad(MAX_PARSED)), "utf-8");
    let parameters: String = (0..30_000).map(|number| format!(";{number}=x")).collect();
    let header = format!("text/html{parameters}");
    assert!(header.len() > 200 * 1024 && header.len() < MAX_HEAD);
    assert_eq!(of_type(&header, LINK).content_type.as_deref(), Some("text/html"));
    let date = format!("{}0", " 0".repeat(MAX_PARSED));
    assert_eq!(retry_after(&date), None);
}

#[test]
fn what_names_no_type_has_none_and_is_not_searched() {
    for header in
        ["", "html", "/", "text/", "/html", "text html", "te xt/html", "\u{fc}/x"]
    {
        let page = of_type(header, LINK);
        assert_eq!((page.content_type, page.links.len()), (None, 0), "{header:?}");
    }
    let silent = page("200 OK", "", LINK.as_bytes());
    assert_eq!((silent.status, silent.is_success()), (200, true));
    assert_eq!((silent.content_type, silent.links.len()), (None, 0));
}

#[test]
fn a_type_longer_than_any_is_not_kept() {
    let subtype = "x".repeat(MAX_CONTENT_TYPE - "text/".len());
    assert!(of_type(&format!("text/{subtype}"), "").content_type.is_some());
    assert!(of_type(&format!("text/{subtype}x"), "").content_type.is_none());
    let parameters = format!("text/html; a={}", "x".repeat(5000));
    assert_eq!(links(&of_type(&parameters, LINK)), ["http://example.com/dir/next"]);
}

#[test]
fn the_charset_comes_from_the_header_and_is_told_in_lower_case() {
    let page = page(
        "200 OK",
        "Content-Type: text/html; charset=\"Latin1\"\r\n",
        b"<a href=\"?\xe9\">",
    );
    assert_eq!(page.encoding.as_deref(), Some("windows-1252"));
    assert_eq!(links(&page), ["http://example.com/dir/page?%E9"]);
    assert_eq!(of_type("text/html", "").encoding.as_deref(), Some("utf-8"));
}

#[test]
fn links_are_sorted_each_once_foreign_ones_included() {
    let page =
        of_type("text/html", "<a href=b><a href=a><a href=b#x><a href=//c.test/>");
    let expected =
        ["http://c.test/", "http://example.com/dir/a", "http://example.com/dir/b"];
    let mut found = links(&page);
    found.sort();
    assert_eq!(found, expected);
    assert!(page.links.is_sorted());
}

#[test]
fn only_success_is_searched() {
    for status in ["404 Gone", "500 Oh", "300 Choices", "304 Same", "399 Odd"] {
        let page = page(status, "Content-Type: text/html\r\n", LINK.as_bytes());
        assert!(page.links.is_empty() && page.encoding.is_none(), "{status}");
        assert!(!page.is_success() && page.redirect.is_none(), "{status}");
        assert_eq!(page.content_type.as_deref(), Some("text/html"));
    }
    for status in ["200 OK", "203 Other", "206 Part", "299 Odd"] {
        let page = page(status, "Content-Type: text/html\r\n", LINK.as_bytes());
        assert_eq!(page.links.len(), 1, "{status}");
    }
}

#[test]
fn a_body_with_a_coding_that_was_not_asked_for_is_counted_and_not_searched() {
    let coded = "Content-Type: text/html\r\nContent-Encoding: gzip\r\n";
    let coded = page("200 OK", coded, LINK.as_bytes());
    assert_eq!((coded.links.len(), coded.encoding), (0, None));
    assert_eq!(coded.size, Some(LINK.len() as u64));
    let plain = "Content-Type: text/html\r\nContent-Encoding: identity\r\n";
    assert_eq!(page("200 OK", plain, LINK.as_bytes()).links.len(), 1);
}

fn target(location: &str) -> Result<String, &'static str> {
    let page = page("302 Found", &format!("Location: {location}\r\n"), b"");
    assert_eq!((page.size, page.links.len()), (None, 0));
    page.redirect.expect("302 is a redirect").map(String::from)
}

#[test]
fn a_location_is_resolved_against_the_url_without_fragment_and_credentials() {
    for (location, expected) in [
        ("http://other.example/a", "http://other.example/a"),
        ("HTTPS://Other.Example:443", "https://other.example/"),
        ("//other.example/a", "http://other.example/a"),
        ("/a", "http://example.com/a"),
        ("a", "http://example.com/dir/a"),
        ("../../a", "http://example.com/a"),
        ("?a", "http://example.com/dir/page?a"),
        ("#a", "http://example.com/dir/page?query"),
        ("/a#b", "http://example.com/a"),
        ("http:a", "http://example.com/dir/a"),
        ("http://user:password@other.example/", "http://other.example/"),
        (" \t/a \t", "http://example.com/a"),
        ("/a b", "http://example.com/a%20b"),
        ("\\a", "http://example.com/a"),
        ("/é", "http://example.com/%C3%A9"),
        ("localhost/a", "http://example.com/dir/localhost/a"),
    ] {
        assert_eq!(target(location).as_deref(), Ok(expected), "{location}");
    }
}

#[test]
fn a_location_that_leads_nowhere_is_told_with_the_reason() {
    let unusable = "Location is not a usable http or https URL";
    let long = format!("/{}", "a".repeat(16 * 1024));
    for (location, why) in [
        ("", "redirect with an empty Location"),
        (" \t ", "redirect with an empty Location"),
        ("javascript:alert(1)", unusable),
        ("JavaScript:alert(1)", unusable),
        ("file:///etc/passwd", unusable),
        ("data:text/html,a", unusable),
        ("mailto:a@example.com", unusable),
        ("localhost:8000/", unusable),
        (long.as_str(), unusable),
        ("http://", "Location is not a URL"),
        ("http://a b/", "Location is not a URL"),
        ("http://[::1/", "Location is not a URL"),
        ("//example.com:port/", "Location is not a URL"),
    ] {
        assert_eq!(target(location), Err(why), "{location}");
    }
}

#[test]
fn a_location_that_is_not_utf_8_keeps_its_bytes() {
    for (location, expected) in [
        (&b"/caf\xe9?q=\xfc"[..], "http://example.com/caf%E9?q=%FC"),
        (b"/\xc3\xa9/\xff", "http://example.com/%C3%A9/%FF"),
        (b"\xe9", "http://example.com/dir/%E9"),
    ] {
        let head =
            [b"HTTP/1.1 302 Found\r\nLocation: ", location, b"\r\n\r\n"].concat();
        let mut parser = ResponseParser::with_limit(0);
        assert_eq!(parser.feed(&head), Ok(None));
        let response = parser.feed(b"").unwrap().unwrap();
        let page = Page::from_response(&Url::parse(URL).unwrap(), response);
        let target = page.redirect.expect("302 is a redirect").map(String::from);
        assert_eq!(target.as_deref(), Ok(expected));
    }
}

#[test]
fn a_redirect_without_location_is_an_answer_of_its_size() {
    let page = page("301 Moved", "Content-Type: text/html\r\n", LINK.as_bytes());
    assert_eq!(page.redirect, Some(Err("redirect without a Location")));
    assert_eq!((page.size, page.links.len()), (Some(LINK.len() as u64), 0));
}

#[test]
fn five_statuses_redirect_and_no_other_heeds_a_location() {
    for status in 200..400 {
        let page = page(&format!("{status} X"), "Location: /a\r\n", b"");
        let expected = matches!(status, 301 | 302 | 303 | 307 | 308);
        assert_eq!(page.redirect.is_some(), expected, "{status}");
    }
}

fn retry_after(value: &str) -> Option<Duration> {
    page("503 Busy", &format!("Retry-After: {value}\r\n"), b"").retry_after
}

#[test]
fn retry_after_is_seconds() {
    for (value, seconds) in [
        ("0", 0),
        ("120", 120),
        (" 7 ", 7),
        ("007", 7),
        ("18446744073709551615", u64::MAX),
        ("18446744073709551616", u64::MAX),
        ("99999999999999999999999999", u64::MAX),
    ] {
        assert_eq!(retry_after(value), Some(Duration::from_secs(seconds)), "{value}");
    }
}

#[test]
fn retry_after_may_be_a_date() {
    let past = ["Sun, 06 Nov 1994 08:49:37 GMT", "Thu, 01 Jan 1970 00:00:00 GMT"];
    for date in past {
        assert_eq!(retry_after(date), Some(Duration::ZERO), "{date}");
    }
    let hour = Duration::from_secs(3600);
    let soon = retry_after(&httpdate::fmt_http_date(SystemTime::now() + hour)).unwrap();
    assert!(soon <= hour && !soon.is_zero());
    assert!(retry_after("Fri, 31 Dec 9999 23:59:59 GMT").unwrap() > hour);
}

#[test]
fn garbage_in_retry_after_asks_for_nothing() {
    for value in [
        "",
        "-1",
        "+1",
        "1.5",
        "1e3",
        "soon",
        "0x10",
        "٣",
        "1, 2",
        "Sun, 99 Nov 1994 08:49:37 GMT",
    ] {
        assert_eq!(retry_after(value), None, "{value}");
    }
    assert_eq!(page("503 Busy", "", b"").retry_after, None);
}

#[test]
fn two_statuses_say_that_the_server_is_busy() {
    let is_busy = |status: &u16| page(&format!("{status} X"), "", b"").is_busy();
    assert_eq!((200..600).filter(is_busy).collect::<Vec<_>>(), [429, 503]);
}
