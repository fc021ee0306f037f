//! The fragments of links, which are checked when all pages are known.

use super::url_id::UrlId;
use crate::room::Room;
use indexmap::{Equivalent, IndexMap};

/// What a fragment takes besides its text.
const ENTRY: usize = size_of::<(Key, Vec<UrlId>, usize, usize)>();

/// A URL, and a fragment in it.
pub(super) type Key = (UrlId, Box<str>);

/// A fragment that its page does not have, and the pages that link or redirect to it.
pub(super) type Missing<'a> = (&'a Key, &'a Vec<UrlId>);

/// The same, for a search.
#[derive(Hash)]
struct KeyRef<'a>(UrlId, &'a str);

impl Equivalent<Key> for KeyRef<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        (self.0, self.1) == (key.0, &*key.1)
    }
}

/// The fragments of a crawl, and the pages that link or redirect to each: none for that of
/// a root.
#[derive(Debug)]
pub(super) struct Fragments {
    pub(super) pages: IndexMap<Key, Vec<UrlId>>,
    /// For the fragments, and the ids of all pages. Nothing is given back, so that the
    /// order of the pages does not matter.
    pub(super) room: Room,
}

impl Fragments {
    pub(super) fn new(limit: usize) -> Fragments {
        Fragments { pages: IndexMap::new(), room: Room::new(limit) }
    }

    pub(super) fn add(&mut self, target: UrlId, fragment: &str, page: Option<UrlId>) {
        self.room.take(size_of::<UrlId>());
        if let Some(pages) = self.pages.get_mut(&KeyRef(target, fragment)) {
            return pages.extend(page);
        }
        self.room.take(fragment.len() + ENTRY);
        self.pages.insert((target, fragment.into()), page.into_iter().collect());
    }

    /// Returns whether they did not fit.
    pub(super) fn are_too_many(&self) -> bool {
        self.room.is_cut()
    }
}
