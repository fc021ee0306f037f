//! The ledger of a crawl: which URLs are known, what became of each, and which jobs
//! follow. The ledger decides, the stage waits.
//!
//! # Rules
//!
//! These decide whether, and how often, a URL is requested.
//!
//! 1. **Scope.** Only the roots, and URLs on their sites, are requested. See
//!    [`Scope`]. With `--external` the head of each foreign URL is requested, too; what
//!    that leads to is not followed.
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
//! 7. **The end.** The crawl is over when nothing is queued, pausing or in flight.

use super::fragments::Fragments;
use super::job::Job;
use super::levels::{Deferred, Reach};
use super::limit::{ConcurrencyLimit, Server, Verdict};
use super::scope::Scope;
use super::settled::Settled;
use super::unparsable::{UNPARSABLE_PART, Unparsable};
use super::urls::{State, UrlId, Urls};
use crate::error::FetchError;
use crate::http::Needs;
use crate::options::{Options, Program};
use crate::page::{FetchResult, Page};
use crate::report::Row;
use crate::report::progress::Progress;
use std::collections::{BTreeMap, HashMap};
use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};
use url::{Position, Url};

/// When the known URLs take this part of [`MAX_KNOWN`](super::urls::MAX_KNOWN), a
/// sixteenth, the crawl goes on level by level. It is so large by then that waiting for a
/// level's end costs little; and it will be cut, if at all, where all its levels end.
const LARGE_PART: usize = 16;

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
    /// Jobs that are queued, pausing or in flight.
    pub(super) open: usize,
    /// Attempts that were begun and not settled.
    pub(super) in_flight: usize,
    /// The largest value that `in_flight` has had.
    pub(super) peak: usize,
    /// How many attempts may be in flight now.
    pub(super) limit: ConcurrencyLimit,
    /// What is known of each server, by host and port. Set when its first attempt
    /// begins.
    pub(super) servers: HashMap<String, Server>,
    /// Jobs for which this machine may have no address. They are queued again when
    /// another attempt has ended.
    pub(super) waiting_for_port: Vec<Job>,
    /// What was interned of pages that are not settled yet. Empty again when they are.
    interned: BTreeMap<UrlId, Interned>,
    /// Links that cannot be parsed.
    pub(super) unparsable: Unparsable,
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

/// What was interned of a page: of its links, and then of what it needs besides.
#[derive(Debug, Default)]
struct Interned {
    /// How many of these URLs were looked at.
    count: usize,
    /// Those of them that belong to the crawl.
    ours: Vec<UrlId>,
    /// How many of these are links.
    link_count: usize,
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
    /// Opens the ledger with the roots, and returns the jobs to begin with.
    pub fn open(options: &Options, program: &Program) -> (Ledger, Vec<Job>) {
        let mut ledger = Ledger {
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
            servers: HashMap::new(),
            waiting_for_port: Vec::new(),
            interned: BTreeMap::new(),
            unparsable: Unparsable::new(options.max_known / UNPARSABLE_PART),
            fragments: Fragments::new(options.max_fragments),
            has_left_out_https: false,
            roots: Vec::new(),
            started: Instant::now(),
            progress: Progress::new(options),
        };
        let mut jobs = Vec::new();
        for root in &options.roots {
            let name = &root[..Position::AfterQuery];
            let known = ledger.urls.find(name);
            let id = known.unwrap_or_else(|| ledger.urls.intern(name));
            ledger.add_fragment(id, root.fragment().unwrap_or_default(), None);
            if known.is_some() {
                continue;
            }
            ledger.roots.push(id);
            ledger.note_size();
            if ledger.scope.speaks(root) {
                let reach = Reach { budget: options.max_redirect, is_page: true };
                ledger.discover(id, reach, 0, &mut jobs);
            } else {
                ledger.refuse(id);
            }
        }
        jobs.extend(ledger.start_level());
        (ledger, jobs)
    }

    /// Returns the options of the crawl.
    pub fn options(&self) -> &Arc<Options> {
        &self.options
    }

