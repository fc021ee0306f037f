//! Decides which fragments are checked, and finds those that do not exist.

use super::chains::Chains;
use super::fragments::Missing;
use super::ledger::Ledger;
use super::referrers::MIN_LISTED_PER_ROW;
use super::url_id::UrlId;
use crate::page::fragments::{Ids, without_directive};
use crate::report::{Outcome, Row};
use crate::room::Room;
use indexmap::IndexMap;
use std::sync::Arc;
use url::Url;

/// The rows of missing fragments may take an eighth of the memory for ids and fragments,
/// in addition to it. A row is several times as large as a fragment.
const MISSING_DIVISOR: usize = 8;

impl Ledger {
    /// Records the fragment of a root, or of a redirect from `page`, unless it is
    /// excluded.
    pub(super) fn add_fragment(
        &mut self,
        target: UrlId,
        fragment: &str,
        page: Option<UrlId>,
    ) {
        let name = without_directive(fragment);
        let is_checked = self.options.fragments && !name.is_empty();
        // Roots cannot be excluded.
        let is_excluded = page.is_some()
            && is_checked
            && self.excludes_fragment(self.urls.name(target), name);
        if is_checked && !is_excluded && !self.fragments.are_too_many() {
            self.fragments.add(target, name, page);
            self.drop_fragments_if_too_many();
        }
    }

    /// Returns whether `--exclude` matches a URL with this fragment.
    fn excludes_fragment(&self, url: &str, fragment: &str) -> bool {
        self.scope.has_exclusions()
            && self.scope.is_excluded(&format!("{url}#{fragment}"))
    }

    /// Counts the ids of a page. Returns whether to store them.
    pub(super) fn add_ids(&mut self, ids: &Ids) -> bool {
        if !self.fragments.are_too_many() {
            self.fragments.room.take(ids.bytes());
            self.drop_fragments_if_too_many();
        }
        !self.fragments.are_too_many()
    }

    /// Records the fragment of a link on `page`, whose ids are `ids`; `None` if they
    /// are not stored.
    pub(super) fn add_fragment_of_link(
        &mut self,
        page: UrlId,
        ids: Option<&Ids>,
        url: &Url,
        fragment: &str,
    ) {
        let Some((ids, target)) = ids.zip(self.urls.find(url.as_str())) else { return };
        // Most fragments point into their own page, for example from its table of
        // contents.
        let is_fine = target == page && ids.contains(fragment);
        if !is_fine
            && !self.fragments.are_too_many()
            && self.scope.is_on_site(url)
            && !self.excludes_fragment(url.as_str(), fragment)
        {
            self.fragments.add(target, fragment, Some(page));
            self.drop_fragments_if_too_many();
        }
    }

    /// If the fragments do not fit, drops all fragments and ids.
    fn drop_fragments_if_too_many(&mut self) {
        if self.fragments.are_too_many() {
            self.fragments.pages = IndexMap::new();
            for id in self.urls.ids() {
                self.urls.settled_mut(id).into_iter().for_each(|it| it.ids = None);
            }
        }
    }

    /// Returns the links whose fragments do not exist, sorted by the `rank` of their
    /// URLs and then by fragment. Also returns whether some were left out because they
    /// did not fit.
    pub(super) fn missing_fragments(
        &self,
        chains: &Chains,
        rank: &[usize],
    ) -> (Vec<Missing<'_>>, bool) {
        let is_missing = |((target, fragment), _): &Missing| {
            let end = chains.final_target_with_fragment(*target);
            let settled = end.and_then(|end| self.urls.settled(end));
            let page = settled.filter(|it| it.row.outcome == Outcome::Ok);
            let ids = page.and_then(|page| page.ids.as_ref());
            ids.is_some_and(|ids| !ids.contains(fragment))
        };
        let mut missing: Vec<Missing> =
            self.fragments.pages.iter().filter(is_missing).collect();
        missing.sort_unstable_by(|((a, a_name), _), ((b, b_name), _)| {
            (rank[a.index()], a_name).cmp(&(rank[b.index()], b_name))
        });
        let mut room = Room::new(self.options.max_fragments / MISSING_DIVISOR);
        let fits = |((target, fragment), pages): &&Missing| {
            let pages = pages.len().min(MIN_LISTED_PER_ROW) * size_of::<Arc<str>>();
            let texts = self.urls.name(*target).len() + fragment.len();
            room.take(size_of::<Row>() + texts + pages)
        };
        let kept = missing.iter().take_while(fits).count();
        missing.truncate(kept);
        (missing, room.is_cut())
    }
}
