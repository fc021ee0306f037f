//! Makes the report of a ledger: rows sorted by URL, which do not depend on the
//! response that came first, and totals that add up.

use super::bfs::BreadthFirst;
use super::ledger::{CrawlEnd, Ledger};
use super::settled::Settled;
use super::urls::{State, UrlId};
use crate::error::FetchError;
use crate::report::{Outcome, Report, Row, Summary};
use std::collections::HashSet;
use std::sync::Arc;
use url::Url;

/// So many pages are listed for all URLs that failed together, or at least
/// [`LISTED_FOR_EACH`] for each of them: a menu with a hundred broken links, on a hundred
/// thousand pages, would be ten million.
const LISTED: usize = 1_000_000;
/// Pages that are listed for each URL that failed, however many failed.
const LISTED_FOR_EACH: usize = 100;

/// How many pages are listed for each URL that failed, the first by name, if so many did.
fn most_listed(failures: usize) -> usize {
    (LISTED / failures.max(1)).max(LISTED_FOR_EACH)
}

fn not_all_listed(most: usize) -> String {
    format!("so many links are broken that only {most} pages are listed for each")
}

impl Ledger {
    /// Closes the ledger, and returns the report.
    pub fn close(mut self, end: CrawlEnd) -> Report {
        self.progress.end();
        self.give_up_deferred();
        self.refuse_where_roots_lead();
        let left = self.urls.entries().filter(|entry| entry.is_unfinished()).count();
        let answered = self.roots.iter().any(|root| self.was_answered(*root));
        let most_listed = self.fill_in_where_found();
        let mut rows: Vec<Row> =
            self.urls.take_settled().map(|settled| settled.row).collect();
        rows.sort_unstable_by(|a, b| a.url.cmp(&b.url));
        let left = left.max(usize::from(self.is_full)); // what did not fit is not counted
        let complete = left == 0 && matches!(end, CrawlEnd::Done);
        let summary = self.summary(&rows, complete, left);
        Report {
            rows,
            summary,
            interrupted: matches!(end, CrawlEnd::Interrupted),
            out_of_time: matches!(end, CrawlEnd::OutOfTime),
            stuck: match end {
                CrawlEnd::Stuck(waits) => Some(waits),
                _ => None,
            },
            answered,
            warnings: most_listed.map(not_all_listed).into_iter().collect(),
        }
    }

    /// Fills in the fields of the rows that depend on all pages of the crawl.
    /// Returns how many pages are listed for a URL that failed, if not all of them are.
    fn fill_in_where_found(&mut self) -> Option<usize> {
        let by_name = self.urls.by_name();
        let search = BreadthFirst::new(
            &self.urls,
            &by_name,
            &self.roots,
            self.options.max_redirect,
            // If not all that was discovered could be stored, it would depend on the order
            // of the responses how much of it counts.
            |id| !self.is_full || self.urls.settled(id).is_some(),
        );
        let BreadthFirst { depth, found_on, new_links } = search;
        let (mut failures, most) = self.pages_of_failures(&by_name, most_listed);
        for id in by_name {
            let pages = failures[id.index()]
                .take()
                .unwrap_or_else(|| found_on[id.index()].into_iter().collect());
            let name = |page| Arc::clone(self.urls.name(page));
            let pages = pages.into_iter().map(name).collect();
            if let Some(settled) = self.urls.settled_mut(id) {
                settled.row.found_on = pages;
                settled.row.depth = depth[id.index()].unwrap_or(0);
                settled.row.num_new_links = new_links[id.index()];
            }
        }
        most
    }

