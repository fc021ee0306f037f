//! Where a page points, read twice: through a tree, and as a stream of tags.
//!
//! [`links_by_tree`] is the rule: short, and it parses as browsers do (scraper, html5ever).
//! But a tree builder's work grows with the square of the nesting, and a page may come from
//! an enemy. [`links`] looks at each tag once (lol_html), so its time grows with the page's
//! length alone. `tests/links.rs` holds the one to the other.

use std::borrow::Cow;
use std::collections::HashSet;
use std::str::FromStr;
use std::sync::LazyLock;

use lol_html::html_content::Element;
use lol_html::{ElementContentHandlers, HtmlRewriter, MemorySettings, Settings};
use scraper::Html;
use url::Url;

/// Bytes of the longest `href` that is resolved, and of the longest URL that counts.
pub const MAX_URL: usize = 16 << 10;

/// Bytes that the URLs of one page may take; in the page's order, links beyond are ignored.
///
/// 10 MiB have room for a base of 16 KiB and a million short links: 16 GiB of URLs.
pub const MAX_LINKS: usize = 64 << 20;

/// Bytes that lol_html may use, nearly all of them to remember which elements are open.
const READER_MEMORY: usize = 32 << 20;

/// Bytes of the page that lol_html gets at a time: most pages are shorter, and so many bytes
/// of start tags fit into [`READER_MEMORY`].
const PIECE: usize = 256 << 10;

static LINK: LazyLock<scraper::Selector> = LazyLock::new(|| parsed("a, area"));
static BASE: LazyLock<scraper::Selector> = LazyLock::new(|| parsed("base[href]"));
static LINK_TAG: LazyLock<lol_html::Selector> = LazyLock::new(|| parsed("a, area"));
static BASE_TAG: LazyLock<lol_html::Selector> = LazyLock::new(|| parsed("base"));

/// The links of a page: absolute, sorted, each once.
///
/// A link is the `href` of an `a` or `area` ([HTML §4.6]), and relative to the page's first
/// `base` with an `href` ([§2.4.1]); where there is none, or it is not http or https, to
/// `page`, the URL that the page came from. Only http and https links are kept, without
/// fragment, user and password. One that makes no URL, or too long a one, is skipped.
///
/// As in a browser that runs scripts, what is inside `noscript` is text. Links in a
/// `template` count.
///
/// [HTML §4.6]: https://html.spec.whatwg.org/multipage/links.html
/// [§2.4.1]: https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url
pub fn links_by_tree(html: &str, page: &Url) -> Vec<Url> {
    let tree = Html::parse_document(html);
    let base = tree.select(&BASE).find_map(|base| base.attr("href"));
    let hrefs = tree.select(&LINK).filter_map(|link| link.attr("href"));
    resolve(hrefs, base, page)
}

/// The same as [`links_by_tree`], in linear time and bounded memory.
///
/// Who looks at one tag after the other cannot know all that a tree knows. So the answers
/// differ on some broken pages; `tests/links.rs` shows each case:
///
/// - After a `frameset`, and after a `col` in a `template`, the tree drops links.
/// - Where an `svg` or `math` ends without its end tag (`<svg/>`, `<b><svg></b>`), and in
///   `annotation-xml`, the two may disagree about whether a `script`, `style`, `title` or
///   the like holds text or tags, and about CDATA.
/// - A tag with some hundred thousand attributes is skipped. With more than 262,144
///   elements open, reading starts afresh: no link is lost, but if that happens in a long
///   comment or script, what looks like a link there counts.
pub fn links(html: &str, page: &Url) -> Vec<Url> {
    let mut found = Found::default();
    let mut rest = html.as_bytes();
    while !rest.is_empty() {
        rest = read(rest, &mut found);
    }
    resolve(found.hrefs.iter().map(String::as_str), found.base.as_deref(), page)
}

/// What the tags say, in the page's order.
#[derive(Default)]
struct Found {
    base: Option<String>,
    hrefs: Vec<String>,
}

/// Reads as far as the memory reaches; what it returns is left for a fresh start.
fn read<'a>(html: &'a [u8], found: &mut Found) -> &'a [u8] {
    let Found { base, hrefs } = found;
    let memory = MemorySettings::new().with_max_allowed_memory_usage(READER_MEMORY);
    let settings = Settings::new()
        .with_strict(false)
        .with_memory_settings(memory)
        .append_element_content_handler(on_href(&LINK_TAG, |href| hrefs.push(href)))
        .append_element_content_handler(on_href(&BASE_TAG, |href| {
            base.get_or_insert(href);
        }));
    let mut reader = HtmlRewriter::new(settings, |_: &[u8]| ());
    let mut rest = html;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(piece_length(rest));
        if reader.write(piece).is_err() {
            // Links found twice do no harm; a piece too big for a fresh start would.
            let was_fresh = rest.len() == html.len();
            return if was_fresh { after } else { rest };
        }
        rest = after;
    }
    rest
}

/// Each piece but the first starts with a `<`, so that a fresh start finds a whole tag.
fn piece_length(html: &[u8]) -> usize {
    let to_next_tag = html.iter().skip(PIECE).position(|&byte| byte == b'<');
    to_next_tag.map_or(html.len(), |count| PIECE + count)
}

fn on_href<'h>(
    tag: &'static lol_html::Selector,
    mut keep: impl FnMut(String) + 'h,
) -> (Cow<'static, lol_html::Selector>, ElementContentHandlers<'h>) {
    let handler = move |element: &mut Element<'_, '_>| {
        if let Some(raw) = element.get_attribute("href") {
            keep(attribute_value(raw));
        }
        Ok(())
    };
    (Cow::Borrowed(tag), ElementContentHandlers::default().element(handler))
}

/// What lol_html leaves undone in a value: entities, and NUL, which HTML does not let in.
fn attribute_value(raw: String) -> String {
    let raw = if raw.contains('\0') { raw.replace('\0', "\u{FFFD}") } else { raw };
    htmlize::unescape_attribute(raw).into_owned()
}

fn resolve<'a>(
    hrefs: impl Iterator<Item = &'a str>,
    base: Option<&str>,
    page: &Url,
) -> Vec<Url> {
    let base = base.and_then(|href| page.join(href).ok()).filter(is_link);
    let base = base.as_ref().unwrap_or(page);
    let mut seen = HashSet::new();
    let mut size = 0;
    let mut links = Vec::new();
    for href in hrefs.map(without_fragment).filter(|href| href.len() <= MAX_URL) {
        // Most pages name the same few places again and again: parse each once.
        if !seen.insert(href) {
            continue;
        }
        let Ok(link) = base.join(href) else { continue };
        size += size_of::<Url>() + link.as_str().len();
        if size > MAX_LINKS {
            break;
        }
        if is_link(&link) {
            links.push(without_credentials(link));
        }
    }
    links.sort_unstable();
    links.dedup();
    links
}

fn without_fragment(href: &str) -> &str {
    href.split_once('#').map_or(href, |(before, _)| before)
}

fn without_credentials(mut link: Url) -> Url {
    let allowed = link.set_username("").and_then(|()| link.set_password(None));
    allowed.expect("an http URL has a host, so it may have a user");
    link
}

fn is_link(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.as_str().len() <= MAX_URL
}

fn parsed<S: FromStr>(selector: &str) -> S {
    selector.parse().ok().expect("our own selectors are well-formed")
}
