//! A row of the report, as far as it is known when its URL is settled.

use super::UrlId;
use crate::error::FetchError;
use crate::page::Page;
use crate::report::{Outcome, Stat};
use std::time::Duration;

/// A row, before it is known where its URL was found.
#[derive(Debug)]
pub(super) struct Settled {
    pub(super) stat: Stat,
    /// Where the page points, as far as it belongs to the crawl.
    pub(super) links: Box<[UrlId]>,
    /// Where the redirect points, if it is followed.
    pub(super) next: Option<UrlId>,
    /// Did an HTTP server say anything at all?
    pub(super) was_answered: bool,
}

impl Settled {
    pub(super) fn new(stat: Stat, was_answered: bool) -> Settled {
        Settled { stat, links: Box::default(), next: None, was_answered }
    }
}

impl Stat {
    pub(super) fn new(url: &str) -> Stat {
        Stat {
            url: url.to_string(),
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
        }
    }

    pub(super) fn fail(&mut self, error: &FetchError) {
        self.outcome = error.outcome();
        self.error = Some(error.to_string());
    }

    /// Books an answer. `may_follow`: of a redirect, whether its budget allows to
    /// follow it (or it leads away, and is not followed anyway).
    pub(super) fn fill(&mut self, page: &Page, may_follow: bool) {
        self.status = Some(page.status);
        self.content_type = page.content_type.clone();
        self.encoding = page.encoding.clone();
        self.size = page.size;
        self.num_links = page.links.len();
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
            None => (Outcome::HttpError, None),
        };
    }
}
