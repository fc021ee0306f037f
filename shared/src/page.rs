//! Turns a response into a page: its type, its text, its links. All of it is
//! computation on owned data, without waiting.

pub mod charset; // bytes to text
pub mod fragments; // the ids of a page, and whether a fragment points at one
mod html; // start tags, in linear time
pub mod links; // the links of a page
pub mod refresh; // where a page sends the reader by itself
mod resources; // images, scripts, styles
pub mod url; // which URLs can be fetched, and their normal form

use self::charset::decode;
use self::fragments::Ids;
use self::links::{Extract, Invalid, room_for_links, search};
use self::url::MAX_URL;
use crate::error::FetchError;
use crate::http::{Response, first_part};
use data_url::mime::Mime;
use percent_encoding::{AsciiSet, percent_encode};
use std::borrow::Cow;
use std::time::{Duration, SystemTime};

use ::url::Url; // the crate, not the module above

/// The result of an attempt to fetch a URL.
pub type FetchResult = Result<Page, FetchError>;

/// The longest `type/subtype` that is reported, in bytes (RFC 6838 §4.2). Longer ones
/// are ignored.
pub const MAX_CONTENT_TYPE: usize = 127 + 1 + 127;

/// To how many bytes the name of a coding is cut.
const MAX_CODING: usize = 40;

/// The parts of a response that a crawl needs.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The HTTP status.
    pub status: u16,
    /// The `type/subtype` of the body, in lower case; `None` if the response has none,
    /// or if it cannot be parsed or is too long.
    pub content_type: Option<String>,
    /// The charset of the text, in lower case; `None` if the page was not searched for
    /// links.
    pub encoding: Option<String>,
    /// The length of the body in bytes, without the transfer coding; `None` for a
    /// redirect, and if the body was not read.
    pub size: Option<u64>,
    /// The links of the page, sorted, without duplicates.
    pub links: Vec<Url>,
    /// The images, scripts, styles and the like that the page loads, sorted, without
    /// duplicates and without URLs that are also links. Empty if resources are not
    /// extracted.
    pub resources: Vec<Url>,
    /// The links that cannot be parsed or are too long, sorted, without duplicates.
    pub invalid: Vec<Invalid>,
    /// The links that have a fragment, each with its fragment (without directives).
    /// Empty if fragments are not extracted.
    pub fragments: Vec<(Url, String)>,
    /// The ids of the page; `None` if they are not extracted.
    pub ids: Option<Ids>,
    /// The coding of a body that was not searched because it is encoded.
    pub coding: Option<Box<str>>,
    /// Whether the page is a set of frames that contains no link.
    pub has_frames: bool,
    /// Whether links were ignored because their URLs would take too much memory.
    pub is_cut: bool,
    /// The target of a redirect, or the reason why it cannot be followed. `None` for
    /// other responses.
    pub redirect: Option<Result<Url, &'static str>>,
    /// The fragment of the target. It replaces the fragment of a link to the redirect.
    pub location_fragment: Option<String>,
    /// Whether a redirect sets a cookie, which the crawler does not store.
    pub sets_cookie: bool,
    /// How long the server asks to wait before another attempt.
    pub retry_after: Option<Duration>,
}

impl Page {
    /// Makes a page of the response to a request for `url`. A successful HTML or XML
    /// page is searched for links, unless its body is encoded.
    pub fn from_response(url: &Url, response: Response) -> Page {
        Page::parse(url, response, Extract::default())
    }

