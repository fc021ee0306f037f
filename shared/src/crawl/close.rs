//! Turns a ledger into a report. The rows are sorted by URL and do not depend on the
//! order of the responses, and the totals add up.

use super::bfs::BreadthFirst;
use super::chains::Chains;
use super::fragments::Missing;
use super::ledger::{CrawlEnd, Ledger};
use super::referrers::{Found, Referrers, most_listed};
use super::settled::Settled;
use super::url_id::UrlId;
use super::urls::State;
use crate::error::FetchError;
use crate::report::{Outcome, Report, Row, Summary, Unsearched};
use std::collections::HashSet;
use std::sync::Arc;
use url::Url;

const LOOP: &str = "a loop of redirects";
const LOOP_WITH_COOKIE: &str =
    "a loop of redirects that sets a cookie, which is not kept";
const HTTPS_LEFT_OUT: &str = "links to https were not checked: this stage speaks http \
                              only; stage 3 (stage3-async) checks them";

fn not_all_listed(most: usize) -> String {
    format!("too many links are broken: only {most} pages are listed for each")
}

fn not_all_kept(kept: usize) -> String {
    format!("too many links cannot be parsed: only the first {kept} are listed")
}

fn not_all_missing(kept: usize) -> String {
    format!("too many fragments are missing: only the first {kept} are listed")
}

