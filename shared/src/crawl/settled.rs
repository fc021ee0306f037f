//! The result of a URL, as it is known when the URL is settled.

use super::job::LONGEST_PAUSE;
use super::url_id::UrlId;
use crate::error::FetchError;
use crate::page::Page;
use crate::page::fragments::Ids;
use crate::page::url::MAX_URL;
use crate::report::{Outcome, Row};
use std::sync::Arc;
use std::time::Duration;
use url::ParseError;

/// The result of a URL. `close` fills in where the URL was found.
#[derive(Debug)]
pub(super) struct Settled {
    pub(super) row: Row,
    /// The references of the page that belong to the crawl: first links, then
    /// resources.
    pub(super) references: Box<[UrlId]>,
    /// How many of `references` are links.
    pub(super) link_count: usize,
    /// The target of a redirect that is followed.
    pub(super) next: Option<UrlId>,
    /// Whether the page was not searched because no link led to it yet.
    pub(super) is_unread: bool,
    /// Whether at least the beginning of a response arrived.
    pub(super) was_answered: bool,
    /// The coding of a body that was not searched because it is encoded.
    pub(super) coding: Option<Box<str>>,
    /// Whether the page is a set of frames that contains no link.
    pub(super) has_frames: bool,
    /// Whether links of the page were ignored because their URLs would take too much
    /// memory.
    pub(super) is_cut: bool,
    /// The ids of the page, with `--fragments`; `None` if the page was not searched.
    pub(super) ids: Option<Ids>,
    /// Whether this is a redirect whose target has a fragment.
    pub(super) replaces_fragment: bool,
    /// Whether this is a redirect that sets a cookie.
    pub(super) sets_cookie: bool,
}

impl Settled {
    pub(super) fn new(row: Row, was_answered: bool) -> Settled {
        Settled {
            row,
            references: Box::default(),
            link_count: 0,
            next: None,
            is_unread: false,
            was_answered,
            coding: None,
            has_frames: false,
            is_cut: false,
            ids: None,
            replaces_fragment: false,
            sets_cookie: false,
        }
    }
}

impl Row {
    /// Creates a row with the URL and no result.
    pub(super) fn new(url: Arc<str>) -> Row {
        Row {
            url,
            outcome: Outcome::Ok,
            status: None,
            next_url: None,
            error: None,
            content_type: None,
            encoding: None,
            size: None,
            num_links: 0,
            num_new_links: 0,
            links: None,
            attempts: 0,
            elapsed: Duration::ZERO,
            depth: 0,
            found_on: Vec::new(),
            via: Vec::new(),
        }
    }

    /// Creates the row of a link that cannot be parsed because of `error`, or that is
    /// too long (`None`).
    pub(super) fn invalid(text: Arc<str>, error: Option<ParseError>) -> Row {
        let error = match error {
            Some(error) => format!("not a URL: {error}"),
            None => format!("longer than {MAX_URL} bytes"),
        };
        let row = Row::new(text);
        Row { outcome: Outcome::InvalidUrl, error: Some(error), ..row }
    }

    /// Creates the row of a link whose fragment does not exist.
    pub(super) fn missing_fragment(url: String) -> Row {
        let error = Some("the page has no such id".to_string());
        Row { outcome: Outcome::MissingFragment, error, ..Row::new(url.into()) }
    }

    /// Records an error.
    pub(super) fn fail(&mut self, error: &FetchError) {
        self.outcome = error.outcome();
        self.error = Some(error.to_string());
    }

    /// Records a response. `may_follow` is for redirects: `false` if the redirect is
    /// not followed because its budget is used up.
    pub(super) fn fill(&mut self, page: &Page, may_follow: bool) {
        self.status = Some(page.status);
        self.content_type = page.content_type.clone();
        self.encoding = page.encoding.clone();
        self.size = page.size;
        if let Some(Ok(target)) = &page.redirect {
            self.next_url = Some(target.to_string());
        }
        (self.outcome, self.error) = match &page.redirect {
            Some(Ok(_)) if may_follow => (Outcome::Redirect, None),
            Some(Ok(_)) => {
                (Outcome::TooManyRedirects, Some("no redirect left".to_string()))
            }
            Some(Err(why)) => (Outcome::HttpError, Some(why.to_string())),
            None if page.is_success() => (Outcome::Ok, None),
            None => (Outcome::HttpError, asks_too_much(page)),
        };
    }
}

/// Returns an error text if the server asked for a longer pause than the crawl allows.
fn asks_too_much(page: &Page) -> Option<String> {
    let asked =
        page.retry_after.filter(|asked| page.is_busy() && *asked > LONGEST_PAUSE)?;
    const DAY: u64 = 24 * 3600;
    let asked = match asked.as_secs() {
        seconds @ ..DAY => format!("{seconds} s"),
        seconds if seconds < 1000 * DAY => format!("{} days", seconds / DAY),
        _ => "for years".to_string(),
    };
    let longest = LONGEST_PAUSE.as_secs();
    Some(format!("the server asks to wait {asked}; we wait {longest} s at most"))
}
