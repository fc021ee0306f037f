//! The expected result of a crawl, computed from the definitions: sets grow until
//! nothing changes.

use super::site::Says;
use shared::Options;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use url::Url;

/// The redirects left for each URL that is reached.
type Budgets = BTreeMap<Url, u32>;

/// The expected result.
#[derive(Debug, Default)]
pub(crate) struct Expected {
    /// The smallest number of links between a root and each known URL.
    pub(crate) depth: BTreeMap<Url, u32>,
    /// The redirects left at the end, for each URL that is requested.
    pub(crate) budgets: Budgets,
    /// The page or the redirect on which each URL is found first.
    pub(crate) found_on: BTreeMap<Url, Url>,
    /// The number of URLs that still have to be requested.
    pub(crate) left: usize,
}

pub(crate) struct Reference<'a> {
    pub(crate) site: &'a HashMap<Url, Says>,
    pub(crate) options: &'a Options,
}

impl Reference<'_> {
    /// Computes level by level. A level is what the links of the previous level reach,
    /// with all redirects that the budgets allow.
    pub(crate) fn crawl(&self) -> Expected {
        let mut expected = Expected::default();
        let mut seeds: BTreeSet<Url> = self.options.roots.iter().cloned().collect();
        for level in 0.. {
            let before = expected.budgets.clone();
            let is_too_deep = self.options.max_depth.is_some_and(|most| level > most);
            let now = self.close_over(&before, &seeds, is_too_deep);
            for url in now.keys() {
                expected.depth.entry(url.clone()).or_insert(level);
            }
            self.find_targets(&now, level, &mut expected);
            if is_too_deep {
                expected.left =
                    now.iter().filter(|it| self.is_left(it, &before)).count();
                break;
            }
            if now == before {
                break;
            }
            let pages = now.keys().filter(|url| expected.depth[url] == level);
            seeds = pages.flat_map(|page| self.links(page)).cloned().collect();
            self.find_links(&now, level, &mut expected);
            expected.budgets = now;
        }
        expected
    }

    /// Adds redirect targets until nothing changes. Seeds have the whole budget, and a
    /// target has one redirect less than the redirect. Beyond the maximal depth, only
    /// redirects that were followed before pass their budget on.
    fn close_over(
        &self,
        before: &Budgets,
        seeds: &BTreeSet<Url>,
        is_too_deep: bool,
    ) -> Budgets {
        let mut budgets = before.clone();
        for seed in seeds {
            budgets.insert(seed.clone(), self.options.max_redirect);
        }
        loop {
            let mut larger = budgets.clone();
            for (url, left) in budgets.iter().filter(|(_, left)| **left > 0) {
                let was_followed = before.get(url).is_some_and(|left| *left > 0);
                let Some(target) = self.target(url) else { continue };
                if !is_too_deep || was_followed {
                    let entry = larger.entry(target.clone()).or_default();
                    *entry = (*entry).max(left - 1);
                }
            }
            if larger == budgets {
                return budgets;
            }
            budgets = larger;
        }
    }

    fn find_links(&self, now: &Budgets, level: u32, expected: &mut Expected) {
        // Pages are visited in the order of their names, so the first one wins.
        for page in now.keys().filter(|url| expected.depth[url] == level) {
            for link in self.links(page).filter(|link| !now.contains_key(link)) {
                expected.found_on.entry(link.clone()).or_insert(page.clone());
            }
        }
    }

    /// Handles URLs that only redirects lead to. Each is found on the redirect with
    /// the most redirects left; of several, on the first by name.
    fn find_targets(&self, now: &Budgets, level: u32, expected: &mut Expected) {
        for url in now.keys().filter(|url| expected.depth[url] == level) {
            let sources = now.iter().filter(|(source, left)| {
                **left > 0 && self.target(source) == Some(url)
            });
            let best = sources.max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0)));
            let is_root = self.options.roots.contains(url);
            if let Some((source, _)) = best.filter(|_| !is_root) {
                expected.found_on.entry(url.clone()).or_insert(source.clone());
            }
        }
    }

    fn is_left(&self, now: &(&Url, &u32), before: &Budgets) -> bool {
        match before.get(now.0) {
            None => true,
            Some(0) => *now.1 > 0 && self.target(now.0).is_some(),
            Some(_) => false,
        }
    }

    pub(crate) fn links(&self, url: &Url) -> impl Iterator<Item = &Url> {
        let links = match self.site.get(url) {
            Some(Says::Page(links) | Says::Wavers(links)) => links.as_slice(),
            _ => &[],
        };
        links.iter().filter(|link| self.site.contains_key(link))
    }

    /// Returns the target of a redirect if it is on the site.
    pub(crate) fn target(&self, url: &Url) -> Option<&Url> {
        match self.site.get(url) {
            Some(Says::Redirect(target)) => Some(target),
            _ => None,
        }
        .filter(|target| self.site.contains_key(target))
    }
}