    /// Like [`from_response`](Page::from_response), but also extracts what `extract`
    /// asks for.
    pub fn parse(url: &Url, response: Response, extract: Extract) -> Page {
        let mime = response.mime();
        let mut page = Page {
            status: response.status,
            content_type: mime.as_ref().and_then(mime_name),
            retry_after: response.header_bytes("retry-after").and_then(retry_after),
            ..Page::default()
        };
        let location = response.header_bytes("location");
        if response.is_redirect() {
            page.sets_cookie = response.header_bytes("set-cookie").is_some();
            let target = redirect_target(url, location);
            page.redirect = Some(target.map(|(target, fragment)| {
                page.location_fragment = fragment;
                target
            }));
        }
        if response.is_redirect() && location.is_some() {
            return page;
        }
        page.coding = response.is_encoded.then(|| coding_of(&response));
        if response.is_head {
            return page;
        }
        page.size = Some(response.body.len() as u64);
        if let Some(mime) = mime.filter(|_| response.is_searched()) {
            let (text, encoding) =
                decode(mime.get_parameter("charset"), &response.body);
            let room = room_for_links(response.body.len());
            let found = search(encoding, &text, url, extract, room);
            page.is_cut = found.is_cut;
            page.has_frames = found.has_frameset && found.links.is_empty();
            (page.links, page.resources) = (found.links, found.resources);
            page.invalid = found.invalid;
            (page.fragments, page.ids) = (found.fragments, found.ids);
            page.encoding = Some(encoding.name().to_ascii_lowercase());
        }
        page
    }

    /// Returns how many bytes the links of this response's page may take. Zero if the
    /// page is not searched.
    pub fn most_bytes(response: &Response) -> usize {
        match response.is_searched() && !response.is_head {
            true => room_for_links(response.body.len()),
            false => 0,
        }
    }

    /// Returns this page as if it had not been searched.
    pub(crate) fn without_content(self) -> Page {
        let Page { status, content_type, size, redirect, retry_after, .. } = self;
        let rest = Page::default();
        Page { status, content_type, size, redirect, retry_after, ..rest }
    }

    /// Returns whether the status is 2xx.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Returns whether the status is 429 or 503. With these a server asks the client
    /// to try again later.
    pub fn is_busy(&self) -> bool {
        matches!(self.status, 429 | 503)
    }
}

/// Returns the name of a body's coding, shortened and in printable ASCII.
fn coding_of(response: &Response) -> Box<str> {
    let fields = ["content-encoding", "transfer-encoding"];
    let values = fields.iter().filter_map(|field| response.header_bytes(field));
    let names = values.flat_map(|value| first_part(value).into_owned().into_bytes());
    let is_plain = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    let name: Vec<u8> = names.filter(is_plain).take(MAX_CODING).collect();
    String::from_utf8_lossy(&name).into()
}

/// Returns `type/subtype`, unless it is too long.
fn mime_name(mime: &Mime) -> Option<String> {
    let name = format!("{}/{}", mime.type_, mime.subtype);
    (name.len() <= MAX_CONTENT_TYPE).then_some(name)
}

/// Resolves `Location` against the URL of the request (RFC 9110 §10.2.2). Returns the
/// target without its fragment, and the fragment.
///
/// # Errors
/// The reason why the redirect cannot be followed, for the report.
fn redirect_target(
    url: &Url,
    location: Option<&[u8]>,
) -> Result<(Url, Option<String>), &'static str> {
    let location = location.ok_or("redirect without a Location")?.trim_ascii();
    if location.is_empty() {
        return Err("redirect with an empty Location");
    }
    const UNUSABLE: &str = "Location is not a usable http or https URL";
    if location.len() > MAX_URL {
        return Err(UNUSABLE);
    }
    let target = url.join(&as_text(location)).map_err(|_| "Location is not a URL")?;
    let fragment = target.fragment().map(str::to_string);
    Ok((url::normalise(target).ok_or(UNUSABLE)?, fragment))
}

/// Returns a `Location` as text. If it is not UTF-8, its bytes above ASCII are
/// percent-encoded, as browsers do, because only the server knows their charset.
fn as_text(location: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(location) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => percent_encode(location, &AsciiSet::EMPTY).into(),
    }
}

/// Parses `Retry-After`: seconds, or a date (RFC 9110 §10.2.3).
fn retry_after(value: &[u8]) -> Option<Duration> {
    let text = first_part(value);
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(SystemTime::now()).unwrap_or_default())
}
