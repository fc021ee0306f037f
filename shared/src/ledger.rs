//! The books of a crawl: which URLs are known, what became of each, and what follows.
//! The ledger decides, the stage waits.

use crate::error::FetchError;
use crate::options::{Options, Stage};
use crate::page::Page;
use crate::progress::Progress;
use crate::report::Stat;
use crate::scope::Scope;
use std::collections::HashSet;
use std::io::ErrorKind;
use std::time::{Duration, Instant};
use url::Url;

mod close;
mod queue;
mod row;
mod urls;
mod walk;

use queue::Held;
use row::Settled;
pub use urls::UrlId;
use urls::{State, Urls};

/// The pause before the second try; it doubles with each further one.
pub const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// No pause is longer, whatever `Retry-After` asks for.
pub const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// How often a try for which this machine has no local port, or no address of that kind
/// at all, waits for others to end, before that is its answer.
const WAITS_FOR_A_PORT: u32 = 3;
/// The same where the host has answered before, so that it is about ports, most likely.
const WAITS_WHERE_REACHED: u32 = 30;

/// One URL to be fetched: one try at it. Whoever takes a job settles it.
#[derive(Debug)]
pub struct Job {
    /// What to fetch.
    pub url: Url,
    /// How long to wait before the fetch; zero for a first try.
    pub pause: Duration,
    id: UrlId,
    attempts: u32,
    began: Instant,
    /// How often it was begun in vain since its last real try.
    put_back: u32,
    /// The most that had been in flight at once when this try began.
    peak_before: usize,
}

impl Job {
    /// The number of the job's URL: of all jobs that are under way, only this has it.
    pub fn id(&self) -> UrlId {
        self.id
    }

    /// Has no try at this URL failed before?
    pub fn is_first_try(&self) -> bool {
        self.attempts <= 1
    }
}

/// The books of one crawl.
#[derive(Debug)]
pub struct Ledger {
    options: Options,
    stage: Stage,
    scope: Scope,
    urls: Urls,
    held: Held,
    /// URLs that were queued, each counted once.
    queued: u64,
    /// Jobs that are queued, pausing or in flight.
    open: usize,
    in_flight: usize,
    peak: usize,
    /// Hosts that have answered: this machine has an address of their kind.
    reached: HashSet<String>,
    roots: Vec<UrlId>,
    started: Instant,
    progress: Progress,
}

/// How a crawl ended.
#[derive(Debug)]
pub enum Ending {
    /// Nothing is queued, pausing or in flight.
    Done,
    /// It was stopped from outside.
    Interrupted,
    /// Jobs remain and nothing can happen any more: who waits on what.
    Stuck(String),
}

impl Ledger {
    /// Opens the books with the roots, and returns the jobs to begin with.
    pub fn open(options: &Options, stage: &Stage) -> (Ledger, Vec<Job>) {
        let mut ledger = Ledger {
            options: options.clone(),
            stage: stage.clone(),
            scope: Scope::new(options, stage),
            urls: Urls::default(),
            held: Held::new(),
            queued: 0,
            open: 0,
            in_flight: 0,
            peak: 0,
            reached: HashSet::new(),
            roots: Vec::new(),
            started: Instant::now(),
            progress: Progress::new(options),
        };
        let mut jobs = Vec::new();
        for root in &options.roots {
            if ledger.urls.find(root.as_str()).is_some() {
                continue;
            }
            let id = ledger.urls.intern(root.as_str());
            ledger.roots.push(id);
            if ledger.scope.speaks(root) {
                ledger.meet(id, options.max_redirect, 0, &mut jobs);
            } else {
                ledger.refuse(id);
            }
        }
        jobs.extend(ledger.release());
        (ledger, jobs)
    }

    /// Books that a try begins: a connection is made for this job now.
    pub fn begin(&mut self, job: &mut Job) {
        job.attempts += 1;
        job.began = Instant::now();
        job.peak_before = self.peak;
        self.in_flight += 1;
        self.tell_progress();
    }

    /// Is this error no answer at all? Then the try has not begun, and the job counts
    /// as queued again.
    ///
    /// That there is no socket is no answer while others are in flight: one of those will
    /// end. Nor is it that there is no local port; but that may never end, where a
    /// machine has no address of that kind, so it is one after some times.
    pub fn puts_back<T>(
        &mut self,
        job: &mut Job,
        answer: &Result<T, FetchError>,
    ) -> bool {
        let most = match self.is_short_of_sockets(job, answer) {
            true => WAITS_WHERE_REACHED,
            false => WAITS_FOR_A_PORT,
        };
        let is_no_answer = match answer {
            Err(FetchError::OutOfSockets) => true,
            Err(error) => is_portless(error) && job.put_back < most,
            Ok(_) => false,
        };
        let puts_back = is_no_answer && self.in_flight > 1;
        if puts_back {
            self.put_back(job);
        }
        puts_back
    }

