//! The books of a crawl: which URLs are known, what became of each, and what follows.
//! The ledger decides, the stage waits.

use crate::error::FetchError;
use crate::options::{Options, Stage};
use crate::page::Page;
use crate::progress::Progress;
use crate::report::{Outcome, Stat};
use crate::scope::Scope;
use indexmap::IndexMap;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use url::Url;

mod close;
mod row;

use row::Settled;

/// The pause before the second try; it doubles with each further one.
pub const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// No pause is longer, whatever `Retry-After` asks for.
pub const LONGEST_PAUSE: Duration = Duration::from_secs(30);

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
}

impl Job {
    /// The number of the job's URL: of all jobs that are under way, only this has it.
    pub fn id(&self) -> UrlId {
        self.id
    }
}

/// The number of a URL in this crawl's ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlId(u32);

/// The books of one crawl.
#[derive(Debug)]
pub struct Ledger {
    options: Options,
    stage: Stage,
    scope: Scope,
    urls: IndexMap<Box<str>, Entry>,
    held: BTreeSet<(u32, UrlId)>,
    queued: u64,
    open: usize,
    in_flight: usize,
    peak: usize,
    roots: Vec<UrlId>,
    started: Instant,
    progress: Progress,
}

/// What is known of one URL.
#[derive(Debug)]
struct Entry {
    redirects_left: u32,
    level: u32,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Known, and in no queue: held back, or beyond a limit.
    Known,
    /// Queued, pausing or in flight.
    Open,
    /// Done.
    Settled(Box<Settled>),
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
            urls: IndexMap::new(),
            held: BTreeSet::new(),
            queued: 0,
            open: 0,
            in_flight: 0,
            peak: 0,
            roots: Vec::new(),
            started: Instant::now(),
            progress: Progress::new(options),
        };
        let mut jobs = Vec::new();
        for root in &options.roots {
            if ledger.urls.contains_key(root.as_str()) {
                continue;
            }
            let id = ledger.intern(root.as_str());
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
        self.in_flight += 1;
        self.peak = self.peak.max(self.in_flight);
        self.tell_progress();
    }

    /// Books that a try could not begin: this machine is out of sockets. The job counts
    /// as queued again.
    pub fn put_back(&mut self, job: &mut Job) {
        job.attempts -= 1;
        self.in_flight -= 1;
    }

    /// Books the answer to a job that was begun, and returns the jobs that follow: links
    /// not seen before, a redirect's target with one redirect fewer, or the same URL once
    /// more with one try fewer and a pause. A URL is seen from when it is queued.
    pub fn settle(&mut self, job: Job, answer: Result<Page, FetchError>) -> Vec<Job> {
        self.in_flight -= 1;
        if let Some(pause) = self.pause_before_another_try(&job, &answer) {
            self.progress.retry(job.url.as_str(), pause, &answer);
            return vec![Job { pause, ..job }];
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
        let entry = &self.urls[job.id.index()];
        let (level, budget) = (entry.level, entry.redirects_left);
        let mut stat = Stat::new(job.url.as_str());
        stat.attempts = job.attempts;
        stat.elapsed = job.began.elapsed();
        let (mut links, mut next): (Box<[UrlId]>, _) = (Box::default(), None);
        let was_answered =
            answer.as_ref().map_or_else(FetchError::was_answered, |_| true);
        match answer {
            Err(error) => stat.fail(&error),
            Ok(page) => {
                let target =
                    page.redirect.as_ref().and_then(|target| target.as_ref().ok());
                let target = target.filter(|target| self.scope.contains(target));
                stat.fill(&page, budget > 0 || target.is_none());
                next = target
                    .filter(|_| budget > 0)
                    .map(|target| self.intern(target.as_str()));
                links = page
                    .links
                    .iter()
                    .filter_map(|link| self.intern_ours(link))
                    .collect();
                if self.options.links {
                    stat.links =
                        Some(page.links.into_iter().map(String::from).collect());
                }
            }
        }
        self.progress.settled(&stat);
        let settled =
            Box::new(Settled { stat, links: links.clone(), next, was_answered });
        self.urls[job.id.index()].state = State::Settled(settled);
        for link in links {
            self.meet(link, self.options.max_redirect, level + 1, jobs);
        }
        if let Some(next) = next {
            self.meet(next, budget - 1, level, jobs);
        }
    }

    /// A URL is met, with a budget of redirects. Queues it if it is new, or if it ended
    /// for want of a larger budget. A redirect that was followed hands the larger budget
    /// on, so that the result does not depend on which way was found first.
    fn meet(
        &mut self,
        mut id: UrlId,
        mut budget: u32,
        level: u32,
        jobs: &mut Vec<Job>,
    ) {
        loop {
            let entry = &mut self.urls[id.index()];
            let has_more = budget > entry.redirects_left;
            entry.redirects_left = entry.redirects_left.max(budget);
            if has_more
                && let State::Settled(settled) = &entry.state
                && let Some(next) = settled.next
            {
                (id, budget) = (next, budget - 1);
                continue;
            }
            if entry.is_due() {
                self.queue(id, level, jobs);
            }
            return;
        }
    }

    fn queue(&mut self, id: UrlId, level: u32, jobs: &mut Vec<Job>) {
        if self.options.goes_by_levels() {
            if self.options.max_depth.is_none_or(|deepest| level <= deepest) {
                self.held.insert((level, id));
            }
        } else {
            jobs.push(self.make_job(id, level));
        }
    }

    /// Begins the next level once the one before is settled, in the order of the URLs.
    fn release(&mut self) -> Vec<Job> {
        let mut jobs = Vec::new();
        while self.open == 0
            && let Some(&(level, _)) = self.held.first()
        {
            let later = self.held.split_off(&(level + 1, UrlId(0)));
            let mut now: Vec<UrlId> = std::mem::replace(&mut self.held, later)
                .into_iter()
                .map(|(_, id)| id)
                .collect();
            now.sort_by(|a, b| self.name(*a).cmp(self.name(*b)));
            for id in now {
                let room = self.options.max_pages.is_none_or(|most| self.queued < most);
                if room && self.urls[id.index()].is_due() {
                    jobs.push(self.make_job(id, level));
                }
            }
        }
        jobs
    }

    fn make_job(&mut self, id: UrlId, level: u32) -> Job {
        let (name, entry) =
            self.urls.get_index_mut(id.index()).expect("ids stay valid");
        entry.level = level;
        if !matches!(entry.state, State::Settled(_)) {
            self.queued += 1;
        }
        entry.state = State::Open;
        self.open += 1;
        let url = Url::parse(name).expect("names are URLs that were parsed before");
        Job { url, pause: Duration::ZERO, id, attempts: 0, began: Instant::now() }
    }

    /// Books a URL that this program cannot even ask for.
    fn refuse(&mut self, id: UrlId) {
        let mut stat = Stat::new(self.name(id));
        stat.fail(&FetchError::HttpsNotSpoken);
        let settled =
            Settled { stat, links: Box::default(), next: None, was_answered: false };
        self.urls[id.index()].state = State::Settled(Box::new(settled));
    }

    fn intern_ours(&mut self, url: &Url) -> Option<UrlId> {
        match self.urls.get_index_of(url.as_str()) {
            Some(index) => Some(UrlId::new(index)),
            None => self.scope.contains(url).then(|| self.intern(url.as_str())),
        }
    }

    fn intern(&mut self, name: &str) -> UrlId {
        if let Some(index) = self.urls.get_index_of(name) {
            return UrlId::new(index);
        }
        let entry = Entry { redirects_left: 0, level: 0, state: State::Known };
        UrlId::new(self.urls.insert_full(name.into(), entry).0)
    }

    fn name(&self, id: UrlId) -> &str {
        self.urls.get_index(id.index()).expect("ids stay valid").0
    }

    fn tell_progress(&self) {
        self.progress.tell(self.urls.len(), self.open, self.in_flight);
    }
}

impl Entry {
    /// Known, and not fetched (or not as often as it should have been).
    fn is_left(&self) -> bool {
        self.is_due() || matches!(self.state, State::Open)
    }

    /// Is there anything left to do about it? A redirect that found its budget empty is
    /// due again as soon as there is a larger one.
    fn is_due(&self) -> bool {
        match &self.state {
            State::Known => true,
            State::Open => false,
            State::Settled(settled) => {
                settled.stat.outcome == Outcome::TooManyRedirects
                    && self.redirects_left > 0
            }
        }
    }
}

impl UrlId {
    fn new(index: usize) -> UrlId {
        UrlId(u32::try_from(index).expect("fewer than four thousand million URLs"))
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}
