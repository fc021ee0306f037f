//! Finds the links of a page in a stream of tags.
//!
//! [`links`] reads each tag once (`tags.rs`), so its time is linear in the length of
//! the page. `links_by_tree`, in `shared/tree`, finds the same links in a tree. Tests
//! there compare the two.

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

/// The most memory that the URLs of one page may take, in bytes.
pub const MAX_LINKS: usize = 128 << 20;
/// How much memory each byte of a page adds for its URLs, in bytes. A page that
/// consists of short links needs about 12.
pub const LINKS_PER_BYTE: usize = 64;
/// How much memory the URLs of even an empty page may take: room for a few links of
/// the maximal length.
pub const FEW_LINKS: usize = 8 * MAX_URL;

/// Returns how much memory the URLs of a page of this length may take, in bytes. Links
/// that exceed it are ignored.
///
/// Without this limit a base of 16 KiB turns each link of 10 bytes into a URL of 16
/// KiB: 66 kB of HTML become 66 MB, and 10 MiB become 16 GiB.
pub fn room_for_links(page: usize) -> usize {
    MAX_LINKS.min(page.saturating_mul(LINKS_PER_BYTE).saturating_add(FEW_LINKS))
}

/// The most unused capacity that a stored URL may keep, in bytes.
const MAX_SLACK: usize = 32;

/// To how many characters a link is cut in error messages and warnings.
const MAX_SHOWN: usize = 200;

/// What else to extract from a page, besides its links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extract {
    /// The fragments of links, and the ids in the page.
    pub fragments: bool,
    /// The URLs of images, scripts, styles and the like.
    pub resources: bool,
}

impl Extract {
    /// Returns the names of the attributes that have to be read.
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

/// The references of a page: its links and resources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct References {
    /// The links: absolute, sorted, without duplicates.
    pub links: Vec<Url>,
    /// The URLs of images, scripts and the like, sorted, without duplicates and
    /// without URLs that are also links. Empty if resources are not extracted.
    pub resources: Vec<Url>,
    /// The links that cannot be parsed or are too long, sorted, without duplicates.
    pub invalid: Vec<Invalid>,
    /// The links that have a fragment, each with its fragment (without directives),
    /// sorted, without duplicates. Empty if fragments are not extracted.
    pub fragments: Vec<(Url, String)>,
    /// The ids of the page; `None` if they are not extracted.
    pub ids: Option<Ids>,
    /// Whether the page contains a `frameset`.
    pub has_frameset: bool,
    /// Whether links were ignored because their URLs would take too much memory.
    pub is_cut: bool,
}

/// A link that cannot be requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The link as written, without its fragment and surrounding blanks. A long one is
    /// cut.
    pub text: String,
    /// Why the link cannot be parsed; `None` if it is too long.
    pub error: Option<ParseError>,
}

/// Returns the links of a page: absolute, sorted, without duplicates.
///
/// A link is the `href` of an `a` or `area` ([HTML §4.6]), the `xlink:href` of an `a`
/// in an `svg`, or the target of a refreshing `meta`. It is resolved against the first
/// `base` with an http or https `href` ([§2.4.3]), or else against `page`, the URL of
/// the page. Only http and https links are returned, without fragment, user and
/// password. An `href` that is too long or not a URL is left out; [`search`] returns
/// it separately.
///
/// As in a browser without scripts, the content of `noscript` is part of the page.
/// Links in a `template` count, too.
///
/// The search takes linear time and bounded memory. A reader that sees one tag after
/// the other knows less than a parser that builds a tree. So on some broken pages the
/// results differ; `shared/tree/tests/links.rs` shows each case:
///
/// - After a `frameset`, and after a `col` in a `template`, the tree has no more
///   links.
/// - If the end tag of an outer element ends an `svg` or `math` (`<b><svg></b>`), the
///   two may disagree about CDATA, about `xlink:href`, and about whether the content
///   of a `script`, `style`, `title` or the like is text or tags.
/// - An `annotation-xml` in a `math` may contain HTML, as the standard says. The tree
///   ignores this rule.
///
/// [HTML §4.6]: https://html.spec.whatwg.org/multipage/links.html
/// [§2.4.3]: https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url
pub fn links(html: &str, page: &Url) -> Vec<Url> {
    let room = room_for_links(html.len());
    search(UTF_8, html, page, Extract::default(), room).links
}

