//! Warns about roots that were not checked. Otherwise a crawl that found no links
//! would look like a crawl that found no broken links.

use super::chains::Chains;
use super::ledger::Ledger;
use super::settled::Settled;
use super::url_id::UrlId;
use crate::report::Outcome;
use std::collections::HashSet;
use url::Url;

/// How many roots get a separate warning.
const MAX_WARNINGS: usize = 3;

impl Ledger {
    /// Returns a warning for each root that responded with success and was not
    /// checked. If there are many, the last warning gives the number of the others. If
    /// there are none, but `--exclude` left nothing except the roots, it returns a warning
    /// about that.
    pub(super) fn unchecked_roots(&self, chains: &Chains) -> Vec<String> {
        let why = |root: &UrlId| {
            let name = match self.roots.len() {
                1 => "the root".to_string(),
                _ => format!("the root {}", self.urls.name(*root)),
            };
            self.why_unchecked(&name, chains.final_target(*root)?)
        };
        let mut warnings: Vec<String> = self.roots.iter().filter_map(why).collect();
        let more = warnings.len().saturating_sub(MAX_WARNINGS);
        warnings.truncate(MAX_WARNINGS);
        if more > 0 {
            warnings.push(format!("the same is true of {more} more of the roots"));
        }
        if warnings.is_empty() {
            warnings.extend(self.only_roots());
        }
        warnings
    }

    /// Returns a warning if `--exclude` left nothing except the roots and the targets of
    /// their redirects.
    fn only_roots(&self) -> Option<String> {
        if self.excluded.len() == 0 || self.is_full {
            return None;
        }
        let mut of_roots = HashSet::new();
        for root in &self.roots {
            let mut next = Some(*root);
            while let Some(id) = next.filter(|id| of_roots.insert(*id)) {
                next = self.urls.redirect_target(id);
            }
        }
        let is_alone = of_roots.len() == self.urls.len();
        let is_settled = self.urls.ids().all(|id| self.urls.settled(id).is_some());
        let roots = if self.roots.len() == 1 { "root" } else { "roots" };
        (is_alone && is_settled).then(|| {
            format!(
                "nothing but the {roots} was checked: --exclude matches all other URLs"
            )
        })
    }

    /// Returns why nothing was checked, if the redirects of a root end at `end`.
    /// `None` if it was checked, or if it failed: then a row says why.
    fn why_unchecked(&self, root: &str, end: UrlId) -> Option<String> {
        let settled = self.urls.settled(end)?;
        let (name, next_url) = (self.urls.name(end), settled.row.next_url.as_deref());
        let is_on_site = self.is_crawled(end);
        let nothing = "nothing was searched for links";
        match settled.row.outcome {
            // It was requested only because of `--external`.
            Outcome::Ok | Outcome::Redirect if !is_on_site => {
                Some(self.where_it_leads(root, name))
            }
            Outcome::Redirect => Some(self.where_it_leads(root, next_url?)),
            Outcome::Ok if settled.row.encoding.is_none() => {
                Some(format!("{nothing}: {root} {}", what_it_is(settled)))
            }
            Outcome::Ok if settled.has_frames => Some(format!(
                "{nothing}: {root} is a frameset, and frames are not followed"
            )),
            _ => None,
        }
    }

    /// Returns advice about a root that leads to a URL outside the crawl.
    fn where_it_leads(&self, root: &str, target: &str) -> String {
        let url = Url::parse(target).ok();
        if url.as_ref().is_some_and(|url| self.scope.is_on_site(url)) {
            return format!("{root} leads to a URL that --exclude matches: {target}");
        }
        let stage = match url.is_some_and(|url| self.scope.speaks(&url)) {
            true => "",
            false => " (and stage 3, stage3-async: this stage speaks http only)",
        };
        format!("{root} leads to another site: start there with {target}{stage}")
    }
}

/// Describes a response that was not searched, for example
/// `is text/html, compressed (gzip)`.
fn what_it_is(settled: &Settled) -> String {
    match (&settled.row.content_type, &settled.coding) {
        (Some(kind), Some(coding)) => format!("is {kind}, compressed ({coding})"),
        (None, Some(coding)) => format!("is compressed ({coding})"),
        (Some(kind), None) => format!("is {kind}"),
        (None, None) => "has no Content-Type that is known".to_string(),
    }
}
