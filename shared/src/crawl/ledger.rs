//! The ledger of a crawl: all known URLs, their results, and the jobs that follow. The
//! ledger decides, and the stage waits.
//!
//! # Rules
//!
//! These rules decide whether and how often a URL is requested.
//!
//! 1. **Scope.** Only URLs on the sites of the roots are requested. See [`Scope`].
//!    With `--external`, foreign URLs that pages link or redirect to are also
//!    requested, but only their heads.
//! 2. **Once.** A URL is marked as seen when it is queued, not when it is fetched. So
//!    two pages that link to it at the same time queue it once.
//! 3. **Attempts.** If the server is busy, or if an attempt fails and a retry may
//!    succeed, the same job is attempted again after a pause. `--max-tries` limits the
//!    attempts. Some do not count, because too many were in flight: see `limit.rs`.
//!    The first attempt at a foreign URL is a HEAD request. If the server answers with
//!    anything but a success or a redirect, this attempt does not count, and a GET
//!    request follows: servers refuse HEAD in many ways.
//! 4. **Redirects.** Each URL has a budget of redirects. A link gives its target the
//!    whole budget, `--max-redirect`. A redirect gives its target one less. If a
//!    redirect is not followed because its budget is used up, it is requested again
//!    when it is found with a larger budget.
//! 5. **Levels.** If limits may cut a crawl short, a level begins only when the
//!    previous one is settled: see `levels.rs`. So what is cut off does not depend on
//!    the order of the responses.
//! 6. **Pages.** Only targets of links are searched for links. Resources of pages
//!    (`--resources`) are requested without being searched. If a link to such a URL is
//!    found later, and it is a page, it is requested again and searched.
//! 7. **The end.** The crawl is over when no job is open: none is queued, pausing, in
//!    flight or being settled.

use super::excluded::Excluded;
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

/// When the known URLs take a sixteenth of [`MAX_KNOWN`](crate::options::MAX_KNOWN),
/// the crawl goes on level by level. In a crawl of that size, waiting for the end of a
/// level costs little. If such a crawl is cut, it is cut between two levels.
const LARGE_DIVISOR: usize = 16;

/// The ledger of a crawl.
#[derive(Debug)]
pub struct Ledger {
    pub(super) options: Arc<Options>,
    pub(super) program: Program,
    pub(super) scope: Scope,
    /// What `--exclude` keeps out: URLs in the scope, and links that cannot be parsed.
    pub(super) excluded: Excluded,
    pub(super) urls: Urls,
    pub(super) deferred: Deferred,
    /// Whether a level begins only when the previous one is settled. Set from the
    /// start if limits may cut the crawl short, otherwise when the known URLs take a
    /// large part of their limit. Never cleared.
    pub(super) goes_by_levels: bool,
    /// Set when a URL does not fit into the limit. Then no further level begins.
    pub(super) is_full: bool,
    /// How many URLs were queued, each counted once.
    pub(super) queued: u64,
    /// How many jobs are queued, pausing, in flight or being settled. The start of a
    /// level counts as one.
    pub(super) open: usize,
    /// How many attempts have begun and are not settled.
    pub(super) in_flight: usize,
    /// The largest value of `in_flight` so far.
    pub(super) peak: usize,
    /// How many attempts may be in flight now.
    pub(super) limit: ConcurrencyLimit,
    /// What is known of the servers of all known URLs.
    pub(super) servers: Servers,
    /// Jobs whose attempts found no free local port, or no local address of the server's
    /// address family. They are queued again when another attempt ends.
    pub(super) waiting_for_port: Vec<Job>,
    /// The links that cannot be parsed.
    pub(super) unparsable: Unparsable,
    /// The links to other sites, with `--links`.
    pub(super) foreign_links: ForeignLinks,
    /// The fragments of links, with `--fragments`.
    pub(super) fragments: Fragments,
    /// Set when a foreign URL is left out because this program does not speak its
    /// scheme.
    pub(super) has_left_out_https: bool,
    pub(super) roots: Vec<UrlId>,
    /// When the ledger was opened.
    pub(super) started: Instant,
    /// Shows the progress of the crawl on standard error.
    pub(super) progress: Progress,
}

/// The reason why a crawl ended.
#[derive(Debug)]
pub enum CrawlEnd {
    /// No job is open.
    Done,
    /// The crawl was stopped from outside.
    Interrupted,
    /// The time of the crawl was over.
    OutOfTime,
    /// Jobs are open, but nothing can happen any more. The text says what each task
    /// waits for.
    Stuck(String),
}

impl Ledger {
    /// Creates a ledger without URLs.
    pub(super) fn new(options: &Options, program: &Program) -> Ledger {
        Ledger {
            options: Arc::new(options.clone()),
            program: program.clone(),
            scope: Scope::new(options, program),
            excluded: Excluded::default(),
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

    /// Returns how many attempts may be in flight now. The number shrinks while this
    /// machine is out of sockets, or a server refuses some of its connections.
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
        job.pause = Duration::ZERO; // the pause is over
        job.has_permit = false;
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

    /// Returns whether no job is open: the crawl is over.
    pub fn is_done(&self) -> bool {
        self.open == 0
    }

    /// Returns how the crawl ended, when its loop has returned. `waits` describes what
    /// each task waits for. It is called only if the crawl is stuck.
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

    /// Returns whether to request a URL.
    pub(super) fn admits(&mut self, url: &Url) -> bool {
        let name = url.as_str();
        if !self.scope.covers(url) {
            let is_unspoken = self.options.external && !self.scope.speaks(url);
            self.has_left_out_https |= is_unspoken && !self.scope.is_excluded(name);
            return false;
        }
        let is_excluded = self.scope.is_excluded(name);
        // A root is requested, whatever is excluded.
        if is_excluded && self.urls.find(name).is_none() {
            self.excluded.add(name);
        }
        !is_excluded
    }

    /// Updates `is_full` and `goes_by_levels`, which depend on the size of the known
    /// URLs.
    pub(super) fn note_size(&mut self) {
        self.is_full |= self.known_bytes() > self.options.max_known;
        self.goes_by_levels |=
            self.known_bytes() > self.options.max_known / LARGE_DIVISOR;
    }

    /// Returns the number of a known URL, and makes the URL known if it belongs to the
    /// crawl. Returns `None` if it does not belong to the crawl or does not fit.
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

    /// Returns how many bytes the known URLs and their servers take, with the hashes of
    /// excluded URLs.
    fn known_bytes(&self) -> usize {
        self.urls.bytes() + self.servers.bytes() + self.excluded.bytes()
    }

    /// Adds a new URL. `text` is the text of `url` without its fragment.
    pub(super) fn add(&mut self, text: &str, url: &Url) -> UrlId {
        self.urls.insert(self.urls.hashed(text), self.servers.intern(url))
    }

    pub(super) fn tell_progress(&self) {
        self.progress.tell(self.queued, self.open as u64, self.in_flight);
    }
}
