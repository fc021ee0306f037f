//! The row of a URL, as far as it is known when the URL is settled.

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

/// The result of a URL. Where it was found is filled in when the ledger is closed.
#[derive(Debug)]
pub(super) struct Settled {
    pub(super) row: Row,
    /// The links of the page that belong to the crawl, and then what it needs besides.
    pub(super) references: Box<[UrlId]>,
    /// How many of these are links.
    pub(super) link_count: usize,
    /// The target of the redirect, if it is followed.
    pub(super) next: Option<UrlId>,
    /// Whether it is a page that was not searched, since no link led to it.
    pub(super) is_unread: bool,
    /// Whether an HTTP server sent at least the beginning of a response.
    pub(super) was_answered: bool,
    /// The coding of a body that was not read because it is still encoded.
    pub(super) coding: Option<Box<str>>,
    /// Whether the page is a set of frames, without a link of its own.
    pub(super) has_frames: bool,
    /// Whether links of the page were ignored because they had no room.
    pub(super) is_cut: bool,
    /// The ids of the page, with `--fragments`; `None` if it was not searched.
    pub(super) ids: Option<Ids>,
    /// Whether it is a redirect to a URL with a fragment of its own.
    pub(super) replaces_fragment: bool,
    /// Whether it is a redirect that sets a cookie.
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
    /// Creates a row in which nothing but the URL is known.
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

    /// Creates the row of a link that cannot be parsed for this reason, or else is too
    /// long.
    pub(super) fn invalid(text: Arc<str>, error: Option<ParseError>) -> Row {
        let error = match error {
            Some(error) => format!("not a URL: {error}"),
            None => format!("longer than {MAX_URL} bytes"),
        };
        let row = Row::new(text);
        Row { outcome: Outcome::InvalidUrl, error: Some(error), ..row }
    }

    /// Creates the row of a link whose fragment points nowhere.
    pub(super) fn missing_fragment(url: String) -> Row {
        let error = Some("the page has no such id".to_string());
        Row { outcome: Outcome::MissingFragment, error, ..Row::new(url.into()) }
    }

    /// Fills in an error.
    pub(super) fn fail(&mut self, error: &FetchError) {
        self.outcome = error.outcome();
        self.error = Some(error.to_string());
    }

    /// Fills in a response. `may_follow` is for redirects: false if only the budget
    /// prevents that it is followed.
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

/// Why a URL was given up at once, if the server asked for a longer pause than any.
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
