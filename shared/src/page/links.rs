//! Finds the links of a page in a stream of tags.
//!
//! [`links`] looks at each tag once (`tags.rs`), so its time grows with the page's length
//! alone. `links_by_tree`, in `shared/tree`, finds the same links in a tree; its tests
//! compare the two.

use std::collections::HashSet;
use std::iter;
use std::ops::ControlFlow;

use encoding_rs::{Encoding, UTF_8};
use url::{ParseError, Url};

use crate::page::fragments::{Ids, without_directive};
use crate::page::html::{Tag, read_tags};
use crate::page::refresh::refresh_target;
use crate::page::resources::resources_of;
use crate::page::url::{MAX_URL, is_too_long, normalise};
use crate::room::Room;

/// How much memory the URLs of one page may take, in bytes, however long it is.
pub const MAX_LINKS: usize = 128 << 20;
/// The same for each byte of the page. A page of nothing but short links needs some 12.
pub const LINKS_PER_BYTE: usize = 64;
/// The same for a page without any length: room for a few links of the longest kind.
pub const FEW_LINKS: usize = 8 * MAX_URL;

/// Returns how much memory the URLs of a page of this length may take. Links after
/// that, in the page's order, are ignored.
///
/// With a base of 16 KiB, each link of 10 bytes becomes a URL of 16 KiB: without this limit
/// a page of 66 kB becomes 66 MB, and a page of 10 MiB becomes 16 GiB.
pub fn room_for_links(page: usize) -> usize {
    MAX_LINKS.min(page.saturating_mul(LINKS_PER_BYTE).saturating_add(FEW_LINKS))
}

/// How many bytes a URL may have room for besides those that [`size_of`] counts.
const MOST_SLACK: usize = 32;

/// How many characters of a link are shown, if it cannot be requested or is named in a
/// warning.
const MAX_SHOWN: usize = 200;

/// What a page is searched for, besides its links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extract {
    /// The fragments of links, and the ids of the page.
    pub fragments: bool,
    /// What the page needs: images, scripts, styles.
    pub resources: bool,
}

impl Extract {
    /// Returns the attributes in which all that is found.
    fn attributes(self) -> &'static [&'static str] {
        const ALL: &[&str] = &[
            "href",
            "xlink:href",
            "http-equiv",
            "content",
            "id",
            "name",
            "src",
            "srcset",
            "imagesrcset",
            "poster",
            "data",
            "rel",
            "type",
        ];
        match self {
            Extract { resources: true, .. } => ALL,
            Extract { fragments: true, .. } => &ALL[..6],
            Extract { .. } => &ALL[..4],
        }
    }
}

/// What a page refers to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The links: absolute, sorted, each once.
    pub links: Vec<Url>,
    /// The URLs of images, scripts and the like, in the same order, without those that are
    /// links. Empty if resources are not searched for.
    pub resources: Vec<Url>,
    /// The links that cannot be parsed, or are too long, sorted, each once.
    pub invalid: Vec<Invalid>,
    /// The links with fragments, and these without directives, sorted, each once; only
    /// if they are searched for.
    pub fragments: Vec<(Url, String)>,
    /// The ids of the page; `None` if it is not searched for them.
    pub ids: Option<Ids>,
    /// Whether there is a `frameset`.
    pub has_frameset: bool,
    /// Whether links were ignored because they had no room.
    pub is_cut: bool,
}

/// A link that cannot be requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// As it is written, without fragment and without the blanks around it; a long one is
    /// cut.
    pub text: String,
    /// Why it cannot be parsed on its page; `None` if it is too long.
    pub error: Option<ParseError>,
}

