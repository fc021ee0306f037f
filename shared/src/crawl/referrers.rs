//! Finds the pages that link to failed URLs.

use super::chains::Chains;
use super::url_id::UrlId;
use super::urls::Urls;
use crate::report::MAX_PAGES_SHOWN;
use std::collections::HashSet;
use std::iter;

/// The most referring pages listed in a report, shared among all failed rows (but at
/// least [`MIN_LISTED_PER_ROW`] for each). A menu with 100 broken links on 100,000 pages
/// would list ten million.
const MAX_LISTED: usize = 1_000_000;
/// How many pages may be listed for each failed row, however many rows have failed.
pub(super) const MIN_LISTED_PER_ROW: usize = 100;

/// Returns how many pages to list for each failed row, if this many rows have failed.
pub(super) fn most_listed(failures: usize) -> usize {
    (MAX_LISTED / failures.max(1)).max(MIN_LISTED_PER_ROW)
}

/// The places where a failed URL was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The pages that lead to the URL, in the order of their names.
    pub(super) pages: Vec<UrlId>,
    /// The redirects from each of the first [`MAX_PAGES_SHOWN`] pages: see
    /// [`Row::via`](crate::report::Row::via).
    pub(super) via: Vec<Vec<UrlId>>,
}

/// The pages that a person has to fix: for each failed URL, by number, the pages that
/// link to it, or to a redirect that leads to it.
#[derive(Debug)]
pub(super) struct Referrers<'a> {
    urls: &'a Urls,
    chains: &'a Chains,
    /// By the number of the URL; `None` if the URL did not fail.
    found: Vec<Option<Box<Found>>>,
    /// The most pages to list for a URL.
    most: usize,
    /// How many more pages may be listed for the other URLs in a loop of redirects, to
    /// which the pages do not link themselves. Without this limit a link to a long
    /// loop would be listed at each URL of the loop.
    left_for_loops: usize,
    /// How many more URLs may be listed in the ways to the URLs of loops. Outside of
    /// loops no limit is needed, since a redirect is on the ways to one URL only.
    left_for_ways: usize,
    /// Set when a page was left out.
    are_cut: bool,
}

impl<'a> Referrers<'a> {
    /// Finds the pages, up to `most` for each URL.
    ///
    /// A root that redirects counts as a page that links to its target, because no
    /// page may link to the root. The work is linear in the number of links and of
    /// listed URLs.
    pub(super) fn find(
        urls: &'a Urls,
        chains: &'a Chains,
        by_name: &[UrlId],
        roots: &[UrlId],
        most: usize,
    ) -> (Vec<Option<Box<Found>>>, bool) {
        let failed = |id| {
            let settled = urls.settled(id)?;
            settled.row.outcome.is_failure().then(Box::default)
        };
        let mut referrers = Referrers {
            urls,
            chains,
            found: urls.ids().map(failed).collect(),
            most,
            left_for_loops: MAX_LISTED,
            left_for_ways: MAX_LISTED,
            are_cut: false,
        };
        let roots: HashSet<UrlId> = roots.iter().copied().collect();
        for page in by_name {
            for link in urls.references(*page) {
                referrers.link(*page, *link, *link);
            }
            if let Some(next) =
                urls.redirect_target(*page).filter(|_| roots.contains(page))
            {
                referrers.link(*page, *page, next);
            }
        }
        (referrers.found, referrers.are_cut)
    }

    /// Adds a page to all URLs that failed because of its link `link`: to `id` and the
    /// redirect targets after it. Pages are added in the order of their names. So if
    /// the list of one URL is full or has the page already, the lists after it are
    /// full or have it, too.
    fn link(&mut self, page: UrlId, link: UrlId, mut id: UrlId) {
        loop {
            // Only the end of a chain can fail, or all URLs of a loop.
            let end = self.chains.final_target(id);
            id = end.unwrap_or(id);
            let Some(found) = &mut self.found[id.index()] else { return };
            if id == page || found.pages.last() == Some(&page) {
                return;
            }
            if found.pages.len() >= self.most {
                self.are_cut = true;
                return;
            }
            found.pages.push(page);
            if found.via.len() < MAX_PAGES_SHOWN {
                let left = end.is_none().then_some(&mut self.left_for_ways);
                found.via.push(way(self.urls, link, id, left));
            }
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

/// Returns the URLs from a link to the URL that failed; empty if the link is that URL.
/// If `left` is given, their number is subtracted from it. If they are more, the
/// result is empty, and `left` becomes zero.
fn way(urls: &Urls, link: UrlId, id: UrlId, left: Option<&mut usize>) -> Vec<UrlId> {
    let next = |at: &UrlId| urls.redirect_target(*at).filter(|_| *at != id);
    let way = iter::successors(Some(link).filter(|link| *link != id), next);
    let Some(left) = left else { return way.collect() };
    let way: Vec<UrlId> = way.take(*left + 1).collect();
    let rest = left.checked_sub(way.len());
    *left = rest.unwrap_or(0);
    if rest.is_some() { way } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawl::ledger::{CrawlEnd, Ledger};
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

    /// A menu of broken links that occurs on every page.
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
            let (found, are_cut) =
                Referrers::find(&ledger.urls, &chains, &by_name, roots, most);
            let names = |found: &Found| -> Vec<_> {
                let pages = found.pages.iter();
                pages.map(|id| ledger.urls.name(*id).to_string()).collect()
            };
            (
                found.iter().flatten().map(|found| names(found)).collect::<Vec<_>>(),
                are_cut,
            )
        };
        let all = ["a", "b", "c"].map(|path| url(path).to_string()).to_vec();
        assert_eq!(listed(most_listed(2)), (vec![all.clone(), all.clone()], false));
        let first = all[..2].to_vec();
        assert_eq!(listed(2), (vec![first.clone(), first], true));
    }

    /// A long loop of redirects, entered by a link to its first URL. If each URL described
    /// its whole redirect path, the output would grow with the square of the loop's
    /// length.
    #[test]
    fn the_ways_into_a_long_loop_take_no_more_than_their_share() {
        const LENGTH: usize = 3_000;
        let url = |number: usize| {
            Url::parse(&format!("http://site.test/{:04}", number % LENGTH)).unwrap()
        };
        let root = Url::parse("http://site.test/page").unwrap();
        let max_redirect = LENGTH as u32;
        let options = Options { max_redirect, ..Options::with_roots([root]) };
        let program = Program::http_only("a-test", "1");
        let (mut ledger, mut jobs) = Ledger::open(&options, &program);
        while let Some(mut job) = jobs.pop() {
            let asked = ledger.begin(&mut job);
            let page = match asked.path()[1..].parse::<usize>() {
                Err(_) => Page { status: 200, links: vec![url(0)], ..Page::default() },
                Ok(number) => Page {
                    status: 302,
                    redirect: Some(Ok(url(number + 1))),
                    ..Page::default()
                },
            };
            jobs.extend(ledger.settle(job, Ok(page)));
        }
        let report = ledger.close(CrawlEnd::Done);
        let ways: Vec<usize> =
            report.rows.iter().flat_map(|row| &row.via).map(Vec::len).collect();
        assert_eq!(ways.len(), LENGTH);
        // The first URL is the link itself. The way to the second has two URLs, and so on.
        assert_eq!(ways[..3], [0, 2, 3]);
        let told = ways[1..].iter().take_while(|length| **length > 0).count();
        let sum: usize = ways.iter().sum();
        assert!(sum <= MAX_LISTED && sum + told + 2 > MAX_LISTED, "{sum}");
        assert!(ways[1 + told..].iter().all(|length| *length == 0));
    }
}
