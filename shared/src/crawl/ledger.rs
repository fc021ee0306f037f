//! The ledger of a crawl: which URLs are known, what became of each, and which jobs
//! follow. The ledger decides, the stage waits.
//!
//! # Rules
//!
//! These decide whether, and how often, a URL is requested.
//!
//! 1. **Scope.** Only the roots, and URLs on their sites, are requested. See
//!    [`Scope`]. With `--external` the head of each foreign URL is requested, too: of
//!    those that pages link to, and of those that redirects lead to.
//! 2. **Once.** A URL is marked as seen when it is queued, not when it is fetched. So
//!    two pages that link to it at the same time queue it once.
//! 3. **Attempts.** If an attempt failed in a way in which another one may not, or the
//!    server is busy, the same job follows again, with a pause. `--max-tries` limits
//!    this. Attempts that failed because there were too many at once do not all count:
//!    see `limit.rs`.
//!    The first attempt at a foreign URL is a HEAD request, all others are GET. A HEAD
//!    request that was sent, and gives anything but a success or a redirect, does not
//!    count: servers refuse it in many ways, so a GET request decides.
//! 4. **Redirects.** A URL has a budget of redirects, and the target of a redirect has
//!    one fewer. A link gives its target the whole budget, `--max-redirect`. A redirect
//!    that was not followed because its budget was used up is queued again when it is
//!    found with a larger budget.
//! 5. **Levels.** With limits that cut a crawl short, a level begins only when the
//!    level before it is settled: see `levels.rs`. What is cut off does not depend on
//!    which response came first.
//! 6. **Pages.** Only what a link leads to is searched for links. What pages need
//!    (`--resources`) is requested; a page among that is requested again, and searched,
//!    when a link to it is found.
//! 7. **The end.** The crawl is over when nothing is queued, pausing, in flight or half
//!    settled.

use super::foreign_links::ForeignLinks;
use super::fragments::Fragments;
use super::job::Job;
use super::limit::ConcurrencyLimit;
use super::scope::Scope;
use super::servers::Servers;
use super::unparsable::{UNPARSABLE_DIVISOR, Unparsable};
use super::url_id::UrlId;
use super::urls::{Deferred, Urls};
use crate::http::Needs;
use crate::options::{Options, Program};
use crate::report::progress::Progress;
use crate::stop::Stop;
use std::sync::Arc;
use std::time::{Duration, Instant};
use url::Url;

/// When the known URLs take this part of [`MAX_KNOWN`](crate::options::MAX_KNOWN), a
/// sixteenth, the crawl goes on level by level. A crawl that large loses little by
/// waiting for the end of a level, and if it is cut, it is cut between two levels.
const LARGE_DIVISOR: usize = 16;

/// The ledger of one crawl.
#[derive(Debug)]
pub struct Ledger {
    pub(super) options: Arc<Options>,
    pub(super) program: Program,
    pub(super) scope: Scope,
    pub(super) urls: Urls,
    pub(super) deferred: Deferred,
    /// Whether a level begins only when the one before it is settled: with limits that
    /// cut a crawl short, and from when the known URLs take a good part of their limit.
    pub(super) goes_by_levels: bool,
    /// Whether a URL was met that did not fit into the limit. No further level begins.
    pub(super) is_full: bool,
    /// URLs that were queued, each counted once.
    pub(super) queued: u64,
    /// Jobs that are queued, pausing, in flight or half settled; and the start of a level.
    pub(super) open: usize,
    /// Attempts that were begun and not settled.
    pub(super) in_flight: usize,
    /// The largest value that `in_flight` has had.
    pub(super) peak: usize,
    /// How many attempts may be in flight now.
    pub(super) limit: ConcurrencyLimit,
    /// What is known of the server of each known URL.
    pub(super) servers: Servers,
    /// Jobs for which this machine may have no address. They are queued again when
    /// another attempt has ended.
    pub(super) waiting_for_port: Vec<Job>,
    /// Links that cannot be parsed.
    pub(super) unparsable: Unparsable,
    /// The links that do not belong to the crawl, with `--links`.
    pub(super) foreign_links: ForeignLinks,
    /// The fragments of links, with `--fragments`.
    pub(super) fragments: Fragments,
    /// Whether a foreign URL was left out because its scheme is not spoken.
    pub(super) has_left_out_https: bool,
    pub(super) roots: Vec<UrlId>,
    /// When the ledger was opened.
    pub(super) started: Instant,
    /// Shows a person how far the crawl is.
    pub(super) progress: Progress,
}

/// How a crawl ended.
#[derive(Debug)]
pub enum CrawlEnd {
    /// Nothing is queued, pausing or in flight.
    Done,
    /// It was stopped from outside.
    Interrupted,
    /// The time of the whole crawl was over.
    OutOfTime,
    /// Jobs remain and nothing can happen any more: what waits for what.
    Stuck(String),
}

