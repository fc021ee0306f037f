//! Settles a job: records the result of its attempt, and returns the jobs that follow.
//! A page may have a million links, so this is done in steps, each for one URL. (One
//! step may be longer: if the fragments of a crawl do not fit, all are dropped at
//! once.)

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
    /// Jobs for the URLs to which the result leads: new links, or the target of a
    /// redirect.
    pub jobs: Vec<Job>,
    /// The same job, to be queued again after its [pause](Job::pause).
    pub paused: Option<Job>,
}

impl IntoIterator for FollowUps {
    type Item = Job;
    type IntoIter = std::iter::Chain<vec::IntoIter<Job>, option::IntoIter<Job>>;

    /// Returns all jobs, the paused one last.
    fn into_iter(self) -> Self::IntoIter {
        self.jobs.into_iter().chain(self.paused)
    }
}

/// A job that is being settled. Created by [`Ledger::begin_settling`].
/// [`Ledger::settle_some`] takes some steps at a time, until it [`is
/// over`](Self::is_over).
#[derive(Debug, Default)]
pub struct Settling {
    /// The job itself, if it will be attempted again after a pause. Then it is still
    /// open.
    pub paused: Option<Job>,
    /// Jobs that have still to be returned.
    pub(super) jobs: Vec<Job>,
    pub(super) phase: Phase,
}

/// What the next step does.
#[derive(Debug, Default)]
pub(super) enum Phase {
    /// Interns the next URL of a page.
    Interning(Box<Interning>),
    /// Discovers the reference with this index. After the last one, the target of a
    /// redirect.
    Discovering { id: UrlId, index: usize },
    /// Starts the next level, because no job is open.
    Starting(Level),
    #[default]
    Over,
}

impl Phase {
    /// Returns the phase that starts this level, or the last phase if there is no
    /// level.
    pub(super) fn start(level: Option<Level>) -> Phase {
        level.map_or(Phase::Over, Phase::Starting)
    }
}

impl Settling {
    /// Returns whether all jobs that follow have been returned.
    /// [`paused`](Self::paused) is returned separately.
    pub fn is_over(&self) -> bool {
        self.jobs.is_empty() && matches!(self.phase, Phase::Over)
    }
}

impl Ledger {
    /// Records the result of a job that has begun, and returns the jobs that follow. A
    /// new URL is marked as seen by this.
    ///
    /// If this machine had no socket for the attempt, the job is returned unchanged.
    /// It may begin again when there is [room](Self::has_room).
    pub fn settle(&mut self, job: Job, result: FetchResult) -> FollowUps {
        let mut settling = self.begin_settling(job, result);
        let jobs = self.settle_some(&mut settling, usize::MAX);
        FollowUps { jobs, paused: settling.paused }
    }

    /// Begins to settle a job, as [`settle`](Self::settle) does. It removes the
    /// attempt from those in flight, and decides whether to record its result.
    pub fn begin_settling(&mut self, mut job: Job, result: FetchResult) -> Settling {
        let mut settling = Settling::default();
        match self.end_attempt(&mut job, &result) {
            Verdict::Requeue => {
                settling.jobs.push(job);
                return settling;
            }
            Verdict::WaitForPort => {
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

    /// Takes up to `most` steps, and returns the jobs that follow from them.
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

    /// Discovers a reference of a settled URL: one in each step, the target of a
    /// redirect last.
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

    /// A page with 1,800 references, 1,500 of which are URLs.
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

    /// How much the steps have changed so far, as far as it can be counted.
    fn changes(ledger: &Ledger) -> usize {
        let deferred: usize = ledger.deferred.values().map(BTreeMap::len).sum();
        ledger.urls.len() + ledger.unparsable.len() + deferred
    }

    #[test]
    fn no_turn_is_about_more_urls_than_it_may() {
        // 1,800 steps to intern and 1,500 to discover. With levels, 1,500 more to
        // update and 1,500 to start.
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
                // At the start of the level all deferred URLs are removed, so the
                // count may fall.
                let changed = changes(&ledger).saturating_sub(before);
                assert!(changed + jobs.len() <= MOST, "{changed}, {}", jobs.len());
                assert!(!ledger.is_done());
                turns += 1;
                followed.extend(jobs.into_iter().map(|job| job.url.to_string()));
            }
            assert_eq!(turns, steps / MOST + 1);
            assert_eq!(followed.len(), 1_500);
            // In the order of discovery, links first. With levels, in the order of the
            // URLs.
            assert_eq!(followed.is_sorted(), max_pages.is_some());
        }
    }

    /// A URL is being settled as a resource when a link to it is found. It is
    /// requested again and searched, however long the page is.
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
