//! What a crawler wants to know of an answer: pure computation on owned data.

use crate::address;
use crate::charset::decode;
use crate::error::FetchError;
use crate::http::Response;
use crate::links::links_in;
use data_url::mime::Mime;
use std::time::{Duration, SystemTime};
use url::Url;

/// What one try at a URL ends with.
pub type Answer = Result<Page, FetchError>;

/// Bytes of the longest `type/subtype` that there is (RFC 6838 §4.2); a longer one is
/// not kept.
pub const MAX_CONTENT_TYPE: usize = 127 + 1 + 127;

/// An answer, digested.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The HTTP status.
    pub status: u16,
    /// `type/subtype` of the body, in lower case; `None` if the server did not
    /// say, or nothing that can be understood.
    pub content_type: Option<String>,
    /// The charset that a searched page was read with, in lower case.
    pub encoding: Option<String>,
    /// Bytes of the body without the transfer coding; `None` for a redirect.
    pub size: Option<u64>,
    /// Where the page points, each URL once, sorted.
    pub links: Vec<Url>,
    /// Where a redirect points, or why it cannot be followed; `None` for other answers.
    pub redirect: Option<Result<Url, &'static str>>,
    /// How long the server asks us to wait before another try.
    pub retry_after: Option<Duration>,
}

impl Page {
    /// 2xx?
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// 429 or 503: the server asks us to come again later.
    pub fn is_busy(&self) -> bool {
        matches!(self.status, 429 | 503)
    }
}

/// Reads an answer that `url` gave: what it is, and where it points.
pub fn digest(url: &Url, response: Response) -> Page {
    let mime: Option<Mime> =
        response.header("content-type").and_then(|text| text.parse().ok());
    let mut page = Page {
        status: response.status,
        content_type: mime.as_ref().and_then(name),
        retry_after: response.header("retry-after").and_then(|text| wait(&text)),
        ..Page::default()
    };
    let location = response.header("location");
    if response.is_redirect() {
        page.redirect = Some(target(url, location.as_deref()));
    }
    if response.is_redirect() && location.is_some() {
        return page;
    }
    page.size = Some(response.body.len() as u64);
    if let Some(mime) = mime.filter(is_searched)
        && page.is_success()
        && !response.coded
    {
        let (text, encoding) = decode(mime.get_parameter("charset"), &response.body);
        page.links = links_in(encoding, &text, url);
        page.encoding = Some(encoding.name().to_ascii_lowercase());
    }
    page
}

fn name(mime: &Mime) -> Option<String> {
    let name = format!("{}/{}", mime.type_, mime.subtype);
    (name.len() <= MAX_CONTENT_TYPE).then_some(name)
}

fn is_searched(mime: &Mime) -> bool {
    matches!(
        (mime.type_.as_str(), mime.subtype.as_str()),
        ("text", "html") | ("application", "xhtml+xml" | "xml")
    )
}

/// `Location`, resolved against the URL that was asked (RFC 9110 §10.2.2).
fn target(url: &Url, location: Option<&str>) -> Result<Url, &'static str> {
    let location = location.map(str::trim).filter(|text| !text.is_empty());
    let location = location.ok_or("redirect without a Location")?;
    let target = url.join(location).map_err(|_| "Location is not a URL")?;
    address::normalise(target).ok_or("Location is not a usable http or https URL")
}

/// `Retry-After`: seconds, or a date (RFC 9110 §10.2.3).
fn wait(text: &str) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(SystemTime::now()).unwrap_or_default())
}
