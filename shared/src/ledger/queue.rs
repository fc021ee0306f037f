//! What follows: when a URL that is met becomes a job.

use super::{Job, Ledger, State, UrlId};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use url::Url;

/// URLs whose level has not begun, and the largest budget that each was met with there.
pub(super) type Held = BTreeMap<u32, BTreeMap<UrlId, u32>>;

impl Ledger {
    /// A URL is met, with a budget of redirects. Without limits it is queued at once,
    /// if anything is left to do about it. With limits nothing changes before a level
    /// is settled: what its answers may do must not depend on which of them came first.
    pub(super) fn meet(
        &mut self,
        id: UrlId,
        budget: u32,
        level: u32,
        jobs: &mut Vec<Job>,
    ) {
        if self.options.goes_by_levels() {
            self.hold(id, budget, level);
        } else if let Some(due) = self.raise(id, budget) {
            jobs.push(self.make_job(due, level));
        }
    }

    fn hold(&mut self, id: UrlId, budget: u32, level: u32) {
        let entry = &self.urls[id];
        if matches!(entry.state, State::Known) || budget > entry.redirects_left {
            let largest = self.held.entry(level).or_default().entry(id).or_default();
            *largest = budget.max(*largest);
        }
    }

    /// Gives a URL a budget of redirects, which a redirect that was followed hands on.
    /// Returns where something is left to do now.
    fn raise(&mut self, mut id: UrlId, mut budget: u32) -> Option<UrlId> {
        loop {
            let entry = &mut self.urls[id];
            let is_larger = budget > entry.redirects_left;
            entry.redirects_left = entry.redirects_left.max(budget);
            match self.urls.next(id).filter(|_| is_larger) {
                Some(next) => (id, budget) = (next, budget - 1),
                None => return self.urls[id].is_due().then_some(id),
            }
        }
    }

    /// Once nothing is open any more: what the answers of this level have led to by
    /// redirects, else the next level. In the order of the URLs.
    pub(super) fn release(&mut self) -> Vec<Job> {
        let mut jobs = Vec::new();
        while self.open == 0
            && let Some(next) = self.held.first_entry()
            && self.options.max_depth.is_none_or(|deepest| *next.key() <= deepest)
        {
            let (level, met) = next.remove_entry();
            for id in self.raise_all(met) {
                if self.has_room_for(id) {
                    jobs.push(self.make_job(id, level));
                }
            }
        }
        jobs
    }

    fn raise_all(&mut self, met: BTreeMap<UrlId, u32>) -> Vec<UrlId> {
        let raised = met.into_iter().filter_map(|(id, budget)| self.raise(id, budget));
        let mut due: Vec<UrlId> = raised.collect();
        self.urls.sort_by_name(&mut due);
        due.dedup();
        due
    }

    /// What is held at the end is left: it lies beyond a limit, or the crawl was
    /// stopped.
    pub(super) fn give_up_held(&mut self) {
        for met in std::mem::take(&mut self.held).into_values() {
            self.raise_all(met);
        }
    }

    /// --max-pages counts URLs: one that is queued again is not one more.
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
        let name = self.urls.name(id);
        let url = Url::parse(name).expect("names are URLs that were parsed before");
        let (pause, began) = (Duration::ZERO, Instant::now());
        Job { url, pause, id, attempts: 0, began, put_back: 0, peak_before: 0 }
    }
}