impl Ledger {
    /// Closes the ledger, and returns the report.
    pub fn close(mut self, end: CrawlEnd) -> Report {
        self.progress.end();
        self.give_up_deferred();
        self.refuse_where_roots_lead();
        let left = self.urls.entries().filter(|entry| entry.is_unfinished()).count();
        let answered = self.roots.iter().any(|root| self.was_answered(*root));
        let chains = Chains::new(&self.urls);
        self.fail_loops(&chains);
        let unchecked = self.unchecked_roots(&chains);
        let (unsearched, unsearched_warnings) = self.unsearched(&chains);
        let cut_pages = self.cut_pages();
        let is_unchecked = !unchecked.is_empty() || self.fragments.are_too_many();
        let (mut rows, more_warnings) = self.rows(&chains);
        rows.sort_unstable_by(|a, b| a.url.cmp(&b.url));
        // URLs that did not fit were not counted. There is at least one.
        let left = left.max(usize::from(self.is_full || cut_pages.is_some()));
        let complete = left == 0 && matches!(end, CrawlEnd::Done);
        let summary = self.summary(&rows, complete, left, unsearched);
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
            warnings: unchecked
                .into_iter()
                .chain(unsearched_warnings)
                .chain(cut_pages)
                .chain(more_warnings)
                .collect(),
            is_unchecked,
            origin: None,
        }
    }

    /// Turns redirects that never end into failures, since no page is found there.
    /// (The crawl of a loop ended without an error, because no URL is requested
    /// twice.)
    fn fail_loops(&mut self, chains: &Chains) {
        for id in self.urls.ids().filter(|id| chains.final_target(*id).is_none()) {
            if let Some(settled) = self.urls.settled_mut(id) {
                settled.row.outcome = Outcome::TooManyRedirects;
                settled.row.error = Some(match chains.is_loop_with_cookie(id) {
                    true => LOOP_WITH_COOKIE.to_string(),
                    false => LOOP.to_string(),
                });
            }
        }
    }

    /// Returns the finished rows, and warnings about what was left out of them.
    fn rows(&mut self, chains: &Chains) -> (Vec<Row>, Vec<String>) {
        let by_name = self.urls.by_name();
        let search = BreadthFirst::new(
            &self.urls,
            &by_name,
            &self.roots,
            self.options.max_redirect,
            // If the memory was too small for all discovered URLs, the number of URLs
            // discovered in the last level depends on the order of the responses. So
            // only settled URLs count.
            |id| !self.is_full || self.urls.settled(id).is_some(),
        );
        let failed = self.urls.entries().filter(|entry| entry.is_failure()).count();
        let mut rank = vec![0; self.urls.len()];
        for (position, id) in by_name.iter().enumerate() {
            rank[id.index()] = position;
        }
        let (missing, are_missing_cut) = self.missing_fragments(chains, &rank);
        let most = most_listed(failed + self.unparsable.len() + missing.len());
        let (failures, mut are_cut) =
            Referrers::find(&self.urls, chains, &by_name, &self.roots, most);
        let missing_cut = are_missing_cut.then(|| not_all_missing(missing.len()));
        let mut rows = self.rows_of_links(&missing, &search, &rank, most, &mut are_cut);
        self.fill_in_where_found(&by_name, search, failures);
        self.tidy_links();
        rows.extend(self.urls.take_settled().map(|settled| settled.row));
        let cut = are_cut.then(|| not_all_listed(most));
        let kept =
            self.unparsable.are_cut().then(|| not_all_kept(self.unparsable.len()));
        let fragments =
            self.fragments.are_too_many().then(|| self.too_many_fragments());
        let fragments = fragments.or(missing_cut);
        let foreign = self.too_many_foreign_links();
        let https = self.has_left_out_https.then(|| HTTPS_LEFT_OUT.to_string());
        let warnings = [cut, kept, fragments, foreign, https];
        (rows, warnings.into_iter().flatten().collect())
    }

    fn too_many_fragments(&self) -> String {
        let limit = self.options.max_fragments >> 20;
        format!("the ids and fragments take more than {limit} MiB: none was checked")
    }

    /// Returns the rows of links that have no entry in the ledger, each with up to
    /// `most` of the pages that contain it.
    fn rows_of_links(
        &self,
        missing: &[Missing],
        search: &BreadthFirst,
        rank: &[usize],
        most: usize,
        are_cut: &mut bool,
    ) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut add = |mut row: Row, mut pages: Vec<UrlId>| {
            let depth = |page: &UrlId| {
                // Links add a step, redirects do not.
                let step = u32::from(self.urls.redirect_target(*page).is_none());
                Some(search.depth[page.index()]? + step)
            };
            row.depth = pages.iter().filter_map(depth).min().unwrap_or(0);
            pages.sort_unstable_by_key(|page| rank[page.index()]);
            *are_cut |= pages.len() > most;
            pages.truncate(most);
            let name = |page: UrlId| Arc::clone(self.urls.name(page));
            row.found_on = pages.into_iter().map(name).collect();
            rows.push(row);
        };
        for (text, (error, pages)) in self.unparsable.links() {
            add(Row::invalid(Arc::clone(text), *error), pages.clone());
        }
        for ((target, fragment), pages) in missing {
            let url = format!("{}#{fragment}", self.urls.name(*target));
            add(Row::missing_fragment(url), pages.to_vec());
        }
        rows
    }

    /// Fills in the fields of the rows that depend on the whole crawl.
    fn fill_in_where_found(
        &mut self,
        by_name: &[UrlId],
        search: BreadthFirst,
        mut failures: Vec<Option<Box<Found>>>,
    ) {
        let BreadthFirst { depth, found_on, new_links } = search;
        for id in by_name {
            let names = |ids: &[UrlId]| -> Vec<Arc<str>> {
                ids.iter().map(|id| Arc::clone(self.urls.name(*id))).collect()
            };
            let (pages, via) = match failures[id.index()].take() {
                Some(found) => {
                    let via = found.via.iter().map(|way| names(way)).collect();
                    (names(&found.pages), via)
                }
                None => (names(found_on[id.index()].as_slice()), Vec::new()),
            };
            if let Some(settled) = self.urls.settled_mut(*id) {
                settled.row.found_on = pages;
                settled.row.via = via;
                settled.row.depth = depth[id.index()].unwrap_or(0);
                settled.row.num_new_links = new_links[id.index()];
            }
        }
    }

    /// Adds a row for each https URL at the end of a root's redirects, if this program
    /// speaks http only. The row says so.
    fn refuse_where_roots_lead(&mut self) {
        let mut chain = self.roots.clone();
        let mut seen = HashSet::new();
        while let Some(id) = chain.pop() {
            if !seen.insert(id) {
                continue;
            }
            chain.extend(self.urls.redirect_target(id));
            if let Some(target) = self.unspoken_target(id) {
                let known = self.urls.find(target.as_str());
                let target =
                    known.unwrap_or_else(|| self.add(target.as_str(), &target));
                self.refuse(target);
                self.urls.settled_mut(id).expect("it has a target").next = Some(target);
            }
        }
    }

    /// Returns the target of a redirect if it is on a root's site, but this program
    /// does not speak its scheme.
    fn unspoken_target(&self, id: UrlId) -> Option<Url> {
        let next_url = self.urls.settled(id)?.row.next_url.as_deref()?;
        let target = Url::parse(next_url).ok()?;
        let is_refused = self.scope.is_on_site(&target) && !self.scope.speaks(&target);
        is_refused.then_some(target)
    }

    /// Settles a URL because this program does not speak its scheme.
    pub(super) fn refuse(&mut self, id: UrlId) {
        let mut row = Row::new(Arc::clone(self.urls.name(id)));
        row.fail(&FetchError::HttpsNotSpoken);
        let settled = Settled::new(row, false);
        self.urls[id].state = State::Settled(Box::new(settled));
    }

    fn was_answered(&self, root: UrlId) -> bool {
        self.urls.settled(root).is_some_and(|settled| settled.was_answered)
    }

    fn summary(
        &self,
        rows: &[Row],
        complete: bool,
        left: usize,
        unsearched: Unsearched,
    ) -> Summary {
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
            excluded: self.excluded.len(),
            unsearched,
        }
    }
}
