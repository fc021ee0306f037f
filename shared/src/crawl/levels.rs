//! What follows: when a URL that was discovered becomes a job.
//!
//! Without limits it is queued at once, if anything is left to do about it. With limits
//! the crawl goes level by level: nothing changes before a level is settled, so that what
//! is cut does not depend on which response came first.
//!
//! 1. `--max-depth` begins no level beyond it.
//! 2. `--max-pages` queues the URLs of a level in their order, until the limit is
//!    reached.
//! 3. The known URLs take at most [`MAX_KNOWN`](crate::options::MAX_KNOWN) bytes. If those
//!    that a level discovers do not fit, that level is the last: which of them fitted did
//!    depend on the order, so none is queued.

use super::job::Job;
use super::ledger::Ledger;
use super::url_id::UrlId;
use super::urls::{Discovery, State};
use crate::http::Needs;
use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A level that starts: first all its URLs are updated, and then their jobs are made.
#[derive(Debug)]
pub(super) struct Level {
    number: u32,
    /// URLs that were not updated yet.
    met: BTreeMap<UrlId, Discovery>,
    /// The URLs at which something is left to do, in the order of their names.
    due: BTreeMap<Arc<str>, UrlId>,
}

impl Ledger {
    /// A URL was discovered. Adds its job to `jobs`, or defers it.
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

    /// Gives a URL a budget of redirects, and makes it a page if a link leads to it. A
    /// redirect that was followed hands both on, the budget less one.
    /// Returns the URL at the end of these redirects if something is left to do about it.
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

    /// Returns what to start when nothing is open: the redirect targets of this level, or
    /// else the next level.
    pub(super) fn next_level(&mut self) -> Option<Level> {
        let (open, is_full) = (self.open, self.is_full);
        let deepest = self.options.max_depth.unwrap_or(u32::MAX);
        match self.deferred.first_entry() {
            Some(next) if open == 0 && !is_full && *next.key() <= deepest => {
                let (number, met) = next.remove_entry();
                self.open += 1; // for the start itself: meanwhile no other level begins
                Some(Level { number, met, due: BTreeMap::new() })
            }
            _ => None,
        }
    }

    /// Takes one step of the start of a level: updates one URL, or makes one job. Returns
    /// the level that is still to be started.
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

    /// What is still deferred at the end is left: it is beyond a limit, or the crawl was
    /// stopped.
    pub(super) fn give_up_deferred(&mut self) {
        for (id, discovery) in mem::take(&mut self.deferred).into_values().flatten() {
            self.propagate(id, discovery);
        }
    }

    /// --max-pages counts URLs: a URL that is queued again counts once.
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
            has_turn: false,
        }
    }
}
