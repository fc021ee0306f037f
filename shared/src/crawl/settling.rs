//! Settling a job: the result of its attempt goes into the ledger, and the jobs that follow
//! come out. A page may have a million links, so this is done in steps. Each step is about
//! one URL. (Once, if fragments take too much, one step drops those of all URLs.)

use super::interning::Interning;
use super::job::Job;
use super::ledger::Ledger;
use super::levels::Level;
use super::limit::Verdict;
use super::url_id::UrlId;
use super::urls::Discovery;
use crate::error::FetchError;
use crate::page::FetchResult;
use std::{mem, option, vec};

/// The jobs that follow from the result of a job.
#[derive(Debug)]
pub struct FollowUps {
    /// Links not seen before, or a redirect's target with one redirect fewer.
    pub jobs: Vec<Job>,
    /// The same URL again, to be queued after its [pause](Job::pause).
    pub paused: Option<Job>,
}

impl IntoIterator for FollowUps {
    type Item = Job;
    type IntoIter = std::iter::Chain<vec::IntoIter<Job>, option::IntoIter<Job>>;

    /// Returns all jobs. The paused one is the last.
    fn into_iter(self) -> Self::IntoIter {
        self.jobs.into_iter().chain(self.paused)
    }
}

/// A job that is being settled. [`Ledger::begin_settling`] makes it, and
/// [`Ledger::settle_some`] takes the next steps, until it [`is over`](Self::is_over).
#[derive(Debug, Default)]
pub struct Settling {
    /// The job itself, if it pauses before another attempt. It does not count as done.
    pub paused: Option<Job>,
    /// Jobs that follow and were not returned yet.
    pub(super) jobs: Vec<Job>,
    pub(super) phase: Phase,
}

/// What the next step does.
#[derive(Debug, Default)]
pub(super) enum Phase {
    /// Interns the next URL that a page refers to.
    Interning(Box<Interning>),
    /// Discovers the reference with this index. After the last one, its redirect's target.
    Discovering { id: UrlId, index: usize },
    /// Starts the next level, since nothing else is open.
    Starting(Level),
    #[default]
    Over,
}

impl Phase {
    /// Starts this level next, if there is one.
    pub(super) fn start(level: Option<Level>) -> Phase {
        level.map_or(Phase::Over, Phase::Starting)
    }
}

impl Settling {
    /// Returns whether all that follows was returned, except for
    /// [`paused`](Self::paused).
    pub fn is_over(&self) -> bool {
        self.jobs.is_empty() && matches!(self.phase, Phase::Over)
    }
}

impl Ledger {
    /// Records the result of a job that was begun, and returns the jobs that follow from
    /// it. A URL is marked as seen when it is queued.
    ///
    /// If this machine had no socket for the attempt, the job is returned unchanged and
    /// may begin again when there is [room](Self::has_room).
    pub fn settle(&mut self, job: Job, result: FetchResult) -> FollowUps {
        let mut settling = self.begin_settling(job, result);
        let jobs = self.settle_some(&mut settling, usize::MAX);
        FollowUps { jobs, paused: settling.paused }
    }

    /// Begins to do what [`settle`](Self::settle) does: takes the attempt out of those in
    /// flight, and decides whether its result is recorded.
    pub fn begin_settling(&mut self, mut job: Job, result: FetchResult) -> Settling {
        let mut settling = Settling::default();
        match self.end_attempt(&mut job, &result) {
            Verdict::Requeue => {
                settling.jobs.push(job);
                return settling;
            }
            Verdict::Wait => {
                self.waiting_for_port.push(job);
                return settling;
            }
            Verdict::Crowded { .. } | Verdict::Counts => {}
        }
        settling.jobs.append(&mut self.waiting_for_port);
        let is_refused_head = job.is_refused_head(&result);
        if is_refused_head {
            job.excuse();
        }
        if let Some(pause) = self.pause_before_another_try(&job, &result) {
            self.progress.retry(&job.url, pause, &result);
            settling.paused = Some(Job { pause, requeues: 0, ..job });
        } else if is_refused_head {
            settling.jobs.push(Job { requeues: 0, ..job });
        } else if !matches!(result, Err(FetchError::Interrupted)) {
            settling.phase = Phase::Interning(Box::new(self.record(&job, result)));
        }
        settling
    }

    /// Takes at most `most` of the steps that are left, and returns the jobs that follow
    /// from them.
    pub fn settle_some(&mut self, settling: &mut Settling, most: usize) -> Vec<Job> {
        let mut jobs = mem::take(&mut settling.jobs);
        for _ in 0..most {
            settling.phase = match mem::take(&mut settling.phase) {
                Phase::Interning(interning) => {
                    let id = interning.id;
                    let next = self.intern_next(interning).map(Phase::Interning);
                    next.unwrap_or(Phase::Discovering { id, index: 0 })
                }
                Phase::Discovering { id, index } => {
                    self.discover_next(id, index, &mut jobs)
                }
                Phase::Starting(level) => {
                    Phase::start(self.start_next(level, &mut jobs))
                }
                Phase::Over => break,
            };
        }
        self.tell_progress();
        jobs
    }

