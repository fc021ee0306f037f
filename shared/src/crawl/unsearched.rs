//! Pages that may have links, and were not searched for them, or not for all.

use super::chains::Chains;
use super::ledger::Ledger;
use super::url_id::UrlId;
use crate::http::has_links;
use crate::page::links::cut;
use crate::report::{Outcome, Unsearched};
use std::collections::HashSet;
use url::Url;

/// The types of feeds and of other XML. Their links are in elements that are not
/// searched.
const FEEDS: [&str; 3] = ["application/atom+xml", "application/rss+xml", "text/xml"];

/// Why a page was not searched.
#[derive(Clone, Copy)]
enum Why {
    Compressed,
    Untyped,
    Feed,
}

impl Ledger {
    /// Counts the pages that were not searched, and returns warnings about them. Roots are
    /// counted but have separate warnings.
    pub(super) fn unsearched(&self, chains: &Chains) -> (Unsearched, Vec<String>) {
        let of_roots: HashSet<UrlId> =
            self.roots.iter().filter_map(|root| chains.final_target(*root)).collect();
        let mut unsearched = Unsearched::default();
        let [mut compressed, mut untyped, mut feeds] = <[Named; 3]>::default();
        for id in self.urls.ids() {
            let Some(why) = self.why_unsearched(id) else { continue };
            let (count, named) = match why {
                Why::Compressed => (&mut unsearched.compressed, &mut compressed),
                Why::Untyped => (&mut unsearched.untyped, &mut untyped),
                Why::Feed => (&mut unsearched.feeds, &mut feeds),
            };
            *count += 1;
            if !of_roots.contains(&id) {
                named.add(self.urls.name(id));
            }
        }
        let warnings = [
            compressed.warning(
                "a page came compressed and was not searched",
                "pages came compressed and were not searched",
            ),
            untyped.warning(
                "a page has no known Content-Type and was not searched",
                "pages have no known Content-Type and were not searched",
            ),
            feeds.warning(
                "XML was not searched for links",
                "feeds or other XML were not searched for links",
            ),
        ];
        (unsearched, warnings.into_iter().flatten().collect())
    }

    /// Returns why a page of the roots' sites was not searched, although a link leads to it
    /// and it may have links itself.
    fn why_unsearched(&self, id: UrlId) -> Option<Why> {
        let settled = self.urls.settled(id)?;
        let row = &settled.row;
        let is_searched = row.encoding.is_some();
        if row.outcome != Outcome::Ok || is_searched || !self.urls[id].discovery.is_page
        {
            return None;
        }
        let is_page_type = |kind: &str| {
            kind.split_once('/').is_some_and(|(kind, subtype)| has_links(kind, subtype))
        };
        let why = match row.content_type.as_deref() {
            Some(kind) if settled.coding.is_some() && is_page_type(kind) => {
                Why::Compressed
            }
            Some(kind) if FEEDS.contains(&kind) => Why::Feed,
            None if row.size != Some(0) => Why::Untyped,
            _ => return None,
        };
        self.is_crawled(id).then_some(why)
    }

    /// Returns whether a URL is on a root's site, and not one of `--external`.
    pub(super) fn is_crawled(&self, id: UrlId) -> bool {
        Url::parse(self.urls.name(id)).is_ok_and(|url| self.scope.is_on_site(&url))
    }

    /// Returns a warning about pages with more links than fitted.
    pub(super) fn cut_pages(&self) -> Option<String> {
        let mut pages = Named::default();
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
}

/// The number of pages of one kind, and the first of them by name.
#[derive(Default)]
struct Named<'a> {
    count: usize,
    first: Option<&'a str>,
}

impl<'a> Named<'a> {
    fn add(&mut self, name: &'a str) {
        self.count += 1;
        self.first = Some(self.first.map_or(name, |first| first.min(name)));
    }

    /// Returns a warning that names the only page, or the count and the first page. `many`
    /// follows the count.
    fn warning(self, one: &str, many: &str) -> Option<String> {
        self.told(
            |first| format!("{one}: {first}"),
            |count, first| format!("{count} {many}, {first} for one"),
        )
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
