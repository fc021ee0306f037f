//! Which pages link to what failed.

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
/// Pages that are listed for each row that failed, however many failed.
pub(super) const MIN_LISTED_PER_ROW: usize = 100;

/// Returns how many pages to list for each failed row, if this many rows have failed.
pub(super) fn most_listed(failures: usize) -> usize {
    (MAX_LISTED / failures.max(1)).max(MIN_LISTED_PER_ROW)
}

/// Where a URL that failed was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The pages that lead there, in the order of their names.
    pub(super) pages: Vec<UrlId>,
    /// How the first [`MAX_PAGES_SHOWN`] of them do: see [`Row::via`](crate::report::Row::via).
    pub(super) via: Vec<Vec<UrlId>>,
}

/// The pages that have to be fixed: for each URL that failed, by number, those that link
/// to it, or to a redirect that leads to it.
#[derive(Debug)]
pub(super) struct Referrers<'a> {
    urls: &'a Urls,
    chains: &'a Chains,
    /// `None` for a URL that did not fail.
    found: Vec<Option<Box<Found>>>,
    /// The most pages that are listed for each URL.
    most: usize,
    /// How many more pages may be listed for URLs to which they do not link, in loops of
    /// redirects. Else a link to a long loop would count once for each URL of it.
    left_for_loops: usize,
    /// How many more URLs may be listed between links and the URLs of loops. What is not
    /// in a loop is between the links and one URL only.
    left_for_ways: usize,
    /// Whether some were left out.
    are_cut: bool,
}

impl<'a> Referrers<'a> {
    /// Finds the pages, at most `most` for each URL.
    ///
    /// No page links to a root, so a root that is a redirect counts as a page that links
    /// to its target. The work is linear in the links and in what is listed.
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

    /// Adds a page to all that failed from `id` on, where a link on it leads. Pages come in
    /// order of name. So if this list is full or has the page, the lists behind it are full
    /// or have it, too.
    fn link(&mut self, page: UrlId, link: UrlId, mut id: UrlId) {
        loop {
            // Only the end of a chain fails, or all of it if it is a loop.
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

/// Returns the URLs from a link to the URL that failed behind it; none if that is the link
/// itself. If `left` is given it counts them. If they are more, there are none, for this
/// URL and all that come later.
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

    /// A long loop of redirects, entered by a link to its first URL. What all its URLs say
    /// of the way there would grow with the square of its length.
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