    /// Discovers what a settled URL refers to: one URL at a time, its redirect last.
    fn discover_next(&mut self, id: UrlId, index: usize, jobs: &mut Vec<Job>) -> Phase {
        let entry = &self.urls[id];
        let (level, discovery) = (entry.level, entry.discovery);
        let settled = self.urls.settled(id).expect("its row was stored");
        let (link_count, next) = (settled.link_count, settled.next);
        let reference = settled.references.get(index).copied();
        // ANCHOR: discover
        if let Some(url) = reference {
            let is_page = index < link_count;
            let redirects_left = self.options.max_redirect;
            let discovery = Discovery { redirects_left, is_page };
            self.discover(url, discovery, level + 1, jobs);
        } else if let Some(next) = next {
            let redirects_left = discovery.redirects_left - 1;
            self.discover(next, Discovery { redirects_left, ..discovery }, level, jobs);
        }
        // ANCHOR_END: discover
        if reference.is_some() {
            return Phase::Discovering { id, index: index + 1 };
        }
        self.open -= 1;
        Phase::start(self.next_level())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Options, Program};
    use crate::page::Page;
    use crate::page::fragments::Ids;
    use crate::page::links::Invalid;
    use std::collections::BTreeMap;
    use url::Url;

    const MOST: usize = 100;

    fn url(path: &str) -> Url {
        Url::parse(&format!("http://a.test/{path}")).expect("a URL")
    }

    /// A page with 1,800 things to look at, of which 1,500 are URLs.
    fn page() -> Page {
        let urls = |kind: &'static str, count| (0..count).map(move |it| (kind, it));
        let make = |(kind, it)| url(&format!("{kind}{it:0>4}"));
        let invalid = |(kind, it)| Invalid { text: format!("{kind}{it}"), error: None };
        Page {
            status: 200,
            links: urls("link", 1_000).map(make).collect(),
            resources: urls("image", 500).map(make).collect(),
            fragments: urls("link", 200)
                .map(make)
                .map(|url| (url, "x".into()))
                .collect(),
            invalid: urls("none", 100).map(invalid).collect(),
            ids: Some(Ids::from_hashes(Vec::new())),
            ..Page::default()
        }
    }

    /// What steps change, in things that can be counted.
    fn changes(ledger: &Ledger) -> usize {
        let deferred: usize = ledger.deferred.values().map(BTreeMap::len).sum();
        ledger.urls.len() + ledger.unparsable.len() + deferred
    }

    #[test]
    fn no_turn_is_about_more_urls_than_it_may() {
        // Interned and looked at; discovered; with levels also raised and started.
        for (max_pages, steps) in [(None, 3_300), (Some(9_999), 6_300)] {
            let options = Options::with_roots([url("")]);
            let options = Options { fragments: true, max_pages, ..options };
            let program = Program::http_only("a-test", "1");
            let (mut ledger, mut jobs) = Ledger::open(&options, &program);
            let mut root = jobs.pop().expect("the root");
            ledger.begin(&mut root);
            let before = changes(&ledger);
            let mut settling = ledger.begin_settling(root, Ok(page()));
            assert_eq!(changes(&ledger), before, "the links come later");
            let (mut turns, mut followed) = (0, Vec::new());
            while !settling.is_over() {
                let before = changes(&ledger);
                let jobs = ledger.settle_some(&mut settling, MOST);
                // With the start of the only level all that was deferred is taken out.
                let changed = changes(&ledger).saturating_sub(before);
                assert!(changed + jobs.len() <= MOST, "{changed}, {}", jobs.len());
                assert!(!ledger.is_done());
                turns += 1;
                followed.extend(jobs.into_iter().map(|job| job.url.to_string()));
            }
            assert_eq!(turns, steps / MOST + 1);
            assert_eq!(followed.len(), 1_500);
            // As they were discovered: links first. Levels go in the order of the URLs.
            assert_eq!(followed.is_sorted(), max_pages.is_some());
        }
    }

    /// A link to a page that was requested as something that a page needs, and that is being
    /// settled: it is requested again, whatever its length, and searched.
    #[test]
    fn a_link_that_is_found_while_its_page_is_settled_is_not_lost() {
        let html = |links: Vec<Url>, resources: Vec<Url>| Page {
            status: 200,
            encoding: Some("utf-8".into()),
            links,
            resources,
            ..Page::default()
        };
        for many in [MOST - 1, MOST, 2 * MOST] {
            let options = Options { resources: true, ..Options::with_roots([url("")]) };
            let program = Program::http_only("a-test", "1");
            let (mut ledger, mut jobs) = Ledger::open(&options, &program);
            let mut root = jobs.pop().expect("the root");
            ledger.begin(&mut root);
            let mut jobs =
                ledger.settle(root, Ok(html(vec![url("y")], vec![url("x")]))).jobs;
            jobs.iter_mut().for_each(|job| drop(ledger.begin(job)));
            let [y, x] =
                <[Job; 2]>::try_from(jobs).expect("the page's link, and its need");
            let links = (0..many).map(|it| url(&it.to_string())).collect();
            let mut settling = ledger.begin_settling(x, Ok(html(links, Vec::new())));
            assert_eq!(ledger.settle_some(&mut settling, MOST).len(), 0);
            let again = ledger.settle(y, Ok(html(vec![url("x")], Vec::new()))).jobs;
            let again: Vec<&str> = again.iter().map(|job| &*job.url).collect();
            assert_eq!(again, ["http://a.test/x"], "{many} links");
            ledger.settle_some(&mut settling, usize::MAX);
            assert!(settling.is_over() && !ledger.is_done());
        }
    }
}