    /// Returns for each URL that failed, by number, all pages that link to it: each of
    /// them has to be fixed. `None` for a URL that did not fail.
    ///
    /// There are at most so many of them as `most` says for this number of failures, and
    /// the second value is that number, if some were left out.
    fn pages_of_failures(
        &self,
        by_name: &[UrlId],
        most: fn(failures: usize) -> usize,
    ) -> (Vec<Option<Vec<UrlId>>>, Option<usize>) {
        let mut pages = vec![None; self.urls.len()];
        for id in by_name {
            let settled = self.urls.settled(*id);
            if settled.is_some_and(|it| it.row.outcome.is_failure()) {
                pages[id.index()] = Some(Vec::new());
            }
        }
        let failures = pages.iter().flatten().count();
        let most = most(failures);
        let mut are_cut = false;
        for &page in by_name {
            for id in self.urls.links(page).iter().chain(&self.urls.next(page)) {
                if let Some(pages) = &mut pages[id.index()] {
                    match pages.len() < most {
                        true => pages.push(page),
                        false => are_cut = true,
                    }
                }
            }
        }
        (pages, are_cut.then_some(most))
    }

    /// If this program speaks http only, and the redirects of a root end at https, adds
    /// a row for that URL which says so.
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

    /// Returns the target of a redirect, if it is on a root's site and its scheme is
    /// not spoken.
    fn unspoken_target(&self, id: UrlId) -> Option<Url> {
        let next_url = self.urls.settled(id)?.row.next_url.as_deref()?;
        let target = Url::parse(next_url).ok()?;
        let is_ours = self.scope.is_on_site(&target) && !self.scope.speaks(&target);
        is_ours.then_some(target)
    }

    /// Settles a URL whose scheme this program does not speak.
    pub(super) fn refuse(&mut self, id: UrlId) {
        let mut row = Row::new(Arc::clone(self.urls.name(id)));
        row.fail(&FetchError::HttpsNotSpoken);
        let settled = Settled::new(row, false);
        self.urls[id].state = State::Settled(Box::new(settled));
    }

    fn was_answered(&self, root: UrlId) -> bool {
        self.urls.settled(root).is_some_and(|settled| settled.was_answered)
    }

    fn summary(&self, rows: &[Row], complete: bool, left: usize) -> Summary {
        let count = |outcome| rows.iter().filter(|row| row.outcome == outcome).count();
        let (ok, redirect) = (count(Outcome::Ok), count(Outcome::Redirect));
        let http_error = count(Outcome::HttpError);
        Summary {
            stage: self.program.name,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Options, Program};
    use crate::page::Page;

    /// A menu of broken links, on every page.
    #[test]
    fn of_very_many_broken_links_only_so_many_pages_are_listed() {
        let url = |path: &str| Url::parse(&format!("http://site.test/{path}")).unwrap();
        let links: Vec<Url> = ["gone", "lost"].map(url).into();
        let options = Options::with_roots(["a", "b", "c"].map(url));
        let program = Program::http_only("a-test", "1");
        let (mut ledger, mut jobs) = Ledger::open(&options, &program);
        while let Some(mut job) = jobs.pop() {
            let is_broken = links.contains(&ledger.begin(&mut job));
            let page = match is_broken {
                true => Page { status: 404, ..Page::default() },
                false => Page { status: 200, links: links.clone(), ..Page::default() },
            };
            jobs.extend(ledger.settle(job, Ok(page)));
        }
        let by_name = ledger.urls.by_name();
        let listed = |most| {
            let (pages, cut) = ledger.pages_of_failures(&by_name, most);
            let names = |ids: &Vec<UrlId>| -> Vec<_> {
                ids.iter().map(|id| ledger.urls.name(*id).to_string()).collect()
            };
            (pages.iter().flatten().map(names).collect::<Vec<_>>(), cut)
        };
        let all = ["a", "b", "c"].map(|path| url(path).to_string()).to_vec();
        assert_eq!(listed(most_listed), (vec![all.clone(), all.clone()], None));
        let first = all[..2].to_vec();
        assert_eq!(listed(|failures| failures), (vec![first.clone(), first], Some(2)));
        assert_eq!(ledger.close(CrawlEnd::Done).warnings.len(), 0);
    }

    #[test]
    fn all_pages_are_listed_until_there_are_too_many_of_all_failures() {
        for (failures, most) in
            [(0, LISTED), (1, LISTED), (100, 10_000), (100_000, 100)]
        {
            assert_eq!(most_listed(failures), most, "{failures}");
        }
    }
}
