//! The end of the books: how far each URL is from a root, and where it was found. One
//! walk over the links, so that the report does not depend on who answered first.

use super::row::Settled;
use super::{Ending, Ledger, State, UrlId};
use crate::error::FetchError;
use crate::report::{Outcome, Report, Stat, Summary};
use url::Url;

impl Ledger {
    /// Closes the books: rows sorted by URL, totals that add up.
    pub fn close(mut self, ending: Ending) -> Report {
        self.progress.end();
        let left = self.urls.values().filter(|entry| entry.is_left()).count();
        let answered = self.roots.iter().any(|root| self.was_answered(*root));
        self.fill_in_where_found();
        let mut rows = self.roots_that_lead_to_https();
        rows.extend(self.urls.drain(..).filter_map(|(_, entry)| match entry.state {
            State::Settled(settled) => Some(settled.stat),
            _ => None,
        }));
        rows.sort_by(|a, b| a.url.cmp(&b.url));
        rows.dedup_by(|a, b| a.url == b.url);
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
        let depth = self.depths();
        let mut by_name: Vec<UrlId> = (0..self.urls.len()).map(UrlId::new).collect();
        by_name.sort_by(|a, b| self.name(*a).cmp(self.name(*b)));
        let mut found_on: Vec<Vec<UrlId>> = vec![Vec::new(); self.urls.len()];
        let mut new_links = vec![0; self.urls.len()];
        // In the order of the names: the first page that qualifies is the smallest.
        for &page in &by_name {
            for &link in self.settled(page).map_or(&[][..], |settled| &settled.links) {
                let is_nearer =
                    depth[link.index()] == depth[page.index()].map(|it| it + 1);
                let is_first = is_nearer && found_on[link.index()].is_empty();
                new_links[page.index()] += usize::from(is_first);
                if is_first {
                    found_on[link.index()].push(page);
                }
            }
        }
        for &page in &by_name {
            let Some(next) = self.next(page).filter(|next| !self.roots.contains(next))
            else {
                continue;
            };
            let is_as_far = depth[next.index()] == depth[page.index()];
            if is_as_far && found_on[next.index()].is_empty() {
                found_on[next.index()].push(page);
            }
        }
        self.name_all_pages_of_failures(&by_name, &mut found_on);
        for (index, pages) in found_on.into_iter().enumerate() {
            let names = pages.iter().map(|page| self.name(*page).to_string()).collect();
            if let State::Settled(settled) = &mut self.urls[index].state {
                settled.stat.found_on = names;
                settled.stat.depth = depth[index].unwrap_or(0);
                settled.stat.num_new_links = new_links[index];
            }
        }
    }

    /// Breadth first over links, from the roots. A redirect is not a link: its target is
    /// as far away as the redirect itself.
    fn depths(&self) -> Vec<Option<u32>> {
        let mut depth: Vec<Option<u32>> = vec![None; self.urls.len()];
        let mut level = self.roots.clone();
        for distance in 0.. {
            let mut following = Vec::new();
            while let Some(id) = level.pop() {
                if depth[id.index()].is_none() {
                    depth[id.index()] = Some(distance);
                    level.extend(self.next(id));
                    following.extend(self.settled(id).iter().flat_map(|it| &it.links));
                }
            }
            if following.is_empty() {
                break;
            }
            level = following;
        }
        depth
    }

    /// Whoever mends a broken link wants to know every page that has it.
    fn name_all_pages_of_failures(
        &self,
        by_name: &[UrlId],
        found_on: &mut [Vec<UrlId>],
    ) {
        let failed = |id: UrlId| {
            self.settled(id).is_some_and(|settled| settled.stat.outcome.is_failure())
        };
        for &id in by_name.iter().filter(|id| failed(**id)) {
            found_on[id.index()].clear();
        }
        for &page in by_name {
            let Some(settled) = self.settled(page) else { continue };
            let mut pointed_to: Vec<UrlId> = settled.links.to_vec();
            pointed_to.extend(settled.next);
            for id in pointed_to.into_iter().filter(|id| failed(*id)) {
                found_on[id.index()].push(page);
            }
        }
    }

    /// A program that speaks http only: a root whose redirects end at https gets a row
    /// that says so.
    fn roots_that_lead_to_https(&self) -> Vec<Stat> {
        let mut rows = Vec::new();
        for root in &self.roots {
            let mut last = *root;
            for _ in 0..self.urls.len() {
                last = self.next(last).unwrap_or(last);
            }
            let Some(settled) = self.settled(last) else { continue };
            let target =
                settled.stat.next_url.as_deref().and_then(|url| Url::parse(url).ok());
            let is_ours =
                |url: &Url| self.scope.is_on_site(url) && !self.scope.speaks(url);
            if let Some(target) = target.filter(is_ours) {
                let mut row = Stat::new(target.as_str());
                row.fail(&FetchError::HttpsNotSpoken);
                row.found_on = vec![self.name(last).to_string()];
                rows.push(row);
            }
        }
        rows
    }

    fn was_answered(&self, root: UrlId) -> bool {
        self.settled(root).is_some_and(|settled| settled.was_answered)
    }

    fn settled(&self, id: UrlId) -> Option<&Settled> {
        match &self.urls[id.index()].state {
            State::Settled(settled) => Some(settled),
            _ => None,
        }
    }

    fn next(&self, id: UrlId) -> Option<UrlId> {
        self.settled(id)?.next
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
            peak_tasks: self.peak,
            complete,
            left,
        }
    }
}
