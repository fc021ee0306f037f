//! Finds the links of a page in a stream of tags.
//!
//! [`links`] looks at each tag once (lol_html), so its time grows with the page's length
//! alone. `links_by_tree`, in `shared/tree`, finds the same links in a tree; its tests
//! compare the two.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use encoding_rs::{Encoding, UTF_8};
use lol_html::html_content::Element;
use lol_html::{ElementContentHandlers, HtmlRewriter, MemorySettings, Settings};
use url::Url;

use crate::page::url::{MAX_URL, normalise};

/// How much memory the URLs of one page may take, in bytes. Links after that, in the
/// page's order, are ignored.
///
/// Without this limit a page of 10 MiB could make 16 GiB of URLs, with a base of 16 KiB
/// and a million short links.
pub const MAX_LINKS: usize = 64 << 20;

/// How much memory lol_html may use, in bytes: nearly all of it for the open elements.
const READER_MEMORY: usize = 32 << 20;

/// How many bytes of the page lol_html gets at a time. Most pages are shorter, and that
/// many bytes of start tags fit into [`READER_MEMORY`].
const PIECE: usize = 256 << 10;

/// The elements whose content is text.
const TEXT_ELEMENTS: [&str; 10] = [
    "script",
    "style",
    "title",
    "textarea",
    "noscript",
    "noframes",
    "noembed",
    "iframe",
    "xmp",
    "plaintext",
];

static LINK_TAG: LazyLock<lol_html::Selector> = LazyLock::new(|| parsed("a, area"));
static BASE_TAG: LazyLock<lol_html::Selector> = LazyLock::new(|| parsed("base"));

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
/// - If an `svg` or `math` ends without its end tag (`<svg/>`, `<b><svg></b>`), and in
///   `annotation-xml`, the two may disagree about whether a `script`, `style`, `title`
///   or the like contains text or tags, and about CDATA.
/// - If a tag that contains text has a quote or a `<` in it and ends in an attribute
///   without its value (`<script a="" b=>`), the stream reads that text as tags.
/// - A tag with some hundred thousand attributes is skipped. With more than 262,144
///   elements open, reading starts again before a tag, as if that were in plain text:
///   if it was in a comment, a script or an `svg`, that is forgotten.
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
    let html = without_missing_values(html);
    let mut found = Found::default();
    let mut rest = html.as_bytes();
    while !rest.is_empty() {
        rest = read(rest, &mut found);
    }
    let hrefs = found.hrefs.iter().map(String::as_str);
    resolve(hrefs, found.base.as_deref(), page, encoding)
}

/// Replaces the `=` at the end of a tag that contains text (`<script src=>`) by a space.
/// lol_html 3.0 would read the text after it as tags. HTML reads `<script src >` in the
/// same way, and lol_html reads it correctly.
fn without_missing_values(html: &str) -> Cow<'_, str> {
    let mut fixed = String::new();
    let mut copied = 0;
    for (start, _) in html.match_indices('<') {
        if let Some(equals) = missing_value(&html[start + 1..]) {
            let equals = start + 1 + equals;
            fixed.push_str(&html[copied..equals]);
            fixed.push(' ');
            copied = equals + 1;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(html);
    }
    fixed.push_str(&html[copied..]);
    Cow::Owned(fixed)
}

/// Returns the place of the last `=` in a tag that contains text, if no value follows
/// it. `html` begins with the tag's name. A tag with a quote in it is left alone, and
/// the search ends at the next tag, so that all searches together are linear.
fn missing_value(html: &str) -> Option<usize> {
    let is_here = |name: &&&str| {
        let start = html.as_bytes().get(..name.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
    };
    let name = TEXT_ELEMENTS.iter().find(is_here)?;
    let attributes = &html[name.len()..];
    let is_tag = attributes.starts_with(|c: char| c == '/' || c.is_ascii_whitespace());
    let end = attributes.find(['<', '>', '"', '\'']).filter(|_| is_tag)?;
    let (inside, after) = attributes.split_at(end);
    let inside = inside.trim_ascii_end();
    let is_missing = after.starts_with('>') && inside.ends_with('=');
    is_missing.then(|| name.len() + inside.len() - 1)
}

/// The attributes found so far, in the page's order.
#[derive(Default)]
struct Found {
    /// The `href` of the first `base` that has one.
    base: Option<String>,
    /// The `href` of each `a` and `area`.
    hrefs: Vec<String>,
}

/// Reads until the memory is full. Returns the rest of the page, to be read by a new
/// reader.
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
            // The memory is full. Finding the links of this piece twice does no harm.
            // But a piece that fills the memory by itself must be skipped, not read for
            // ever.
            let was_fresh = rest.len() == html.len();
            return if was_fresh { after } else { rest };
        }
        rest = after;
    }
    rest
}

/// Returns the length of the next piece. If possible it ends before a `<`, so that a
/// new reader starts with a whole tag.
fn piece_length(html: &[u8]) -> usize {
    if html.len() <= PIECE {
        return html.len();
    }
    let last_tag = html[..PIECE].iter().rposition(|&byte| byte == b'<');
    last_tag.filter(|&start| start > 0).unwrap_or(PIECE)
}

/// Makes a handler that passes the `href` of each such tag to `keep`.
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

/// Does for a value what lol_html does not: resolves entities, and replaces NUL, as
/// HTML demands.
fn attribute_value(raw: String) -> String {
    let raw = if raw.contains('\0') { raw.replace('\0', "\u{FFFD}") } else { raw };
    htmlize::unescape_attribute(raw).into_owned()
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

fn parsed(selector: &str) -> lol_html::Selector {
    selector.parse().expect("these selectors are well-formed")
}