/// Returns the links of a page: absolute, sorted, each once.
///
/// A link is the `href` of an `a` or `area` ([HTML §4.6]), or the `xlink:href` of an `a` in
/// an `svg`; also the target of a `meta` element that refreshes. It is relative to the page's
/// first `base` with an `href` ([§2.4.3]); if there is none, or it is not http or
/// https, to `page`, the URL that the page came from. Only http and https links are
/// kept, without fragment, user and password. An `href` that is not a URL, or too long,
/// is no link; [`search`] also returns these.
///
/// As in a browser that runs no scripts, the content of `noscript` is part of the page.
/// Links in a `template` count.
///
/// This takes linear time and bounded memory. A reader that looks at one tag after the
/// other cannot know all that a tree knows. So on some broken pages the result differs
/// from that of a tree; `shared/tree/tests/links.rs` shows each case:
///
/// - After a `frameset`, and after a `col` in a `template`, the tree drops links.
/// - If the end tag of another element ends an `svg` or `math` (`<b><svg></b>`), the two
///   may disagree about whether a `script`, `style`, `title` or the like contains text or
///   tags, about CDATA, and about `xlink:href`.
/// - An `annotation-xml` in a `math` may contain HTML, as the standard says. The tree does
///   not see that.
///
/// [HTML §4.6]: https://html.spec.whatwg.org/multipage/links.html
/// [§2.4.3]: https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url
pub fn links(html: &str, page: &Url) -> Vec<Url> {
    let room = room_for_links(html.len());
    search(UTF_8, html, page, Extract::default(), room).links
}

/// Returns what a page refers to, its links as [`links`] does, for a page that was read in
/// this encoding: the queries of its links are written in it, as its server expects
/// ([HTML §2.4.2]). The rest of a URL is UTF-8. The URLs that are found take at most `room`
/// bytes, from [`room_for_links`].
///
/// [HTML §2.4.2]: https://html.spec.whatwg.org/multipage/urls-and-fetching.html#resolving-urls
pub fn search(
    encoding: &'static Encoding,
    html: &str,
    page: &Url,
    extract: Extract,
    room: usize,
) -> Found {
    let (mut base, mut hrefs, mut needed) = (None, Vec::new(), Vec::new());
    let (mut ids, mut has_frameset) = (Vec::new(), false);
    read_tags(html.as_bytes(), extract.attributes(), |tag| {
        if extract.fragments {
            ids.extend(ids_of(tag));
        }
        if extract.resources {
            let attribute = |name: &str| tag.get(name).map(str::to_string);
            let is_of_svg = tag.is_of_svg();
            resources_of(tag.name(), is_of_svg, attribute, |url| needed.push(url));
        }
        match tag.name() {
            b"a" if tag.is_of_svg() => {
                hrefs.extend(tag.take("href").or_else(|| tag.take("xlink:href")));
            }
            b"a" | b"area" => hrefs.extend(tag.take("href")),
            b"meta" => hrefs.extend(refresh_of(tag)),
            b"base" if base.is_none() => base = tag.take("href"),
            b"frameset" => has_frameset = true,
            _ => {}
        }
        ControlFlow::Continue(())
    });
    let hrefs = hrefs.iter().map(String::as_str);
    let needed = needed.iter().map(String::as_str);
    let found = resolve(hrefs, needed, base.as_deref(), page, encoding, extract, room);
    let ids = extract.fragments.then(|| Ids::from_numbers(ids));
    Found { ids, has_frameset, ..found }
}

/// Returns where a `meta` element sends the reader.
fn refresh_of(tag: &Tag) -> Option<String> {
    refresh_target(tag.get("http-equiv")?, tag.get("content")?).map(str::to_string)
}

/// Returns the numbers of what fragments may name an element by.
fn ids_of(tag: &Tag) -> impl Iterator<Item = u64> {
    let name = if tag.name() == b"a" { tag.get("name") } else { None };
    let ids = [tag.get("id"), name].into_iter().flatten();
    ids.filter(|id| !id.is_empty()).map(Ids::number)
}

