//! Warns about roots that were not checked. Otherwise a crawl that found no links
//! would look like a crawl that found no broken links.

use super::chains::Chains;
use super::ledger::Ledger;
use super::settled::Settled;
use super::url_id::UrlId;
use crate::page::links::cut;
use crate::report::Outcome;
use std::collections::HashSet;
use url::Url;

const HTML: &str = "text/html";

/// The types of feeds and of other XML. Their links are in elements that are not
/// searched.
const FEEDS: [&str; 3] = ["application/atom+xml", "application/rss+xml", "text/xml"];

/// How many roots get a separate warning.
const MAX_WARNINGS: usize = 3;

impl Ledger {
    /// Returns a warning for each root that responded with success and was not
    /// checked. If there are many, the last warning gives the number of the others.
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
        warnings
    }

    /// Returns warnings about responses that may contain links but were not searched:
    /// compressed pages, and feeds. Roots are left out, because they have separate
    /// warnings.
    pub(super) fn unsearched(&self, chains: &Chains) -> Vec<String> {
        let of_roots: HashSet<UrlId> =
            self.roots.iter().filter_map(|root| chains.final_target(*root)).collect();
        let (mut compressed, mut feeds) =
            (Unsearched::default(), Unsearched::default());
        for id in self.urls.ids().filter(|id| !of_roots.contains(id)) {
            let Some(settled) = self.urls.settled(id) else { continue };
            let kind = settled.row.content_type.as_deref().unwrap_or_default();
            let is_ok =
                settled.row.outcome == Outcome::Ok && self.urls[id].discovery.is_page;
            if is_ok && kind == HTML && settled.coding.is_some() {
                compressed.add(self.urls.name(id));
            } else if is_ok && FEEDS.contains(&kind) && self.is_crawled(id) {
                feeds.add(self.urls.name(id));
            }
        }
        let compressed = compressed.told(
            |first| format!("a page came compressed and was not searched: {first}"),
            |count, first| {
                format!(
                    "{count} pages came compressed and were not searched, {first} for one"
                )
            },
        );
        let feeds = feeds.told(
            |first| format!("XML was not searched for links: {first}"),
            |count, first| {
                format!(
                    "{count} feeds or other XML were not searched for links, {first} for one"
                )
            },
        );
        compressed.into_iter().chain(feeds).collect()
    }

    /// Returns whether a URL is on a root's site, and not one of `--external`.
    fn is_crawled(&self, id: UrlId) -> bool {
        Url::parse(self.urls.name(id)).is_ok_and(|url| self.scope.is_on_site(&url))
    }

    /// Returns a warning about pages with more links than fitted.
    pub(super) fn cut_pages(&self) -> Option<String> {
        let mut pages = Unsearched::default();
        for id in self.urls.ids() {
            if self.urls.settled(id).is_some_and(|settled| settled.is_cut) {
                pages.add(self.urls.name(id));
            }
        }
        const WHY: &str = "take too much memory for the page's length, so some of them \
                           were ignored";
        pages.told(
            |first| format!("the links of a page {WHY}: {first}"),
            |count, first| {
                format!("the links of {count} pages {WHY}: of {first} for one")
            },
        )
    }

    /// Returns why nothing was checked, if the redirects of a root end at `end`.
    /// `None` if it was checked, or if it failed: then a row says why.
    fn why_unchecked(&self, root: &str, end: UrlId) -> Option<String> {
        let settled = self.urls.settled(end)?;
        let (name, next_url) = (self.urls.name(end), settled.row.next_url.as_deref());
        let is_on_site = Url::parse(name).is_ok_and(|url| self.scope.is_on_site(&url));
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

/// The number of unsearched responses of one kind, and the first of them by name.
#[derive(Default)]
struct Unsearched<'a> {
    count: usize,
    first: Option<&'a str>,
}

impl<'a> Unsearched<'a> {
    fn add(&mut self, name: &'a str) {
        self.count += 1;
        self.first = Some(self.first.map_or(name, |first| first.min(name)));
    }

    fn told(
        self,
        one: impl Fn(&str) -> String,
        many: impl Fn(usize, &str) -> String,
    ) -> Option<String> {
        let first = cut(self.first?);
        Some(if self.count == 1 { one(&first) } else { many(self.count, &first) })
    }
}

/// Describes an unsearched response, for example `is text/html, compressed (gzip)`.
fn what_it_is(settled: &Settled) -> String {
    match (&settled.row.content_type, &settled.coding) {
        (Some(kind), Some(coding)) => format!("is {kind}, compressed ({coding})"),
        (None, Some(coding)) => format!("is compressed ({coding})"),
        (Some(kind), None) => format!("is {kind}"),
        (None, None) => "has no Content-Type that is known".to_string(),
    }
}
