//! Decides when a discovered URL becomes a job.
//!
//! Without limits the URL is queued at once, if it is due. With limits the crawl goes
//! level by level, and discoveries are deferred until the level is settled. So what is
//! cut off does not depend on the order of the responses.
//!
//! 1. `--max-depth`: no deeper level begins.
//! 2. `--max-pages`: the URLs of a level are queued in their order, up to the limit.
//! 3. Memory: the known URLs take at most [`MAX_KNOWN`](crate::options::MAX_KNOWN)
//!    bytes. If the URLs that a level discovers do not fit, this level is the last.
//!    None of them is queued, since the order of the responses decides which ones fit.

use super::job::Job;
use super::ledger::Ledger;
use super::url_id::UrlId;
use super::urls::{Discovery, State};
use crate::http::Needs;
use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A level that is starting. First all its URLs are updated, then their jobs are made.
#[derive(Debug)]
pub(super) struct Level {
    number: u32,
    /// The URLs that are not updated yet.
    met: BTreeMap<UrlId, Discovery>,
    /// The updated URLs that are due, in the order of their names.
    due: BTreeMap<Arc<str>, UrlId>,
}

impl Ledger {
    /// Handles the discovery of a URL: adds its job to `jobs`, or defers it to its
    /// level.
    pub(super) fn discover(
        &mut self,
        id: UrlId,
        discovery: Discovery,
        level: u32,
        jobs: &mut Vec<Job>,
    ) {
        if self.goes_by_levels {
            self.defer(id, discovery, level);
        } else if let Some(due) = self.propagate(id, discovery) {
            jobs.push(self.make_job(due, level));
        }
    }

    fn defer(&mut self, id: UrlId, discovery: Discovery, level: u32) {
        let entry = &self.urls[id];
        if matches!(entry.state, State::Discovered) || { entry.discovery }
            .merge(discovery)
        {
            let level = self.deferred.entry(level).or_default();
            level.entry(id).or_default().merge(discovery);
        }
    }

    /// Merges a discovery into a URL: its budget of redirects, and whether a link
    /// leads to it. If the URL is a redirect that was followed, the target gets the
    /// discovery, too, with one redirect less. Returns the URL at the end of these
    /// redirects if it is due.
    fn propagate(&mut self, mut id: UrlId, mut discovery: Discovery) -> Option<UrlId> {
        loop {
            let entry = &mut self.urls[id];
            let is_more = entry.discovery.merge(discovery);
            discovery = entry.discovery;
            match self.urls.redirect_target(id).filter(|_| is_more) {
                Some(next) => {
                    discovery.redirects_left -= 1;
                    id = next;
                }
                None => return self.urls[id].is_due().then_some(id),
            }
        }
    }

    /// Returns the next level if no job is open: redirect targets of the current
    /// level, or else the level below it. `None` if there is no level, or a limit
    /// forbids it.
    pub(super) fn next_level(&mut self) -> Option<Level> {
        let (open, is_full) = (self.open, self.is_full);
        let deepest = self.options.max_depth.unwrap_or(u32::MAX);
        match self.deferred.first_entry() {
            Some(next) if open == 0 && !is_full && *next.key() <= deepest => {
                let (number, met) = next.remove_entry();
                self.open += 1; // for the start: no other level may begin meanwhile
                Some(Level { number, met, due: BTreeMap::new() })
            }
            _ => None,
        }
    }

    /// Takes one step of the start of a level: updates a URL or makes a job. Returns
    /// the level if more steps are left; after the last step, the next level.
    pub(super) fn start_next(
        &mut self,
        mut level: Level,
        jobs: &mut Vec<Job>,
    ) -> Option<Level> {
        if let Some((id, discovery)) = level.met.pop_first() {
            let due = self.propagate(id, discovery);
            level.due.extend(due.map(|id| (Arc::clone(self.urls.name(id)), id)));
        } else if let Some((_, id)) = level.due.pop_first() {
            if self.has_room_for(id) {
                jobs.push(self.make_job(id, level.number));
            }
        } else {
            self.open -= 1;
            return self.next_level();
        }
        Some(level)
    }

    /// Ends the crawl for URLs that are still deferred: they are beyond a limit, or
    /// the crawl was stopped.
    pub(super) fn give_up_deferred(&mut self) {
        for (id, discovery) in mem::take(&mut self.deferred).into_values().flatten() {
            self.propagate(id, discovery);
        }
    }

    /// Returns whether `--max-pages` allows this URL. A URL that is queued again
    /// counts once.
    fn has_room_for(&self, id: UrlId) -> bool {
        let is_again = self.urls.settled(id).is_some();
        is_again || self.options.max_pages.is_none_or(|most| self.queued < most)
    }

    fn make_job(&mut self, id: UrlId, level: u32) -> Job {
        let is_again = self.urls.settled(id).is_some();
        self.queued += u64::from(!is_again);
        self.open += 1;
        let entry = &mut self.urls[id];
        entry.level = level;
        entry.state = State::Open;
        let server = entry.server;
        Job {
            url: Arc::clone(self.urls.name(id)),
            pause: Duration::ZERO,
            id,
            server,
            needs: Needs::Whole { max_body: self.options.max_body },
            attempts: 0,
            excused: 0,
            began: Instant::now(),
            requeues: 0,
            was_refused: false,
            is_crowded: false,
            peak_before: 0,
            has_permit: false,
        }
    }
}
