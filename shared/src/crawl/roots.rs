//! The roots of which nothing was checked: a crawl that found nothing there must not look
//! like one that found nothing wrong.

use super::chains::Chains;
use super::ledger::Ledger;
use super::settled::Settled;
use super::urls::UrlId;
use crate::report::Outcome;
use std::collections::HashSet;
use url::Url;

const HTML: &str = "text/html";

/// How many roots have a warning of their own.
const NAMED: usize = 3;

impl Ledger {
    /// Returns a warning for each root whose response was a success, and of which
    /// nothing was checked all the same; the last one may stand for many.
    pub(super) fn unchecked_roots(&self, chains: &Chains) -> Vec<String> {
        let why = |root: &UrlId| {
            let name = match self.roots.len() {
                1 => "the root".to_string(),
                _ => format!("the root {}", self.urls.name(*root)),
            };
            self.why_unchecked(&name, chains.end(*root)?)
        };
        let mut warnings: Vec<String> = self.roots.iter().filter_map(why).collect();
        let more = warnings.len().saturating_sub(NAMED);
        warnings.truncate(NAMED);
        if more > 0 {
            warnings.push(format!("the same is true of {more} more of the roots"));
        }
        warnings
    }

    /// Returns a warning if pages other than those of roots came compressed, so that their
    /// links are not known.
    pub(super) fn compressed_pages(&self, chains: &Chains) -> Option<String> {
        let of_roots: HashSet<UrlId> =
            self.roots.iter().filter_map(|root| chains.end(*root)).collect();
        let is_compressed = |id: &UrlId| {
            let settled = self.urls.settled(*id);
            let is_page = |it: &Settled| it.row.content_type.as_deref() == Some(HTML);
            settled.is_some_and(|it| it.coding.is_some() && is_page(it))
        };
        let pages = self.urls.ids().filter(|id| !of_roots.contains(id));
        let names = pages.filter(is_compressed).map(|id| self.urls.name(id));
        let (count, first) = names.fold((0, None), |(count, first), name| {
            (count + 1, Some(first.map_or(name, |first| name.min(first))))
        });
        let first = first?;
        Some(match count {
            1 => format!("a page came compressed and was not searched: {first}"),
            _ => format!(
                "{count} pages came compressed and were not searched, {first} for one"
            ),
        })
    }

    /// Returns why nothing was checked, if the redirects of a root end here. A failure
    /// has a row that says why.
    fn why_unchecked(&self, root: &str, end: UrlId) -> Option<String> {
        let settled = self.urls.settled(end)?;
        let nothing = "nothing was searched for links";
        match settled.row.outcome {
            Outcome::Redirect => Some(self.where_it_leads(root, settled)),
            Outcome::Ok if settled.row.encoding.is_none() => {
                Some(format!("{nothing}: {root} {}", what_it_is(settled)))
            }
            Outcome::Ok if settled.has_frames => Some(format!(
                "{nothing}: {root} is a frameset, and frames are not followed"
            )),
            _ => None,
        }
    }

    /// Returns what to do about a root that leads to a URL outside the crawl.
    fn where_it_leads(&self, root: &str, settled: &Settled) -> String {
        let target = settled.row.next_url.as_deref().unwrap_or_default();
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

/// Describes a response that was not searched: `is text/html, compressed (gzip)`.
fn what_it_is(settled: &Settled) -> String {
    match (&settled.row.content_type, &settled.coding) {
        (Some(kind), Some(coding)) => format!("is {kind}, compressed ({coding})"),
        (None, Some(coding)) => format!("is compressed ({coding})"),
        (Some(kind), None) => format!("is {kind}"),
        (None, None) => "has no Content-Type that is known".to_string(),
    }
}