    /// Returns when the time of the whole crawl is over; `None` without `--max-time`.
    pub fn deadline(&self) -> Option<Instant> {
        self.started.checked_add(self.options.max_time?)
    }

    /// Returns how many attempts may be in flight now: fewer while this machine is
    /// out of sockets, or a server refuses so many connections.
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
        let server = self.server(&job.url);
        server.in_flight += 1;
        job.is_crowded = server.is_crowded();
        self.tell_progress();
        let url = Url::parse(&job.url).expect("it is the text of a URL");
        job.needs = match self.options.external && !self.scope.is_on_site(&url) {
            true if job.attempts == 1 => Needs::HEAD,
            true => Needs::HEAD_OF_GET,
            false => Needs::whole(self.options.max_body),
        };
        url
    }

    /// Interns the next links of a page that is not settled yet, and what it needs
    /// besides, so that [`settle`](Self::settle) has less to do: for pages with at least
    /// `most` of these URLs. Interns at most so many. Returns whether others are left.
    pub fn intern_next(&mut self, job: &Job, page: &Page, most: usize) -> bool {
        let all = page.links.len() + page.resources.len();
        if !self.urls[job.id].is_page || all < most {
            return false;
        }
        let mut interned = self.interned.remove(&job.id).unwrap_or_default();
        self.intern(&mut interned, page, most);
        let are_left = interned.count < all;
        self.interned.insert(job.id, interned);
        are_left
    }

    fn intern(&mut self, interned: &mut Interned, page: &Page, most: usize) {
        let Page { links, resources, .. } = page;
        let all = links.iter().chain(resources).enumerate();
        for (index, url) in all.skip(interned.count).take(most) {
            let ours = self.intern_ours(url);
            interned.link_count += usize::from(ours.is_some() && index < links.len());
            interned.ours.extend(ours);
            interned.count = index + 1;
        }
    }

    /// Records the result of a job that was begun, and returns the jobs that follow:
    /// links not seen before, a redirect's target with one redirect fewer, or the same
    /// URL again with one attempt fewer and a pause. A URL is marked as seen when it is
    /// queued.
    ///
    /// An attempt for which this machine had no socket was none: its job is returned as
    /// it was, and [`has_room`](Self::has_room) says when it may begin. At most one of
    /// the jobs has a pause, and it is the last.
    // ANCHOR: settle
    pub fn settle(&mut self, mut job: Job, result: FetchResult) -> Vec<Job> {
        match self.end_attempt(&mut job, &result) {
            Verdict::Requeue => return vec![job],
            Verdict::Wait => {
                self.waiting_for_port.push(job);
                return Vec::new();
            }
            Verdict::Crowded { .. } | Verdict::Counts => {}
        }
        let mut jobs = mem::take(&mut self.waiting_for_port);
        let is_refused_head = job.is_refused_head(&result);
        if is_refused_head {
            job.excuse();
        }
        if let Some(pause) = self.pause_before_another_try(&job, &result) {
            self.progress.retry(&job.url, pause, &result);
            jobs.push(Job { pause, requeues: 0, ..job });
        } else if is_refused_head {
            jobs.push(Job { requeues: 0, ..job });
        } else if !matches!(result, Err(FetchError::Interrupted)) {
            self.open -= 1;
            self.record(&job, result, &mut jobs);
            jobs.extend(self.start_level());
            self.tell_progress();
        }
        jobs
    }
    // ANCHOR_END: settle

    /// Returns whether nothing is queued, pausing or in flight: the crawl is over.
    pub fn is_done(&self) -> bool {
        self.open == 0
    }

    /// Stores the result of a URL, and adds the jobs that follow from it to `jobs`.
    fn record(&mut self, job: &Job, result: FetchResult, jobs: &mut Vec<Job>) {
        let entry = &self.urls[job.id];
        let (level, budget) = (entry.level, entry.redirects_left);
        let mut row = Row::new(Arc::clone(&job.url));
        row.attempts = job.attempts;
        row.elapsed = job.began.elapsed();
        let settled = match result {
            Ok(page) => self.responded(job, row, page, budget),
            Err(error) => {
                row.fail(&error);
                Settled::new(row, error.was_answered())
            }
        };
        self.progress.settled(&settled.row);
        let (references, next) = (settled.references.clone(), settled.next);
        let (link_count, is_page) = (settled.link_count, self.urls[job.id].is_page);
        self.urls[job.id].state = State::Settled(Box::new(settled));
        self.note_size();
        // ANCHOR: discover
        for (index, url) in references.into_iter().enumerate() {
            let budget = self.options.max_redirect;
            let reach = Reach { budget, is_page: index < link_count };
            self.discover(url, reach, level + 1, jobs);
        }
        if let Some(next) = next {
            let reach = Reach { budget: budget - 1, is_page };
            self.discover(next, reach, level, jobs);
        }
        // ANCHOR_END: discover
    }

    /// Makes a row of a response, and interns its links.
    fn responded(
        &mut self,
        job: &Job,
        mut row: Row,
        mut page: Page,
        budget: u32,
    ) -> Settled {
        let id = job.id;
        let target = page.redirect.as_ref().and_then(|target| target.as_ref().ok());
        let is_foreign = job.needs.is_head();
        let target = target.filter(|target| !is_foreign && self.admits(target));
        let may_follow = budget > 0 || target.is_none();
        let target = target.cloned();
        let is_unread = !self.urls[id].is_page && page.encoding.is_some();
        if is_unread {
            page = page.without_content();
        }
        row.fill(&page, may_follow);
        let mut settled = Settled::new(row, true);
        settled.is_unread = is_unread;
        if let Some(target) = target.filter(|_| budget > 0) {
            settled.next = self.intern_if_it_fits(target.as_str());
        }
        let mut interned = self.interned.remove(&id).unwrap_or_default();
        self.intern(&mut interned, &page, usize::MAX);
        settled.references = interned.ours.into();
        settled.link_count = interned.link_count;
        settled.ids = self.add_fragments(id, &mut page);
        settled.replaces_fragment = page.location_fragment.is_some();
        if let Some((next, fragment)) = settled.next.zip(page.location_fragment.take())
        {
            self.add_fragment(next, &fragment, Some(id));
        }
        (settled.coding, settled.has_frames) = (page.coding, page.has_frames);
        settled.is_cut = page.is_cut;
        for link in &page.invalid {
            if !self.scope.is_excluded(&link.text) {
                self.unparsable.add(link, id);
            }
        }
        if self.options.links {
            let text = |url: &Url| match self.urls.find(url.as_str()) {
                Some(id) => Arc::clone(self.urls.name(id)),
                None => url.as_str().into(),
            };
            let all = page.links.iter().chain(&page.resources);
            let mut all: Vec<Arc<str>> = all.map(text).collect();
            if !page.resources.is_empty() {
                all.sort_unstable();
            }
            settled.row.links = Some(all);
        }
        settled
    }

    /// Returns the number of a URL, if it belongs to the crawl.
    fn intern_ours(&mut self, url: &Url) -> Option<UrlId> {
        let known = self.urls.find(url.as_str());
        known.or_else(|| {
            self.admits(url).then(|| self.intern_if_it_fits(url.as_str()))?
        })
    }

    /// Returns whether a URL is to be requested.
    fn admits(&mut self, url: &Url) -> bool {
        self.has_left_out_https |= self.options.external
            && !self.scope.speaks(url)
            && !self.scope.is_excluded(url.as_str());
        self.scope.admits(url)
    }

    fn note_size(&mut self) {
        self.goes_by_levels |= self.urls.bytes() > self.options.max_known / LARGE_PART;
    }

    /// Interns a URL, unless the known ones take all the space that they may.
    fn intern_if_it_fits(&mut self, url: &str) -> Option<UrlId> {
        let fits = self.urls.bytes() + Urls::size_of(url) <= self.options.max_known;
        let known = self.urls.find(url);
        self.is_full |= known.is_none() && !fits;
        known.or_else(|| fits.then(|| self.urls.intern(url)))
    }

    fn tell_progress(&self) {
        self.progress.tell(self.queued, self.open as u64, self.in_flight);
    }
}
