//! Every page responds as the index says.

use demo_site_tls::DemoSite;

use crate::client::{Answer, get};

fn from_a_new_site(path: &str) -> Answer {
    get(&DemoSite::start().expect("a socket"), path)
}

#[test]
fn the_index_shows_every_kind_of_link() {
    let index = from_a_new_site("/");
    assert_eq!(index.status, 200);
    assert_eq!(index.field("content-type"), Some("text/html; charset=utf-8"));
    let text = index.text();
    assert_eq!(text.matches("href=\"/wiki/\"").count(), 2, "a link twice");
    for link in [
        "href=\"/wiki/#top\"",
        "href=\"mailto:nobody@example.com\"",
        "href=\"http://example.com/\"",
        "href=\"https://www.rust-lang.org/\"",
        "href=\"/query?first=1&amp;second=2\"",
    ] {
        assert!(text.contains(link), "{link}");
    }
}

#[test]
fn a_query_comes_back_escaped() {
    let page = from_a_new_site("/query?first=1&second='b'").text();
    assert!(page.contains("<code>first=1</code>"));
    assert!(page.contains("<code>second=&#39;b&#39;</code>"));
}

#[test]
fn a_page_that_is_not_there_is_404_and_cannot_write_into_the_answer() {
    let site = DemoSite::start().expect("a socket");
    assert_eq!(get(&site, "/missing").status, 404);
    let unknown = get(&site, "/it's");
    assert_eq!(unknown.status, 404);
    assert!(unknown.text().contains("<code>/it&#39;s</code>"));
}

#[test]
fn the_slow_pages_are_as_many_and_as_slow_as_asked() {
    let site = DemoSite::start().expect("a socket");
    let list = get(&site, "/slow?count=3&ms=50").text();
    for page in ["/slow/1?ms=50", "/slow/2?ms=50", "/slow/3?ms=50"] {
        assert!(list.contains(&format!("href=\"{page}\"")), "{page}");
        assert!(get(&site, page).text().contains("50 ms"), "{page}");
    }
    assert!(!list.contains("/slow/4"));
    let longest = get(&site, "/slow?count=1000000&ms=1000000").text();
    assert_eq!(longest.matches("<li>").count(), 100_000);
    assert!(longest.contains("/slow/1?ms=60000\""));
}

#[test]
fn every_redirect_says_where_to_go() {
    let site = DemoSite::start().expect("a socket");
    for (path, status, location) in [
        ("/foo", 302, "/baz"),
        ("/bar", 302, "/baz"),
        ("/353", 301, "/353/"),
        ("/chain/5", 302, "/chain/4"),
        ("/chain/1", 302, "/chain/0"),
        ("/loop/a", 302, "/loop/b"),
        ("/loop/b", 302, "/loop/a"),
        ("/away", 302, "http://example.com/"),
        ("/relative/start", 302, "end"),
    ] {
        let answer = get(&site, path);
        assert_eq!(
            (answer.status, answer.field("location")),
            (status, Some(location)),
            "{path}"
        );
    }
    for end in ["/baz", "/353/", "/chain/0", "/relative/end"] {
        assert_eq!(get(&site, end).status, 200, "{end}");
    }
}

#[test]
fn a_charset_is_told_in_four_ways_one_of_them_wrong() {
    let site = DemoSite::start().expect("a socket");
    for (path, content_type, sign) in [
        ("/charset/latin1", "text/html; charset=iso-8859-1", &b"pla\xeet</a>"[..]),
        ("/charset/shift-jis", "text/html", &b">\x93\xfa\x96\x7b\x8c\xea</a>"[..]),
        ("/charset/utf-16", "text/html", &b"\xff\xfe<\0!\0"[..]),
        ("/charset/wrong", "text/html; charset=utf-8", &b"pla\xeet</a>"[..]),
    ] {
        let page = get(&site, path);
        assert_eq!(page.field("content-type"), Some(content_type), "{path}");
        let found = page.body.windows(sign.len()).any(|bytes| bytes == sign);
        assert!(found, "{path} in its own letters");
        let ascii: String = page
            .body
            .iter()
            .filter(|byte| byte.is_ascii_graphic())
            .map(|byte| char::from(*byte))
            .collect();
        assert!(ascii.contains("href=\"/wiki/web/link\""), "{path} has a link");
    }
}

#[test]
fn what_is_not_a_page_has_its_own_type() {
    let site = DemoSite::start().expect("a socket");
    let image = get(&site, "/image.png");
    assert_eq!(image.field("content-type"), Some("image/png"));
    assert!(image.body.starts_with(b"\x89PNG\r\n"));
    let feed = get(&site, "/feed.xml");
    assert_eq!(feed.field("content-type"), Some("application/xml"));
    assert!(feed.text().contains("<a href=\"/feed/entry\">"));
    assert_eq!(get(&site, "/feed/entry").status, 200);
    let plain = get(&site, "/plain.txt");
    assert_eq!(plain.field("content-type"), Some("text/plain; charset=utf-8"));
    assert!(plain.text().contains("<a href="));
}

#[test]
fn a_page_is_as_big_and_as_deep_as_asked() {
    let site = DemoSite::start().expect("a socket");
    for bytes in [100_000, 1_000_000] {
        let big = get(&site, &format!("/big?bytes={bytes}"));
        assert_eq!(big.body.len(), bytes);
        assert_eq!(big.field("content-length"), Some(bytes.to_string().as_str()));
    }
    assert!(get(&site, "/big?bytes=1").text().ends_with("</html>\n"));
    assert_eq!(get(&site, "/big").body.len(), 100_000);
    let deep = get(&site, "/deep").text();
    let (above, below) =
        deep.split_once("<a href=\"/wiki/web/link\">").expect("a link");
    assert_eq!(above.matches("<div>").count(), 1_000);
    assert_eq!(below.matches("</div>").count(), 1_000);
    let brackets = "<".repeat(70_000);
    assert!(get(&site, "/tags?bytes=70000").text().contains(&brackets));
}

#[test]
fn a_page_with_another_base_says_so_in_its_head() {
    let page = from_a_new_site("/wiki/base").text();
    let head = page.split("</head>").next().expect("the first of at least one");
    assert!(head.contains("<base href=\"web/\">"));
}
