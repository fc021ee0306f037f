//! How a root is parsed, and how URLs are normalized.

use proptest::prelude::*;
use shared::page::url::{MAX_URL, normalise, parse_root};
use url::Url;

const ROOTS: &[(&str, &str)] = &[
    ("example.com", "http://example.com/"),
    ("  example.com\n", "http://example.com/"),
    ("Example.COM/Path", "http://example.com/Path"),
    ("example.com:8000", "http://example.com:8000/"),
    ("example.com:80", "http://example.com/"),
    ("localhost:8000/a", "http://localhost:8000/a"),
    ("127.0.0.1", "http://127.0.0.1/"),
    ("127.1:8000", "http://127.0.0.1:8000/"),
    ("[::1]:8000/a", "http://[::1]:8000/a"),
    ("bücher.example", "http://xn--bcher-kva.example/"),
    ("example.com./", "http://example.com./"),
    ("http://example.com", "http://example.com/"),
    ("HTTP://example.com/a b", "http://example.com/a%20b"),
    ("https://example.com:443/", "https://example.com/"),
    ("https://example.com:80/", "https://example.com:80/"),
    ("http:///example.com", "http://example.com/"),
    ("//example.com/a", "http://example.com/a"),
    ("example.com/a/../b/./c", "http://example.com/b/c"),
    ("example.com/a?b=c#d", "http://example.com/a?b=c#d"),
    ("example.com#", "http://example.com/"),
    ("example.com?", "http://example.com/?"),
    // A `://` that is not the end of a scheme.
    (
        "example.com/?from=http://other.example/",
        "http://example.com/?from=http://other.example/",
    ),
    ("localhost:8000/http://a", "http://localhost:8000/http://a"),
    ("example.com#http://a", "http://example.com/#http://a"),
];

const CREDENTIALS: &str =
    "a user or password in the URL, which would not be sent (see --user)";

#[rustfmt::skip]
const NO_ROOTS: &[(&str, &str)] = &[
    ("", "not a URL: empty host"),
    ("   ", "not a URL: empty host"),
    ("http://", "not a URL: empty host"),
    ("://example.com", "not a URL: relative URL without a base"),
    ("?query", "not a URL: empty host"),
    ("a b.example", "not a URL: a space in the host"),
    ("/etc/passwd", "a path; a folder is crawled with --serve"),
    ("./book", "a path; a folder is crawled with --serve"),
    ("mailto:somebody@example.com", "mailto: is not crawled, only http:// and https://"),
    ("MAILTO:somebody@example.com", "mailto: is not crawled, only http:// and https://"),
    ("somebody@example.com", "an e-mail address, or a user's name before the host"),
    ("tel:+123", "tel: is not crawled, only http:// and https://"),
    ("javascript:x", "javascript: is not crawled, only http:// and https://"),
    ("http:example.com", "http: needs // before the host"),
    ("https:/example.com", "https: needs // before the host"),
    ("example.com:port", "not a URL: invalid port number"),
    ("example.com:65536", "not a URL: invalid port number"),
    ("1.2.3.256", "not a URL: invalid IPv4 address"),
    ("http:///x y/", "not a URL: invalid international domain name"),
    ("http://[::1/", "not a URL: invalid IPv6 address"),
    ("[::1", "not a URL: invalid IPv6 address"),
    ("ftp://example.com/", "ftp:// is not crawled, only http:// and https://"),
    ("file:///etc/passwd", "file:// is not crawled, only http:// and https://"),
    ("http://user:password@example.com/", CREDENTIALS),
    ("https://user@example.com/", CREDENTIALS),
    ("http://:password@example.com/", CREDENTIALS),
    ("//user@example.com/", CREDENTIALS),
    ("javascript://example.com/", "javascript:// is not crawled, only http:// and https://"),
];

#[test]
fn a_root_is_read_as_a_person_types_it() {
    for (text, expected) in ROOTS {
        let root = parse_root(text).unwrap_or_else(|why| panic!("{text:?}: {why}"));
        assert_eq!(root.as_str(), *expected, "{text:?}");
    }
}

#[test]
fn what_is_no_root_is_told_in_a_sentence() {
    for (text, expected) in NO_ROOTS {
        let why = parse_root(text).expect_err(text);
        assert_eq!(why, *expected, "{text:?}");
    }
}

#[test]
fn a_url_may_have_so_many_bytes_after_normalising() {
    let start = "http://example.com/";
    let fits = format!("{start}{}#fragment", "a".repeat(MAX_URL - start.len()));
    let root = parse_root(&fits).unwrap();
    assert_eq!(root[..url::Position::AfterQuery].len(), MAX_URL);
    let why = parse_root(&format!("{start}{}", "a".repeat(MAX_URL))).unwrap_err();
    assert_eq!(why, format!("longer than {MAX_URL} bytes"));
    // Each space becomes three bytes.
    assert!(parse_root(&format!("{start}{}x", " ".repeat(MAX_URL / 2))).is_err());
}

#[test]
fn only_http_and_https_are_normalised() {
    for text in ["data:text/html,a", "mailto:a@b.example", "javascript:1", "file:///a"]
    {
        assert_eq!(normalise(Url::parse(text).unwrap()), None, "{text}");
    }
}

/// Characters that have a meaning in URLs, that are mapped, or that are forbidden.
const LETTERS: &str = "[a-cA-C0-9./:@?#%\\[\\]&=+ \\\\\u{ad}ßéＡ。١\u{200d}א-]{0,24}";

proptest! {
    #[test]
    fn nothing_that_is_typed_makes_it_panic(text in any::<String>()) {
        parse_root(&text).ok();
    }

    /// The ledger stores a URL as text, and later parses the text again.
    #[test]
    fn a_normalised_url_is_read_as_itself(start in "(http://|//|https://xn--|/|)", rest in LETTERS) {
        let base = Url::parse("http://example.com/a/b?c").unwrap();
        let url = base.join(&format!("{start}{rest}")).ok().and_then(normalise);
        prop_assume!(url.is_some());
        let url = url.unwrap();
        prop_assert_eq!(Url::parse(url.as_str()), Ok(url.clone()));
        prop_assert_eq!(parse_root(url.as_str()), Ok(url.clone()));
        prop_assert_eq!(normalise(url.clone()), Some(url.clone()));
        prop_assert!(url.fragment().is_none() && url.username().is_empty());
        prop_assert!(url.password().is_none());
    }
}
