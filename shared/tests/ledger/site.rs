//! A small site whose responses a test gives by hand, in any order.

use shared::{
    CrawlEnd, FetchError, Job, Ledger, Options, Page, Program, Report, UrlId,
};
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use url::Url;

pub(crate) const PROGRAM: Program =
    Program { name: "stage1-callbacks", version: "0.0.0", speaks_https: false };

/// The site's response to a request for a URL.
#[derive(Clone, Debug)]
pub(crate) enum Says {
    /// A page with these links.
    Page(Vec<Url>),
    /// A redirect to this URL.
    Redirect(Url),
    /// A response without links.
    Status(u16),
    /// An error, in every attempt.
    Fails(FetchError),
    /// An error in the first attempt, and then this page.
    Wavers(Vec<Url>),
}

/// Returns the URL of a path on `http://site.test`.
pub(crate) fn url(path: &str) -> Url {
    Url::parse("http://site.test").unwrap().join(path).unwrap()
}

/// Returns the path of a job's URL, or the whole URL if it is on another site.
pub(crate) fn path_of(job: &Job) -> String {
    let path = job.url.strip_prefix("http://site.test");
    path.unwrap_or(&job.url).to_string()
}

pub(crate) fn urls(paths: &[&str]) -> Vec<Url> {
    paths.iter().map(|path| url(path)).collect()
}

/// A successful page with these links.
pub(crate) fn page(links: &[&str]) -> Page {
    let encoding = Some("utf-8".to_string());
    Page { status: 200, size: Some(1), links: urls(links), encoding, ..Page::default() }
}

/// A response without links.
pub(crate) fn status(status: u16) -> Page {
    Page { status, size: Some(1), ..Page::default() }
}

/// A redirect.
pub(crate) fn redirect(target: &str) -> Page {
    Page { status: 302, redirect: Some(Ok(url(target))), ..Page::default() }
}

pub(crate) fn options(roots: &[&str]) -> Options {
    Options::with_roots(urls(roots))
}

/// A crawl whose responses a test gives by hand.
pub(crate) struct Crawl {
    pub(crate) ledger: Ledger,
    pub(crate) open: Vec<Job>,
    /// The paths that were queued, in their order. Retries are not included.
    pub(crate) queued: Vec<String>,
    wavering: HashSet<UrlId>,
}

impl Crawl {
    pub(crate) fn new(options: &Options) -> Crawl {
        let (ledger, jobs) = Ledger::open(options, &PROGRAM);
        let (queued, wavering) = (Vec::new(), HashSet::new());
        let mut crawl = Crawl { ledger, open: Vec::new(), queued, wavering };
        crawl.take(jobs);
        crawl
    }

    fn take(&mut self, jobs: Vec<Job>) {
        let first = jobs.iter().filter(|job| job.pause.is_zero());
        self.queued.extend(first.map(path_of));
        self.open.extend(jobs);
    }

    /// Answers the open job of this path. Returns the paths that follow, sorted.
    pub(crate) fn answer(
        &mut self,
        path: &str,
        answer: Result<Page, FetchError>,
    ) -> Vec<String> {
        let is_it = |job: &Job| *job.url == *url(path).as_str();
        let index = self.open.iter().position(is_it).expect("no such open job");
        let before = self.open.len() - 1;
        self.answer_nth(index, answer);
        let follow = self.open[before..].iter().map(path_of);
        let mut follow: Vec<_> = follow.collect();
        follow.sort();
        follow
    }

    /// Like `answer`, but also returns the pause of the one job that follows.
    pub(crate) fn answer_and_pause(
        &mut self,
        path: &str,
        answer: Result<Page, FetchError>,
    ) -> Duration {
        assert_eq!(self.answer(path, answer), [path]);
        self.open.last().unwrap().pause
    }

    fn answer_nth(&mut self, index: usize, answer: Result<Page, FetchError>) {
        let mut job = self.open.remove(index);
        self.ledger.begin(&mut job);
        let jobs = self.ledger.settle(job, answer);
        self.take(jobs.into_iter().collect());
    }

    /// Answers all open jobs from `site`, in an order that `picks` decides.
    pub(crate) fn run(&mut self, site: &HashMap<Url, Says>, picks: &[usize]) {
        let mut picks = picks.iter().cycle();
        while !self.open.is_empty() {
            let index = picks.next().map_or(0, |pick| pick % self.open.len());
            let job = &self.open[index];
            let answer = match &site[&url(&job.url)] {
                Says::Page(links) => Ok(Page { links: links.clone(), ..page(&[]) }),
                Says::Redirect(target) => Ok(redirect(target.as_str())),
                Says::Status(number) => Ok(status(*number)),
                Says::Fails(error) => Err(error.clone()),
                Says::Wavers(_) if self.wavering.insert(job.id()) => {
                    Err(FetchError::LookUpFailed("site.test".to_string()))
                }
                Says::Wavers(links) => Ok(Page { links: links.clone(), ..page(&[]) }),
            };
            self.answer_nth(index, answer);
        }
        assert!(self.ledger.is_done());
    }

    /// Returns the report without the fields that differ from run to run.
    pub(crate) fn close(self) -> Report {
        let mut report = self.ledger.close(CrawlEnd::Done);
        for row in &mut report.rows {
            (row.attempts, row.error, row.elapsed) = (0, None, Duration::ZERO);
        }
        report.summary.elapsed = Duration::ZERO;
        report.summary.peak_tasks = 0;
        report
    }
}
