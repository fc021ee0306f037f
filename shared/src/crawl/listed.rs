//! The links of each page, as `--links` lists them.

use super::foreign_links::FOREIGN_LINKS_DIVISOR;
use super::ledger::Ledger;

impl Ledger {
    /// Sorts the listed links of each page, resources included. If the limit
    /// for links to other sites was reached, also removes those that were listed before
    /// that.
    pub(super) fn tidy_links(&mut self) {
        let are_too_many = self.foreign_links.are_too_many();
        for id in self.urls.ids() {
            let row = self.urls.settled_mut(id).map(|settled| &mut settled.row);
            let Some(mut links) = row.and_then(|row| row.links.take()) else {
                continue;
            };
            if are_too_many {
                links.retain(|text| self.urls.find(text).is_some());
            }
            links.sort();
            let settled = self.urls.settled_mut(id).expect("it is settled");
            settled.row.links = Some(links);
        }
    }

    /// Returns a warning if the links to other sites did not fit.
    pub(super) fn too_many_foreign_links(&self) -> Option<String> {
        let limit = (self.options.max_known / FOREIGN_LINKS_DIVISOR) >> 20;
        self.foreign_links.are_too_many().then(|| {
            format!(
                "the links that do not belong to the crawl take more than {limit} MiB: \
                 none of them is listed"
            )
        })
    }
}
