//! A breadth-first search over the links. It finds the distance of each URL from a
//! root, and the page on which it is found first.

use super::url_id::UrlId;
use super::urls::Urls;
use std::collections::BTreeMap;

/// The results of the search, each indexed by the number of the URL.
#[derive(Debug)]
pub(super) struct BreadthFirst {
    /// The smallest number of links from a root; `None` for an unreachable URL.
    pub(super) depth: Vec<Option<u32>>,
    /// The page on which the URL is found first, or the redirect if no page links to
    /// it. `None` for a root.
    pub(super) found_on: Vec<Option<UrlId>>,
    /// How many URLs are found first on this page.
    pub(super) new_links: Vec<usize>,
}

impl BreadthFirst {
    /// Searches from the roots. A redirect is not a link: its target has the same
    /// distance, if at most `max_redirect` redirects lead there.
    pub(super) fn new(
        urls: &Urls,
        by_name: &[UrlId],
        roots: &[UrlId],
        max_redirect: u32,
        counts: impl Fn(UrlId) -> bool,
    ) -> BreadthFirst {
        let count = urls.len();
        // The rank of each URL in the order of names.
        let mut rank = vec![0; count];
        for (position, id) in by_name.iter().enumerate() {
            rank[id.index()] = position;
        }
        // The smallest number of redirects since the last link, for each URL so far.
        let mut fewest = vec![u32::MAX; count];
        let (depth, found_on) = (vec![None; count], vec![None; count]);
        let mut search = BreadthFirst { depth, found_on, new_links: vec![0; count] };
        // The queue, ordered by the number of links, then of redirects since the last
        // link. Each URL has the rank of the page that leads to it; of several pages
        // the first by name.
        let roots = roots.iter().map(|root| ((0, 0, *root), None));
        let mut queue: BTreeMap<(u32, u32, UrlId), Option<usize>> = roots.collect();
        while let Some(((links, redirects, id), finder)) = queue.pop_first() {
            if redirects >= fewest[id.index()] {
                continue;
            }
            fewest[id.index()] = redirects;
            let here = Some(rank[id.index()]);
            let mut reach = |links, redirects, id: UrlId| {
                if redirects < fewest[id.index()] {
                    let first = queue.entry((links, redirects, id)).or_insert(here);
                    *first = here.min(*first);
                }
            };
            if search.depth[id.index()].is_none() {
                search.depth[id.index()] = Some(links);
                search.found_on[id.index()] = finder.map(|position| by_name[position]);
                if let (0, Some(page)) = (redirects, search.found_on[id.index()])
                    && counts(id)
                {
                    search.new_links[page.index()] += 1;
                }
                urls.references(id).iter().for_each(|link| reach(links + 1, 0, *link));
            }
            if let Some(next) =
                urls.redirect_target(id).filter(|_| redirects < max_redirect)
            {
                reach(links, redirects + 1, next);
            }
        }
        search
    }
}
