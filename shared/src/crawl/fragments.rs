//! The fragments of links. They are checked when all pages are known.

use super::url_id::UrlId;
use crate::room::Room;
use indexmap::{Equivalent, IndexMap};

/// The bytes of a fragment without its text.
const ENTRY: usize = size_of::<(Key, Vec<UrlId>, usize, usize)>();

/// A URL and one of its fragments.
pub(super) type Key = (UrlId, Box<str>);

/// A fragment that does not exist on its page, and the pages that link or redirect to
/// it.
pub(super) type Missing<'a> = (&'a Key, &'a Vec<UrlId>);

/// A borrowed [`Key`], to search without allocation.
#[derive(Hash)]
struct KeyRef<'a>(UrlId, &'a str);

impl Equivalent<Key> for KeyRef<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        (self.0, self.1) == (key.0, &*key.1)
    }
}

/// The fragments of a crawl, each with the pages that link or redirect to it. The
/// fragment of a root may have no page.
#[derive(Debug)]
pub(super) struct Fragments {
    pub(super) pages: IndexMap<Key, Vec<UrlId>>,
    /// Counts the bytes of the fragments and of all ids. Bytes are never given back,
    /// so that the order of the pages does not matter.
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

    /// Returns whether they did not all fit.
    pub(super) fn are_too_many(&self) -> bool {
        self.room.is_cut()
    }
}
