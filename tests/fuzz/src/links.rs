//! Where a page points, and what is asked for then.

use arbitrary::{Arbitrary, Unstructured};
use page_tree::{links_by_tree, may_differ};
use shared::http::{ConnectionOption, request};
use shared::page::links::{links, room_for_links};
use shared::page::url::{MAX_URL, normalise, parse_root};
use shared::{Page, ResponseParser, Url};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    page: PageUrl,
    what: What,
    bytes: &'a [u8],
}

#[derive(Arbitrary, Debug)]
enum PageUrl {
    Plain,
    WithAll,
    Secure,
}

#[derive(Arbitrary, Debug)]
enum What {
    Page,
    PageOfRepeats(u8),
    Location,
    Root,
}

/// Checks a page, a redirect's target or a root, whichever the bytes say.
pub fn check(data: &[u8]) {
    let Ok(input) = Input::arbitrary_take_rest(Unstructured::new(data)) else { return };
    let page = url(match input.page {
        PageUrl::Plain => "http://host/dir/page",
        PageUrl::WithAll => "http://user:password@host.example:81/a/b?query#fragment",
        PageUrl::Secure => "https://[::1]/",
    });
    let text = String::from_utf8_lossy(input.bytes);
    match input.what {
        What::Page => check_page(&text, &page),
        What::PageOfRepeats(count) => check_work(&text, count.into(), &page),
        What::Location => check_location(input.bytes, &page),
        What::Root => check_root(&text),
    }
}

fn check_page(html: &str, page: &Url) {
    let found = links(html, page);
    let by_tree = links_by_tree(html, page);
    assert!(found == by_tree || may_differ(html), "{html:?}\n{found:?}\n{by_tree:?}");
    assert!(found.is_sorted_by(|one, next| one < next), "sorted, each once");
    assert!(found.len() <= html.matches('<').count());
    let size: usize = found.iter().map(|link| link.as_str().len()).sum();
    assert!(size <= room_for_links(html.len()));
    found.iter().for_each(check_link);
}

/// A URL that can be asked for, and is written in one way only.
fn check_link(link: &Url) {
    assert!(matches!(link.scheme(), "http" | "https"));
    assert!(link.has_host() && link.fragment().is_none());
    assert!(link.username().is_empty() && link.password().is_none());
    assert!(link.as_str().len() <= MAX_URL);
    assert_eq!(&url(link.as_str()), link);
    assert_eq!(normalise(link.clone()).as_ref(), Some(link));
    assert_eq!(parse_root(link.as_str()).as_ref(), Ok(link));
    check_request(link);
}

/// Nothing in a URL or a name ends a line of the request.
fn check_request(link: &Url) {
    let sent = request(link, "agent\r\nX: y", ConnectionOption::Close);
    let sent = str::from_utf8(&sent).expect("a request is ASCII");
    let lines: Vec<&str> = sent.split("\r\n").collect();
    let no_control =
        |line: &&str| line.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    assert!(lines.iter().all(no_control), "{sent:?}");
    assert_eq!((lines.len(), lines[6], lines[7]), (8, "", ""), "{sent:?}");
    let words: Vec<&str> = lines[0].split(' ').collect();
    assert!(words.len() == 3 && words[1].starts_with('/'), "{sent:?}");
    assert!(lines[1].strip_prefix("Host: ").is_some_and(|host| !host.contains(' ')));
}

/// The work for a page grows as its length does. It is weighed in what it allocates: that
/// is the same each time.
fn check_work(html: &str, count: usize, page: &Url) {
    let work = |times: usize| {
        let html = html.repeat(times);
        allocation_counter::measure(|| drop(links(&html, page))).bytes_total
    };
    // Pages of 2 KiB are quick to try; tables that double may do so once more.
    let times = count.min(256 / html.len().max(1));
    const FIXED: u64 = 16 << 10;
    assert!(work(8 * times) <= 24 * work(times) + FIXED);
}

fn check_location(location: &[u8], page: &Url) {
    let wire = [
        b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: ",
        location,
        b"\r\n\r\n",
    ];
    let mut parser = ResponseParser::with_limit(0);
    let Ok(Some(response)) = parser.feed(&wire.concat()) else { return };
    let Some(Ok(target)) = Page::from_response(page, response).redirect else { return };
    check_link(&target);
}

fn check_root(text: &str) {
    if let Ok(mut root) = parse_root(text) {
        assert_eq!(parse_root(root.as_str()).as_ref(), Ok(&root));
        root.set_fragment(None);
        check_link(&root);
    }
}

fn url(text: &str) -> Url {
    Url::parse(text).expect("a URL")
}
