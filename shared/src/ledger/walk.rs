//! One walk over the links, breadth first: how far each URL is from a root, and where it
//! was found.

use super::urls::{UrlId, Urls};

/// What the walk finds for each URL, by number.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    urls: &'a Urls,
    /// The place of each URL in the order of the names.
    rank: Vec<u32>,
    /// The fewest redirects that lead there, one after the other.
    fewest: Vec<u32>,
    /// The fewest links from a root; `None` is out of reach.
    pub(super) depth: Vec<Option<u32>>,
    /// The page that names it first; for what no page names, the redirect.
    pub(super) found_on: Vec<Option<UrlId>>,
    /// How many URLs are found on this page first.
    pub(super) new_links: Vec<usize>,
}

impl<'a> Walk<'a> {
    /// Walks from the roots. A redirect is not a link: its target is as far away as the
    /// redirect itself, if at most `max_redirect` lead there.
    pub(super) fn new(
        urls: &'a Urls,
        by_name: &[UrlId],
        roots: &[UrlId],
        max_redirect: u32,
    ) -> Walk<'a> {
        let count = urls.len();
        let mut rank = vec![0; count];
        for (place, id) in (0..).zip(by_name) {
            rank[id.index()] = place;
        }
        let (fewest, depth) = (vec![u32::MAX; count], vec![None; count]);
        let (found_on, new_links) = (vec![None; count], vec![0; count]);
        let mut walk = Walk { urls, rank, fewest, depth, found_on, new_links };
        let mut met = roots.to_vec();
        for depth in 0.. {
            let reached = walk.follow_redirects(met, depth, max_redirect);
            if reached.is_empty() {
                break;
            }
            met = walk.follow_links(&reached);
        }
        walk
    }

    /// One level: what is met, and where redirects lead from there. Returns what was not
    /// reached before.
    fn follow_redirects(
        &mut self,
        mut met: Vec<UrlId>,
        depth: u32,
        max_redirect: u32,
    ) -> Vec<UrlId> {
        let mut reached = Vec::new();
        for count in 0..=max_redirect {
            met.retain(|id| self.lower(*id, count));
            if met.is_empty() {
                break;
            }
            let is_new = |id: &&UrlId| self.depth[id.index()].is_none();
            let new: Vec<UrlId> = met.iter().filter(is_new).copied().collect();
            for id in &new {
                self.depth[id.index()] = Some(depth);
            }
            reached.extend(new);
            if count == max_redirect {
                break;
            }
            self.sort(&mut met);
            met = met.into_iter().filter_map(|id| self.follow(id)).collect();
        }
        self.sort(&mut reached);
        reached
    }

    /// So many redirects lead there. Are these fewer than any way before?
    fn lower(&mut self, id: UrlId, count: u32) -> bool {
        let fewest = &mut self.fewest[id.index()];
        let is_fewer = count < *fewest;
        *fewest = count.min(*fewest);
        is_fewer
    }

    fn follow(&mut self, redirect: UrlId) -> Option<UrlId> {
        let next = self.urls.next(redirect)?;
        self.find(next, redirect);
        Some(next)
    }

    /// In the order of the names: the first page that has a link is the smallest.
    fn follow_links(&mut self, pages: &[UrlId]) -> Vec<UrlId> {
        let mut met = Vec::new();
        for page in pages {
            for link in self.urls.links(*page) {
                if self.find(*link, *page) {
                    self.new_links[page.index()] += 1;
                    met.push(*link);
                } else if self.is_met_with_more(*link) {
                    met.push(*link);
                }
            }
        }
        met
    }

    /// Books where a URL was found, if that was not known. Was it news?
    fn find(&mut self, url: UrlId, on: UrlId) -> bool {
        let found_on = &mut self.found_on[url.index()];
        let is_news = self.depth[url.index()].is_none() && found_on.is_none();
        if is_news {
            *found_on = Some(on);
        }
        is_news
    }

    /// A redirect that was reached through others may lead further if a page links to it.
    fn is_met_with_more(&self, link: UrlId) -> bool {
        let fewest = self.fewest[link.index()];
        self.depth[link.index()].is_some()
            && fewest > 0
            && self.urls.next(link).is_some()
    }

    fn sort(&self, ids: &mut [UrlId]) {
        ids.sort_unstable_by_key(|id| self.rank[id.index()]);
    }
}
