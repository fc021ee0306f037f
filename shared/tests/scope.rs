//! Which URLs belong to a crawl.

use regex_lite::Regex;
use shared::crawl::scope::Scope;
use shared::page::url::{normalise, parse_root};
use shared::{Options, Program};
use url::Url;

fn program(speaks_https: bool) -> Program {
    Program { name: "stage", version: "0.0.0", speaks_https }
}

fn url(text: &str) -> Url {
    Url::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn scope(roots: &[&str], lenient: bool, speaks_https: bool) -> Scope {
    let roots = roots.iter().map(|root| parse_root(root).unwrap());
    let options = Options { lenient, ..Options::with_roots(roots) };
    Scope::new(&options, &program(speaks_https))
}

/// A root, a URL, and whether it belongs to the crawl: strict, lenient.
const TABLE: &[(&str, &str, bool, bool)] = &[
    // The host, with and without `www.`.
    ("example.com", "http://example.com/any?thing", true, true),
    ("example.com", "http://www.example.com/", true, true),
    ("www.example.com", "http://example.com/", true, true),
    ("www.example.com", "http://www.example.com/", true, true),
    ("EXAMPLE.com", "http://Example.COM/", true, true),
    ("bücher.example.com", "http://xn--bcher-kva.example.com/", true, true),
    ("example.com", "http://wwwexample.com/", false, false),
    ("example.com", "http://example.org/", false, false),
    ("example.com", "http://example.com.evil.org/", false, false),
    ("example.com", "http://evil-example.com/", false, false),
    ("example.com", "http://user:password@example.com/", true, true),
    ("example.com", "http://example.com@evil.org/", false, false),
    // The registrable domain.
    ("example.com", "http://docs.example.com/", false, true),
    ("docs.example.com", "http://example.com/", false, true),
    ("docs.example.com", "http://www.blog.example.com/", false, true),
    ("a.example.co.uk", "http://b.example.co.uk/", false, true),
    ("example.co.uk", "http://other.co.uk/", false, false),
    ("co.uk", "http://example.co.uk/", false, false),
    ("one.github.io", "http://deep.one.github.io/", false, true),
    ("one.github.io", "http://two.github.io/", false, false),
    ("one.github.io", "http://github.io/", false, false),
    ("a.example.unknown-suffix", "http://b.example.unknown-suffix/", false, true),
    // `www.` makes no difference even if the bare name is a public suffix.
    ("github.io", "http://www.github.io/", true, true),
    ("www.github.io", "http://github.io/", true, true),
    ("github.io", "http://one.github.io/", false, false),
    // Single labels. With a dot at the end, a root is another host of the same domain.
    ("localhost", "http://localhost/", true, true),
    ("localhost", "http://www.localhost/", true, true),
    ("localhost", "http://a.localhost/", false, false),
    ("intranet", "http://extranet/", false, false),
    ("example.com.", "http://example.com./", true, true),
    ("example.com.", "http://www.example.com./", true, true),
    ("example.com.", "http://example.com/", false, true),
    ("localhost.", "http://localhost/", false, false),
    // Ports.
    ("example.com:80", "http://example.com/", true, true),
    ("example.com:8000", "http://example.com:8000/", true, true),
    ("example.com:8000", "http://www.example.com:8000/", true, true),
    ("example.com:8000", "http://docs.example.com:8000/", false, true),
    ("example.com:8000", "http://example.com/", false, false),
    ("example.com", "http://example.com:8000/", false, false),
    ("example.com", "http://docs.example.com:8000/", false, false),
    ("example.com", "http://example.com:443/", false, false),
    // Addresses.
    ("127.0.0.1", "http://127.0.0.1/", true, true),
    ("127.0.0.1", "http://0x7f.1/", true, true),
    ("127.0.0.1", "http://127.0.0.2/", false, false),
    ("127.0.0.1:8000", "http://127.0.0.1:8001/", false, false),
    ("127.0.0.1", "http://localhost/", false, false),
    ("[::1]:8000", "http://[0:0::1]:8000/", true, true),
    ("[::1]", "http://[::2]/", false, false),
    ("[::ffff:127.0.0.1]", "http://127.0.0.1/", false, false),
];

#[test]
fn a_site_is_a_host_and_a_port_or_a_registrable_domain_and_a_port() {
    for &(root, link, strict, lenient) in TABLE {
        let link = url(link);
        for speaks_https in [false, true] {
            let contains =
                |lenient| scope(&[root], lenient, speaks_https).contains(&link);
            assert_eq!(contains(false), strict, "strict: {root} {link}");
            assert_eq!(contains(true), lenient, "lenient: {root} {link}");
        }
    }
}

#[test]
fn belonging_together_does_not_depend_on_which_is_the_root() {
    for &(root, link, ..) in TABLE {
        let root = parse_root(root).unwrap();
        for lenient in [false, true] {
            let there = scope(&[root.as_str()], lenient, true).contains(&url(link));
            // Roots have no user and no password.
            let other = normalise(url(link)).unwrap();
            let back = scope(&[other.as_str()], lenient, true).contains(&root);
            assert_eq!(there, back, "{root} {link}");
        }
    }
}

#[test]
fn a_root_belongs_to_its_own_crawl_and_lenient_takes_no_less_than_strict() {
    for &(root, link, ..) in TABLE {
        for lenient in [false, true] {
            assert!(scope(&[root], lenient, true).contains(&parse_root(root).unwrap()));
        }
        let strict = scope(&[root], false, true).contains(&url(link));
        assert!(!strict || scope(&[root], true, true).contains(&url(link)));
    }
}

#[test]
fn http_on_80_and_https_on_443_are_one_site_where_both_are_spoken() {
    let table = [
        ("http://example.com", "https://example.com/", true),
        ("https://example.com", "http://www.example.com/", true),
        ("https://example.com", "https://example.com:443/", true),
        ("http://example.com", "https://example.com:80/", false),
        ("https://example.com", "http://example.com:443/", false),
        ("http://example.com:8000", "https://example.com/", false),
        ("http://example.com", "https://example.com:8443/", false),
        ("http://127.0.0.1", "https://127.0.0.1/", true),
    ];
    for (root, link, is_on_site) in table {
        for lenient in [false, true] {
            let both = scope(&[root], lenient, true);
            assert_eq!(both.contains(&url(link)), is_on_site, "{root} {link}");
            let http_only = scope(&[root], lenient, false);
            assert_eq!(http_only.is_on_site(&url(link)), is_on_site, "{root} {link}");
            let is_http = link.starts_with("http:");
            assert_eq!(http_only.contains(&url(link)), is_on_site && is_http);
        }
    }
}

#[test]
fn other_schemes_belong_to_no_crawl() {
    let scope = scope(&["example.com"], false, true);
    for link in ["ftp://example.com/", "ws://example.com/", "mailto:a@example.com"] {
        assert!(!scope.speaks(&url(link)) && !scope.contains(&url(link)), "{link}");
    }
}

#[test]
fn several_roots_have_several_sites() {
    let scope = scope(&["a.example", "http://b.example:8000/deep/"], false, false);
    assert!(scope.contains(&url("http://a.example/")));
    assert!(scope.contains(&url("http://b.example:8000/elsewhere")));
    assert!(!scope.contains(&url("http://a.example:8000/")));
    assert!(!scope.contains(&url("http://b.example/")));
}

#[test]
fn without_roots_nothing_belongs() {
    assert!(!scope(&[], true, true).contains(&url("http://example.com/")));
}

fn excluding(exclude: Vec<Regex>) -> Scope {
    let roots = [url("http://example.com/")];
    let options = Options { exclude, ..Options::with_roots(roots) };
    Scope::new(&options, &program(false))
}

#[test]
fn a_url_is_excluded_if_any_pattern_is_found_in_it() {
    let patterns = [r"\.pdf$", "/private/", r"\?.*sort="];
    let scope = excluding(patterns.map(|it| Regex::new(it).unwrap()).to_vec());
    for path in ["a.pdf", "x/private/y", "list?a=b&sort=up"] {
        assert!(
            !scope.contains(&url("http://example.com/").join(path).unwrap()),
            "{path}"
        );
    }
    for path in ["a.pdf.html", "private", "sort="] {
        assert!(
            scope.contains(&url("http://example.com/").join(path).unwrap()),
            "{path}"
        );
    }
}

#[test]
fn patterns_may_be_as_big_together_as_they_like() {
    // Each pattern can be compiled, but all of them as one set could not.
    let scope = excluding(vec![Regex::new(r"\w{100}").unwrap(); 50]);
    assert!(scope.contains(&url("http://example.com/")));
}

#[test]
fn a_pattern_keeps_the_flags_that_it_was_built_with() {
    let any_case = regex_lite::RegexBuilder::new("PDF").case_insensitive(true).build();
    let scope = excluding(vec![any_case.unwrap()]);
    assert!(!scope.contains(&url("http://example.com/a.pdf")));
}