/// Returns the references of a page. Its links are those of [`links`], and `extract`
/// adds more. The queries of links are encoded with `encoding`, that of the page, as
/// its server expects ([HTML §2.4.2]); the rest of a URL is UTF-8. All URLs together
/// take at most `room` bytes: see [`room_for_links`].
///
/// [HTML §2.4.2]: https://html.spec.whatwg.org/multipage/urls-and-fetching.html#resolving-urls
pub fn search(
    encoding: &'static Encoding,
    html: &str,
    page: &Url,
    extract: Extract,
    room: usize,
) -> References {
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
    let ids = extract.fragments.then(|| Ids::from_hashes(ids));
    References { ids, has_frameset, ..found }
}

/// Returns the target of a `meta` element that refreshes the page.
fn refresh_of(tag: &Tag) -> Option<String> {
    refresh_target(tag.get("http-equiv")?, tag.get("content")?).map(str::to_string)
}

/// Returns the hashes of the ids that a tag defines. The content of a `template` is not
/// part of the document, so a fragment cannot point there.
fn ids_of(tag: &Tag) -> impl Iterator<Item = u64> {
    let name = if tag.name() == b"a" { tag.get("name") } else { None };
    let ids = [tag.get("id"), name].into_iter().flatten();
    ids.filter(|id| !id.is_empty() && !tag.is_in_template()).map(Ids::hash)
}

/// Resolves attributes against the page: `hrefs` become links, and `needed` become
/// resources. `base` is the `href` of the page's `base` element. All URLs together
/// take at most `room` bytes. Queries are encoded with `encoding`.
pub fn resolve<'a>(
    hrefs: impl Iterator<Item = &'a str> + Clone,
    needed: impl Iterator<Item = &'a str>,
    base: Option<&str>,
    page: &Url,
    encoding: &'static Encoding,
    extract: Extract,
    room: usize,
) -> References {
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
            invalid.extend(may_be_http(href).then(|| too_long(href)));
            continue;
        }
        // Most pages repeat the same few links, so each text is parsed only once.
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
    References { links, resources, invalid, fragments, is_cut, ..References::default() }
}

/// Returns how many bytes of memory a URL takes, unused capacity included.
fn size_of(url: &Url) -> usize {
    size_of_val(url) + 2 * url.as_str().len()
}

/// Returns the URL without unused capacity. `Url::join` leaves much of it when the
/// result is shorter than the base, as with `../1`.
fn without_slack(url: Url, base: &Url) -> Url {
    match url.as_str().len() + MAX_SLACK < base.as_str().len() {
        true => url.clone(), // a clone has no unused capacity
        false => url,
    }
}

/// Returns the links that have a fragment, each with its fragment, without directives.
/// Fragments that point at the top of every page are left out.
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

/// Returns whether a URL may be surrounded by this character, which is then ignored
/// (URL Standard §4.4).
fn is_blank(character: char) -> bool {
    character <= ' '
}

/// Returns whether a link looks like http, https or a relative link. Only its
/// beginning is examined, because a `data:` link may contain a whole image.
fn may_be_http(href: &str) -> bool {
    let Some((scheme, _)) = href.split_once(':') else { return true };
    let is_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    !scheme.bytes().all(is_scheme)
        || ["http", "https"].iter().any(|spoken| scheme.eq_ignore_ascii_case(spoken))
}

fn too_long(href: &str) -> Invalid {
    Invalid { text: cut(href), error: None }
}

/// Returns the text of a link for people to read. A long one is cut.
pub(crate) fn cut(href: &str) -> String {
    match href.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}… ({} bytes)", &href[..end], href.len()),
        None => href.to_string(),
    }
}