    /// Has this machine no socket for the job until another try ends? Or no port: that is
    /// likely where the host has answered before.
    pub(crate) fn is_short_of_sockets<T>(
        &self,
        job: &Job,
        answer: &Result<T, FetchError>,
    ) -> bool {
        match answer {
            Err(FetchError::OutOfSockets) => true,
            Err(error) if is_portless(error) => {
                self.reached.contains(job.url.host_str().unwrap_or_default())
            }
            _ => false,
        }
    }

    fn put_back(&mut self, job: &mut Job) {
        job.attempts -= 1;
        job.put_back += 1;
        self.in_flight -= 1;
        // Whatever was counted while it seemed to be in flight was one too many.
        self.peak = job.peak_before.max(self.peak.saturating_sub(1));
    }

    /// Books the answer to a job that was begun, and returns the jobs that follow:
    /// links not seen before, a redirect's target with one redirect fewer, or the same
    /// URL once more with one try fewer and a pause. A URL is seen from when it is
    /// queued.
    // ANCHOR: settle
    pub fn settle(&mut self, job: Job, answer: Result<Page, FetchError>) -> Vec<Job> {
        self.peak = self.peak.max(self.in_flight);
        self.in_flight -= 1;
        self.reach(&job.url, &answer);
        if let Some(pause) = self.pause_before_another_try(&job, &answer) {
            self.progress.retry(job.url.as_str(), pause, &answer);
            return vec![Job { pause, put_back: 0, ..job }];
        }
        if matches!(answer, Err(FetchError::Interrupted)) {
            return Vec::new();
        }
        self.open -= 1;
        let mut jobs = Vec::new();
        self.book(&job, answer, &mut jobs);
        jobs.extend(self.release());
        self.tell_progress();
        jobs
    }
    // ANCHOR_END: settle

    /// Remembers who has answered, and forgets who cannot be connected to any more.
    fn reach(&mut self, url: &Url, answer: &Result<Page, FetchError>) {
        let host = url.host_str().unwrap_or_default();
        let has_answered = matches!(answer, Ok(_) | Err(FetchError::Http(_)));
        if has_answered && !self.reached.contains(host) {
            self.reached.insert(host.to_string());
        }
        if answer.as_ref().is_err_and(is_portless) {
            self.reached.remove(host); // its address may have gone away
        }
    }

    /// Is nothing queued, pausing or in flight? Then the crawl is over.
    pub fn is_done(&self) -> bool {
        self.open == 0
    }

    fn pause_before_another_try(
        &self,
        job: &Job,
        answer: &Result<Page, FetchError>,
    ) -> Option<Duration> {
        if job.attempts >= self.options.max_tries {
            return None;
        }
        let asked = match answer {
            Ok(page) if page.is_busy() => page.retry_after,
            Err(error) if error.is_worth_another_try() => None,
            _ => return None,
        };
        let doubled = FIRST_PAUSE * 2u32.saturating_pow((job.attempts - 1).min(16));
        Some(asked.unwrap_or(doubled).min(LONGEST_PAUSE))
    }

    fn book(
        &mut self,
        job: &Job,
        answer: Result<Page, FetchError>,
        jobs: &mut Vec<Job>,
    ) {
        let entry = &self.urls[job.id];
        let (level, budget) = (entry.level, entry.redirects_left);
        let mut stat = Stat::new(job.url.as_str());
        stat.attempts = job.attempts;
        stat.elapsed = job.began.elapsed();
        let settled = match answer {
            Ok(page) => self.answered(stat, page, budget),
            Err(error) => {
                stat.fail(&error);
                Settled::new(stat, error.was_answered())
            }
        };
        self.progress.settled(&settled.stat);
        let (links, next) = (settled.links.clone(), settled.next);
        self.urls[job.id].state = State::Settled(Box::new(settled));
        for link in links {
            self.meet(link, self.options.max_redirect, level + 1, jobs);
        }
        if let Some(next) = next {
            self.meet(next, budget - 1, level, jobs);
        }
    }

    fn answered(&mut self, mut stat: Stat, page: Page, budget: u32) -> Settled {
        let target = page.redirect.as_ref().and_then(|target| target.as_ref().ok());
        let target = target.filter(|target| self.scope.contains(target));
        stat.fill(&page, budget > 0 || target.is_none());
        let mut settled = Settled::new(stat, true);
        if let Some(target) = target.filter(|_| budget > 0) {
            settled.next = Some(self.urls.intern(target.as_str()));
        }
        let ours = page.links.iter().filter_map(|link| self.intern_ours(link));
        settled.links = ours.collect();
        if self.options.links {
            settled.stat.links =
                Some(page.links.into_iter().map(String::from).collect());
        }
        settled
    }

    fn intern_ours(&mut self, url: &Url) -> Option<UrlId> {
        let known = self.urls.find(url.as_str());
        known.or_else(|| {
            self.scope.contains(url).then(|| self.urls.intern(url.as_str()))
        })
    }

    fn tell_progress(&self) {
        self.progress.tell(self.queued, self.open as u64, self.in_flight);
    }
}

/// No local port is left, or this machine has no address of that kind: the operating
/// system does not say which.
fn is_portless(error: &FetchError) -> bool {
    matches!(error, FetchError::Network(ErrorKind::AddrNotAvailable))
}