/// Turns attributes into what a page refers to: `hrefs` into links, and `needed` into
/// resources. `base` is the `href` of its `base`. All of it takes at most `room` bytes, and
/// a query is written in `encoding`.
pub fn resolve<'a>(
    hrefs: impl Iterator<Item = &'a str> + Clone,
    needed: impl Iterator<Item = &'a str>,
    base: Option<&str>,
    page: &Url,
    encoding: &'static Encoding,
    extract: Extract,
    room: usize,
) -> Found {
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
    let mut room = Room::new(room);
    let mut seen = HashSet::new();
    let (mut links, mut resources) = (Vec::new(), Vec::new());
    let mut invalid: Vec<Invalid> = Vec::new();
    let links_first =
        hrefs.clone().zip(iter::repeat(true)).chain(needed.zip(iter::repeat(false)));
    for (href, is_link) in links_first {
        let href = without_fragment(href).trim_matches(is_blank);
        if href.len() > MAX_URL {
            invalid.extend(is_ours(href).then(|| too_long(href)));
            continue;
        }
        // Most pages repeat the same few links: each is parsed once.
        if !seen.insert(href) {
            continue;
        }
        let link = match join(base, href) {
            Ok(link) => link,
            Err(error) => {
                invalid.push(Invalid { text: cut(href), error: Some(error) });
                continue;
            }
        };
        if !room.take(size_of(&link)) {
            break;
        }
        if is_too_long(&link) {
            invalid.push(too_long(href));
            continue;
        }
        let found = if is_link { &mut links } else { &mut resources };
        found.extend(normalise(without_slack(link, base)));
    }
    links.sort_unstable();
    links.dedup();
    resources.retain(|url| links.binary_search(url).is_err());
    resources.sort_unstable();
    resources.dedup();
    invalid.sort_by(|a, b| a.text.cmp(&b.text));
    invalid.dedup_by(|a, b| a.text == b.text);
    let fragments = match extract.fragments {
        true => with_fragments(hrefs, |href| join(base, href).ok(), base, &mut room),
        false => Vec::new(),
    };
    let is_cut = room.is_cut();
    Found { links, resources, invalid, fragments, is_cut, ..Found::default() }
}

/// Returns the bytes that a URL takes. One that was joined may have room for twice its text.
fn size_of(url: &Url) -> usize {
    size_of_val(url) + 2 * url.as_str().len()
}

/// Returns the URL without the room that joining has left in it. That is much where it is
/// shorter than its base, as `../1` may be.
fn without_slack(url: Url, base: &Url) -> Url {
    match url.as_str().len() + MOST_SLACK < base.as_str().len() {
        true => url.clone(), // which has room for its text alone
        false => url,
    }
}

/// Returns the links with fragments, and these, without directives. Those that point at
/// the top of a page in any case are left out.
fn with_fragments<'a>(
    hrefs: impl Iterator<Item = &'a str>,
    join: impl Fn(&'a str) -> Option<Url>,
    base: &Url,
    room: &mut Room,
) -> Vec<(Url, String)> {
    let mut seen = HashSet::new();
    let mut fragments = Vec::new();
    for href in hrefs.filter(|href| href.contains('#') && href.len() <= MAX_URL) {
        let Some(url) = seen.insert(href).then(|| join(href)).flatten() else {
            continue;
        };
        let name = without_directive(url.fragment().unwrap_or_default()).to_string();
        if !room.take(size_of(&url) + size_of_val(&name) + name.len()) {
            break;
        }
        let url = normalise(without_slack(url, base)).filter(|_| !name.is_empty());
        fragments.extend(url.zip(Some(name)));
    }
    fragments.sort_unstable();
    fragments.dedup();
    fragments
}

fn without_fragment(href: &str) -> &str {
    href.split_once('#').map_or(href, |(before, _)| before)
}

/// Returns whether a character does not count around a URL (URL Standard §4.4).
fn is_blank(character: char) -> bool {
    character <= ' '
}

/// Returns whether a link would be http or https, or is relative, as far as its text
/// says. Of a long one nothing else is looked at: `data:` has whole images in it.
fn is_ours(href: &str) -> bool {
    let Some((scheme, _)) = href.split_once(':') else { return true };
    let is_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    !scheme.bytes().all(is_scheme)
        || ["http", "https"].iter().any(|spoken| scheme.eq_ignore_ascii_case(spoken))
}

fn too_long(href: &str) -> Invalid {
    Invalid { text: cut(href), error: None }
}

/// Returns the text of a link, with no more of a long one than a person can read.
pub(crate) fn cut(href: &str) -> String {
    match href.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}… ({} bytes)", &href[..end], href.len()),
        None => href.to_string(),
    }
}
