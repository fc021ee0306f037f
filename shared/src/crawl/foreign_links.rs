//! The texts of links to other sites, for `--links`.

use crate::room::Room;
use std::collections::HashSet;
use std::sync::Arc;

/// These texts may take a quarter of the memory for known URLs, in addition to it. If
/// they need more, none of them is listed. To list some would be arbitrary: which ones
/// fit depends on the order of the responses.
pub(super) const FOREIGN_LINKS_DIVISOR: usize = 4;

/// The bytes of a link without its text: an entry in the set, and the counters of the
/// shared text.
const ENTRY: usize = size_of::<(Arc<str>, usize)>() + 2 * size_of::<usize>();

/// The texts of all links that do not belong to the crawl, without duplicates.
#[derive(Debug)]
pub(super) struct ForeignLinks {
    texts: HashSet<Arc<str>>,
    room: Room,
}

impl ForeignLinks {
    /// Creates an empty set for a crawl whose known URLs may take `max_known` bytes.
    pub(super) fn new(max_known: usize) -> ForeignLinks {
        ForeignLinks {
            texts: HashSet::new(),
            room: Room::new(max_known / FOREIGN_LINKS_DIVISOR),
        }
    }

    /// Returns the text of a link to share; `None` if not all texts fit.
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

    /// Returns whether some text did not fit.
    pub(super) fn are_too_many(&self) -> bool {
        self.room.is_cut()
    }
}
