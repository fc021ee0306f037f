//! The links of each page, as `--links` lists them.

use super::ledger::Ledger;
use crate::room::Room;
use std::collections::HashSet;
use std::sync::Arc;

/// The part of the memory for known URLs that the texts of links may take besides which do
/// not belong to the crawl: a quarter. If they do not fit, none of them is listed: which of
/// them fit would depend on the page that came first.
const PART: usize = 4;

/// What a link takes besides its text: its place in the set, and the counters of the shared
/// text.
const ENTRY: usize = size_of::<(Arc<str>, usize)>() + 2 * size_of::<usize>();

/// The texts of links that do not belong to the crawl. Each is stored once.
#[derive(Debug)]
pub(super) struct ForeignLinks {
    texts: HashSet<Arc<str>>,
    room: Room,
}

impl ForeignLinks {
    /// Creates an empty set, for a crawl whose known URLs take at most `max_known` bytes.
    pub(super) fn new(max_known: usize) -> ForeignLinks {
        ForeignLinks { texts: HashSet::new(), room: Room::new(max_known / PART) }
    }

    /// Returns the text of a link, to be shared; `None` if there is no room for all texts.
    fn share(&mut self, text: &str) -> Option<Arc<str>> {
        if let Some(known) = self.texts.get(text) {
            return Some(Arc::clone(known));
        }
        if self.are_too_many() || !self.room.take(text.len() + ENTRY) {
            return None;
        }
        let text: Arc<str> = text.into();
        self.texts.insert(Arc::clone(&text));
        Some(text)
    }

    /// Returns whether they did not all fit.
    pub(super) fn are_too_many(&self) -> bool {
        self.room.is_cut()
    }
}

impl Ledger {
    /// Returns the text of a link that does not belong to the crawl, as it is listed;
    /// `None` if there is no room for all of them.
    pub(super) fn share_foreign_link(&mut self, text: &str) -> Option<Arc<str>> {
        self.foreign_links.share(text)
    }

    /// Sorts the links of each page, and what it needs besides. Drops those that were listed
    /// before there was no room for all.
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

    /// Returns a warning if the links that do not belong to the crawl had no room.
    pub(super) fn too_many_foreign_links(&self) -> Option<String> {
        let limit = (self.options.max_known / PART) >> 20;
        self.foreign_links.are_too_many().then(|| {
            format!(
                "the links that do not belong to the crawl take more than {limit} MiB: \
                 none of them is listed"
            )
        })
    }
}
