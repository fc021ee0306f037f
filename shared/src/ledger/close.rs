//! The end of the books: rows sorted by URL that do not depend on who answered first,
//! and totals that add up.

use super::row::Settled;
use super::urls::{State, UrlId};
use super::walk::Walk;
use super::{Ending, Ledger};
use crate::error::FetchError;
use crate::report::{Outcome, Report, Stat, Summary};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use url::Url;

impl Ledger {
    /// Closes the books.
    pub fn close(mut self, ending: Ending) -> Report {
        self.progress.end();
        self.give_up_held();
        self.refuse_where_roots_lead();
        let left = self.urls.entries().filter(|entry| entry.is_left()).count();
        let answered = self.roots.iter().any(|root| self.was_answered(*root));
        self.fill_in_where_found();
        let mut rows: Vec<Stat> =
            self.urls.take_settled().map(|settled| settled.stat).collect();
        rows.sort_unstable_by(|a, b| a.url.cmp(&b.url));
        let (interrupted, stuck) = match ending {
            Ending::Done => (false, None),
            Ending::Interrupted => (true, None),
            Ending::Stuck(who) => (false, Some(who)),
        };
        let complete = left == 0 && !interrupted && stuck.is_none();
        let summary = self.summary(&rows, complete, left);
        Report { rows, summary, interrupted, stuck, answered, warnings: Vec::new() }
    }

    fn fill_in_where_found(&mut self) {
        let by_name = self.urls.by_name();
        let walk =
            Walk::new(&self.urls, &by_name, &self.roots, self.options.max_redirect);
        let Walk { depth, found_on, new_links } = walk;
        let mut failures = self.pages_of_failures(&by_name);
        // A page may have thousands of broken links: its name is shared by all.
        let mut names: HashMap<UrlId, Arc<str>> = HashMap::new();
        for id in by_name {
            let pages = failures[id.index()]
                .take()
                .unwrap_or_else(|| found_on[id.index()].into_iter().collect());
            let name = |page| {
                let name = names.entry(page);
                Arc::clone(name.or_insert_with(|| self.urls.name(page).into()))
            };
            let pages = pages.into_iter().map(name).collect();
            if let Some(settled) = self.urls.settled_mut(id) {
                settled.stat.found_on = pages;
                settled.stat.depth = depth[id.index()].unwrap_or(0);
                settled.stat.num_new_links = new_links[id.index()];
            }
        }
    }

    /// Whoever mends a broken link wants to know every page that has it. By number;
    /// `None` for what did not fail.
    fn pages_of_failures(&self, by_name: &[UrlId]) -> Vec<Option<Vec<UrlId>>> {
        let mut pages = vec![None; self.urls.len()];
        for id in by_name {
            let settled = self.urls.settled(*id);
            if settled.is_some_and(|it| it.stat.outcome.is_failure()) {
                pages[id.index()] = Some(Vec::new());
            }
        }
        for &page in by_name {
            for id in self.urls.links(page).iter().chain(&self.urls.next(page)) {
                if let Some(pages) = &mut pages[id.index()] {
                    pages.push(page);
                }
            }
        }
        pages
    }

    /// A program that speaks http only: where the redirects of a root end at https,
    /// that URL gets a row that says so.
    fn refuse_where_roots_lead(&mut self) {
        let mut chain = self.roots.clone();
        let mut seen = HashSet::new();
        while let Some(id) = chain.pop() {
            if !seen.insert(id) {
                continue;
            }
            chain.extend(self.urls.next(id));
            if let Some(target) = self.unspoken_target(id) {
                let target = self.urls.intern(target.as_str());
                self.refuse(target);
                self.urls.settled_mut(id).expect("it has a target").next = Some(target);
            }
        }
    }

    fn unspoken_target(&self, id: UrlId) -> Option<Url> {
        let next_url = self.urls.settled(id)?.stat.next_url.as_deref()?;
        let target = Url::parse(next_url).ok()?;
        let is_ours = self.scope.is_on_site(&target) && !self.scope.speaks(&target);
        is_ours.then_some(target)
    }

    /// Books a URL that this program cannot even ask for.
    pub(super) fn refuse(&mut self, id: UrlId) {
        let mut stat = Stat::new(self.urls.name(id));
        stat.fail(&FetchError::HttpsNotSpoken);
        let settled = Settled::new(stat, false);
        self.urls[id].state = State::Settled(Box::new(settled));
    }

    fn was_answered(&self, root: UrlId) -> bool {
        self.urls.settled(root).is_some_and(|settled| settled.was_answered)
    }

    fn summary(&self, rows: &[Stat], complete: bool, left: usize) -> Summary {
        let count = |outcome| rows.iter().filter(|row| row.outcome == outcome).count();
        let (ok, redirect) = (count(Outcome::Ok), count(Outcome::Redirect));
        let http_error = count(Outcome::HttpError);
        Summary {
            stage: self.stage.name,
            urls: rows.len(),
            ok,
            redirect,
            http_error,
            failed: rows.len() - ok - redirect - http_error,
            bytes: rows.iter().filter_map(|row| row.size).sum(),
            elapsed: self.started.elapsed(),
            max_tasks: self.options.max_tasks,
            peak_tasks: self.peak.max(self.in_flight),
            complete,
            left,
        }
    }
}
