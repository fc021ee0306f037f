//! One walk over the links, nearest first: how far each URL is from a root, and where
//! it was found.

use super::urls::{UrlId, Urls};
use std::collections::BTreeMap;

/// What the walk finds for each URL, by number.
#[derive(Debug)]
pub(super) struct Walk {
    /// The fewest links from a root; `None` is out of reach.
    pub(super) depth: Vec<Option<u32>>,
    /// The page that names it first; for what no page names, the redirect.
    pub(super) found_on: Vec<Option<UrlId>>,
    /// How many URLs are found on this page first.
    pub(super) new_links: Vec<usize>,
}

impl Walk {
    /// Walks from the roots. A redirect is not a link: its target is as far away as the
    /// redirect itself, if at most `max_redirect` lead there.
    pub(super) fn new(
        urls: &Urls,
        by_name: &[UrlId],
        roots: &[UrlId],
        max_redirect: u32,
    ) -> Walk {
        let count = urls.len();
        let mut rank = vec![0; count];
        for (place, id) in by_name.iter().enumerate() {
            rank[id.index()] = place;
        }
        let mut fewest = vec![u32::MAX; count];
        let (depth, found_on) = (vec![None; count], vec![None; count]);
        let mut walk = Walk { depth, found_on, new_links: vec![0; count] };
        // By links, then by redirects since the last link; each with the smallest
        // finder.
        let roots = roots.iter().map(|root| ((0, 0, *root), None));
        let mut met: BTreeMap<(u32, u32, UrlId), Option<usize>> = roots.collect();
        while let Some(((links, redirects, id), finder)) = met.pop_first() {
            if redirects >= fewest[id.index()] {
                continue;
            }
            fewest[id.index()] = redirects;
            let me = Some(rank[id.index()]);
            let mut meet = |links, redirects, id: UrlId| {
                if redirects < fewest[id.index()] {
                    let first = met.entry((links, redirects, id)).or_insert(me);
                    *first = me.min(*first);
                }
            };
            if walk.depth[id.index()].is_none() {
                walk.depth[id.index()] = Some(links);
                walk.found_on[id.index()] = finder.map(|place| by_name[place]);
                if let (0, Some(page)) = (redirects, walk.found_on[id.index()]) {
                    walk.new_links[page.index()] += 1;
                }
                urls.links(id).iter().for_each(|link| meet(links + 1, 0, *link));
            }
            if let Some(next) = urls.next(id).filter(|_| redirects < max_redirect) {
                meet(links, redirects + 1, next);
            }
        }
        walk
    }
}
