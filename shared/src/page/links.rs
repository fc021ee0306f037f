//! Finds the links of a page in a stream of tags.
//!
//! [`links`] looks at each tag once (`tags.rs`), so its time grows with the page's length
//! alone. `links_by_tree`, in `shared/tree`, finds the same links in a tree; its tests
//! compare the two.

use std::collections::HashSet;

use encoding_rs::{Encoding, UTF_8};
use url::Url;

use crate::page::tags::read_tags;
use crate::page::url::{MAX_URL, normalise};

/// How much memory the URLs of one page may take, in bytes. Links after that, in the
/// page's order, are ignored.
///
/// Without this limit a page of 10 MiB could make 16 GiB of URLs, with a base of 16 KiB
/// and a million short links.
pub const MAX_LINKS: usize = 64 << 20;

/// Returns the links of a page: absolute, sorted, each once.
///
/// A link is the `href` of an `a` or `area` ([HTML §4.6]). It is relative to the page's
/// first `base` with an `href` ([§2.4.3]); if there is none, or it is not http or
/// https, to `page`, the URL that the page came from. Only http and https links are
/// kept, without fragment, user and password. An `href` that is not a URL, or too long,
/// is skipped.
///
/// As in a browser that runs scripts, the content of `noscript` is text. Links in a
/// `template` count.
///
/// This takes linear time and bounded memory. A reader that looks at one tag after the
/// other cannot know all that a tree knows. So on some broken pages the result differs
/// from that of a tree; `shared/tree/tests/links.rs` shows each case:
///
/// - After a `frameset`, and after a `col` in a `template`, the tree drops links.
/// - If the end tag of another element ends an `svg` or `math` (`<b><svg></b>`), the two
///   may disagree about whether a `script`, `style`, `title` or the like contains text or
///   tags, and about CDATA.
/// - An `annotation-xml` in a `math` may contain HTML, as the standard says. The tree does
///   not see that.
///
/// [HTML §4.6]: https://html.spec.whatwg.org/multipage/links.html
/// [§2.4.3]: https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url
pub fn links(html: &str, page: &Url) -> Vec<Url> {
    links_in(UTF_8, html, page)
}

/// Returns the same for a page that was read in another encoding: the queries of its
/// links are written in that encoding, as its server expects ([HTML §2.4.2]). The rest
/// of a URL is UTF-8.
///
/// [HTML §2.4.2]: https://html.spec.whatwg.org/multipage/urls-and-fetching.html#resolving-urls
pub fn links_in(encoding: &'static Encoding, html: &str, page: &Url) -> Vec<Url> {
    let (mut base, mut hrefs) = (None, Vec::new());
    read_tags(html, &["href"], |tag| match tag.name() {
        b"a" | b"area" => hrefs.extend(tag.take("href")),
        b"base" if base.is_none() => base = tag.take("href"),
        _ => {}
    });
    resolve(hrefs.iter().map(String::as_str), base.as_deref(), page, encoding)
}

/// Turns attributes into the links of the page: absolute, sorted, each once. `base` is
/// the `href` of its `base`. At most [`MAX_LINKS`] bytes are returned, and a query is
/// written in `encoding`.
pub fn resolve<'a>(
    hrefs: impl Iterator<Item = &'a str>,
    base: Option<&str>,
    page: &Url,
    encoding: &'static Encoding,
) -> Vec<Url> {
    let join = |base: &Url, href: &str| match encoding.output_encoding() == UTF_8 {
        true => base.join(href),
        false => {
            let options = Url::options().base_url(Some(base));
            options
                .encoding_override(Some(&|query| encoding.encode(query).0))
                .parse(href)
        }
    };
    let base = base.and_then(|href| join(page, href).ok()).and_then(normalise);
    let base = base.as_ref().unwrap_or(page);
    let mut seen = HashSet::new();
    let mut size = 0;
    let mut links = Vec::new();
    for href in hrefs.map(without_fragment).filter(|href| href.len() <= MAX_URL) {
        // Most pages repeat the same few links: each is parsed once.
        if !seen.insert(href) {
            continue;
        }
        let Ok(link) = join(base, href) else { continue };
        size += size_of::<Url>() + link.as_str().len();
        if size > MAX_LINKS {
            break;
        }
        links.extend(normalise(link));
    }
    links.sort_unstable();
    links.dedup();
    links
}

fn without_fragment(href: &str) -> &str {
    href.split_once('#').map_or(href, |(before, _)| before)
}
