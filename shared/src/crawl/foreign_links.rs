//! The links that do not belong to a crawl, as `--links` lists them.

use crate::room::Room;
use std::collections::HashSet;
use std::sync::Arc;

/// The part of the memory for known URLs that the texts of links may take besides which do
/// not belong to the crawl: a quarter. If they do not fit, none of them is listed: which of
/// them fit would depend on the page that came first.
pub(super) const FOREIGN_LINKS_DIVISOR: usize = 4;

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
        ForeignLinks {
            texts: HashSet::new(),
            room: Room::new(max_known / FOREIGN_LINKS_DIVISOR),
        }
    }

    /// Returns the text of a link, to be shared; `None` if there is no room for all texts.
    pub(super) fn share(&mut self, text: &str) -> Option<Arc<str>> {
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