impl Ledger {
    /// Creates a ledger in which no URL is known.
    pub(super) fn new(options: &Options, program: &Program) -> Ledger {
        Ledger {
            options: Arc::new(options.clone()),
            program: program.clone(),
            scope: Scope::new(options, program),
            urls: Urls::default(),
            deferred: Deferred::new(),
            goes_by_levels: options.goes_by_levels(),
            is_full: false,
            queued: 0,
            open: 0,
            in_flight: 0,
            peak: 0,
            limit: ConcurrencyLimit::new(options.max_tasks as usize),
            servers: Servers::default(),
            waiting_for_port: Vec::new(),
            unparsable: Unparsable::new(options.max_known / UNPARSABLE_DIVISOR),
            foreign_links: ForeignLinks::new(options.max_known),
            fragments: Fragments::new(options.max_fragments),
            has_left_out_https: false,
            roots: Vec::new(),
            started: Instant::now(),
            progress: Progress::new(options),
        }
    }

    /// Returns the options of the crawl.
    pub(super) fn options(&self) -> &Arc<Options> {
        &self.options
    }

    /// Returns when the time of the whole crawl is over; `None` without `--max-time`.
    pub fn deadline(&self) -> Option<Instant> {
        self.started.checked_add(self.options.max_time?)
    }

    /// Returns whether the time of the whole crawl is over.
    pub fn is_out_of_time(&self) -> bool {
        self.deadline().is_some_and(|deadline| deadline <= Instant::now())
    }

    /// Returns how many attempts may be in flight now: fewer while this machine is out
    /// of sockets, or a server refuses some of the connections.
    pub fn limit(&self) -> usize {
        self.limit.current()
    }

    /// Returns how many attempts are in flight.
    pub fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Returns whether another attempt may begin.
    pub fn has_room(&self) -> bool {
        self.in_flight < self.limit()
    }

    /// Records that an attempt begins, and returns the URL that it requests.
    pub fn begin(&mut self, job: &mut Job) -> Url {
        job.attempts += 1;
        job.began = Instant::now();
        job.pause = Duration::ZERO; // it is over, should the job be queued again
        job.has_turn = false;
        job.peak_before = self.peak;
        self.in_flight += 1;
        let server = &mut self.servers[job.server];
        server.in_flight += 1;
        job.is_crowded = server.is_crowded();
        self.tell_progress();
        let url = Url::parse(&job.url).expect("it is the text of a URL");
        job.needs = match self.options.external && !self.scope.is_on_site(&url) {
            true if job.attempts == 1 => Needs::Head,
            true => Needs::HeadOfGet,
            false => Needs::Whole { max_body: self.options.max_body },
        };
        url
    }

    /// Returns whether nothing is queued, pausing or in flight: the crawl is over.
    pub fn is_done(&self) -> bool {
        self.open == 0
    }

    /// Returns how the crawl has ended, after its loop has. Only if it is stuck `waits`
    /// is called, which describes what each task waits for.
    pub fn end(&self, stop: &Stop, waits: impl FnOnce() -> String) -> CrawlEnd {
        if self.is_done() {
            CrawlEnd::Done
        } else if stop.is_requested() {
            CrawlEnd::Interrupted
        } else if self.is_out_of_time() {
            CrawlEnd::OutOfTime
        } else {
            CrawlEnd::Stuck(waits())
        }
    }

    /// Returns whether a URL is to be requested.
    pub(super) fn admits(&mut self, url: &Url) -> bool {
        self.has_left_out_https |= self.options.external
            && !self.scope.speaks(url)
            && !self.scope.is_excluded(url.as_str());
        self.scope.admits(url)
    }

    /// Updates what depends on the bytes that the known URLs take: whether the ledger is
    /// full, and whether the crawl goes on by levels.
    pub(super) fn note_size(&mut self) {
        self.is_full |= self.known_bytes() > self.options.max_known;
        self.goes_by_levels |=
            self.known_bytes() > self.options.max_known / LARGE_DIVISOR;
    }

    /// Returns the number of a URL that is known, or belongs to the crawl and fits.
    pub(super) fn intern(&mut self, url: &Url) -> Option<UrlId> {
        let name = self.urls.hashed(url.as_str());
        if let Some(known) = self.urls.find_name(name) {
            return Some(known);
        }
        if !self.admits(url) {
            return None;
        }
        let bytes = self.known_bytes() + Urls::size_of(url.as_str());
        if bytes > self.options.max_known {
            self.is_full = true;
            return None;
        }
        Some(self.urls.insert(name, self.servers.intern(url)))
    }

    /// Returns how many bytes the known URLs take, with their servers.
    fn known_bytes(&self) -> usize {
        self.urls.bytes() + self.servers.bytes()
    }

    /// Adds a URL that is not known: `text` is that of `url`, without its fragment.
    pub(super) fn add(&mut self, text: &str, url: &Url) -> UrlId {
        self.urls.insert(self.urls.hashed(text), self.servers.intern(url))
    }

    pub(super) fn tell_progress(&self) {
        self.progress.tell(self.queued, self.open as u64, self.in_flight);
    }
}
