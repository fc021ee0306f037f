//! Which pages link to what failed.

use super::chains::Chains;
use super::url_id::UrlId;
use super::urls::Urls;
use std::collections::HashSet;

/// The most referring pages listed in a report, shared among all failed rows (but at
/// least [`MIN_LISTED_PER_ROW`] for each). A menu with 100 broken links on 100,000 pages
/// would list ten million.
const MAX_LISTED: usize = 1_000_000;
/// Pages that are listed for each row that failed, however many failed.
pub(super) const MIN_LISTED_PER_ROW: usize = 100;

/// Returns how many pages to list for each failed row, if this many rows have failed.
pub(super) fn most_listed(failures: usize) -> usize {
    (MAX_LISTED / failures.max(1)).max(MIN_LISTED_PER_ROW)
}

/// The pages that have to be fixed: for each URL that failed, by number, those that link
/// to it, or to a redirect that leads to it.
#[derive(Debug)]
pub(super) struct Referrers<'a> {
    urls: &'a Urls,
    chains: &'a Chains,
    /// In the order of their names. `None` for a URL that did not fail.
    pages: Vec<Option<Vec<UrlId>>>,
    /// The most pages that are listed for each URL.
    most: usize,
    /// How many more pages may be listed for URLs to which they do not link, in loops of
    /// redirects. Else a link to a long loop would count once for each URL of it.
    left_for_loops: usize,
    /// Whether some were left out.
    are_cut: bool,
}

impl<'a> Referrers<'a> {
    /// Finds the pages, at most `most` for each URL.
    ///
    /// No page links to a root, so a root that is a redirect counts as a page that links
    /// to its target. The work is linear in the links and in the pages listed.
    pub(super) fn find(
        urls: &'a Urls,
        chains: &'a Chains,
        by_name: &[UrlId],
        roots: &[UrlId],
        most: usize,
    ) -> (Vec<Option<Vec<UrlId>>>, bool) {
        let failed = |id| {
            let settled = urls.settled(id)?;
            settled.row.outcome.is_failure().then(Vec::new)
        };
        let pages = urls.ids().map(failed).collect();
        let (left_for_loops, are_cut) = (MAX_LISTED, false);
        let mut referrers =
            Referrers { urls, chains, pages, most, left_for_loops, are_cut };
        let roots: HashSet<UrlId> = roots.iter().copied().collect();
        for page in by_name {
            urls.references(*page).iter().for_each(|link| referrers.link(*page, *link));
            if let Some(next) =
                urls.redirect_target(*page).filter(|_| roots.contains(page))
            {
                referrers.link(*page, next);
            }
        }
        (referrers.pages, referrers.are_cut)
    }

    /// Adds a page to all that failed behind a link on it. Pages come in order of name.
    /// So if this list is full or has the page, the lists behind it are full or have
    /// it, too.
    fn link(&mut self, page: UrlId, mut id: UrlId) {
        loop {
            // Only the end of a chain fails, or all of it if it is a loop.
            let end = self.chains.final_target(id);
            id = end.unwrap_or(id);
            let Some(pages) = &mut self.pages[id.index()] else { return };
            if id == page || pages.last() == Some(&page) {
                return;
            }
            if pages.len() >= self.most {
                self.are_cut = true;
                return;
            }
            pages.push(page);
            let Some(next) = self.urls.redirect_target(id).filter(|_| end.is_none())
            else {
                return;
            };
            let Some(left) = self.left_for_loops.checked_sub(1) else {
                self.are_cut = true;
                return;
            };
            (self.left_for_loops, id) = (left, next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawl::ledger::Ledger;
    use crate::options::{Options, Program};
    use crate::page::Page;
    use url::Url;

    #[test]
    fn all_pages_are_listed_until_there_are_too_many_of_all_failures() {
        for (failures, most) in
            [(0, MAX_LISTED), (1, MAX_LISTED), (100, 10_000), (100_000, 100)]
        {
            assert_eq!(most_listed(failures), most, "{failures}");
        }
    }

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
        let chains = Chains::new(&ledger.urls);
        let listed = |most| {
            let roots = &ledger.roots;
            let (pages, are_cut) =
                Referrers::find(&ledger.urls, &chains, &by_name, roots, most);
            let names = |ids: &Vec<UrlId>| -> Vec<_> {
                ids.iter().map(|id| ledger.urls.name(*id).to_string()).collect()
            };
            (pages.iter().flatten().map(names).collect::<Vec<_>>(), are_cut)
        };
        let all = ["a", "b", "c"].map(|path| url(path).to_string()).to_vec();
        assert_eq!(listed(most_listed(2)), (vec![all.clone(), all.clone()], false));
        let first = all[..2].to_vec();
        assert_eq!(listed(2), (vec![first.clone(), first], true));
    }
}
