//! The URLs of a crawl, found by name or by number. The table, the jobs and the rows
//! share the text of each name.

use super::servers::ServerId;
use super::settled::Settled;
use super::url_id::UrlId;
use crate::report::Outcome;
use indexmap::IndexMap;
use indexmap::map::{RawEntryApiV1, raw_entry_v1::RawEntryMut};
use std::collections::BTreeMap;
use std::hash::BuildHasher;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

/// The bytes of a URL without its text: an entry in the table, the counters of the
/// shared text, and a row. Before it has a row it has a job, which is smaller.
const ENTRY: usize = size_of::<(Arc<str>, Entry, usize)>()
    + 2 * size_of::<usize>()
    + size_of::<Settled>();

/// All known URLs, which belong to the crawl.
#[derive(Debug, Default)]
pub(super) struct Urls {
    table: IndexMap<Arc<str>, Entry>,
    /// The bytes of the table, of all names in it, and of their rows.
    bytes: usize,
}

/// What is known of a URL.
#[derive(Debug, Default)]
pub(super) struct Entry {
    /// How the URL was discovered: the best of all ways.
    pub(super) discovery: Discovery,
    /// The level in which the URL was queued.
    pub(super) level: u32,
    pub(super) server: ServerId,
    pub(super) state: State,
}

/// How a URL was discovered.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Discovery {
    /// How many redirects may be followed from the URL.
    pub(super) redirects_left: u32,
    /// Whether a link leads to the URL. Only then is it searched.
    pub(super) is_page: bool,
}

impl Discovery {
    /// Adds another way to discover the URL. Returns whether that changes anything.
    pub(super) fn merge(&mut self, other: Discovery) -> bool {
        let Discovery { redirects_left, is_page } = *self;
        self.redirects_left = redirects_left.max(other.redirects_left);
        self.is_page |= other.is_page;
        self.redirects_left > redirects_left || self.is_page != is_page
    }
}

/// URLs whose level has not begun yet, by level, with how each was discovered.
pub(super) type Deferred = BTreeMap<u32, BTreeMap<UrlId, Discovery>>;

#[derive(Debug, Default)]
pub(super) enum State {
    /// The URL is in no queue: its level has not begun, or it is beyond a limit.
    #[default]
    Discovered,
    /// The URL is queued, pausing or in flight.
    Open,
    /// The URL has a result.
    Settled(Box<Settled>),
}

/// The text of a URL with its hash, which is computed once for several operations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'a> {
    text: &'a str,
    hash: u64,
}

impl Urls {
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns the bytes that all known URLs take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the bytes that a URL with this name would add.
    pub(super) fn size_of(name: &str) -> usize {
        name.len() + ENTRY
    }

    /// Counts the bytes of another text in a row. Even a short `Location` may resolve
    /// to a text as long as the URL itself.
    pub(super) fn count_text(&mut self, text: &str) {
        self.bytes += text.len();
    }

    pub(super) fn find(&self, text: &str) -> Option<UrlId> {
        self.find_name(self.hashed(text))
    }

    /// Hashes the text of a URL.
    pub(super) fn hashed<'a>(&self, text: &'a str) -> Name<'a> {
        Name { text, hash: self.table.hasher().hash_one(text) }
    }

    pub(super) fn find_name(&self, name: Name<'_>) -> Option<UrlId> {
        let is_it = |known: &Arc<str>| **known == *name.text;
        self.table.raw_entry_v1().index_from_hash(name.hash, is_it).map(UrlId::new)
    }

    /// Adds a new URL and returns its number.
    pub(super) fn insert(&mut self, name: Name<'_>, server: ServerId) -> UrlId {
        self.bytes += Urls::size_of(name.text);
        let id = UrlId::new(self.len());
        let place = self.table.raw_entry_mut_v1().from_hash(name.hash, |_| false);
        if let RawEntryMut::Vacant(place) = place {
            let entry = Entry { server, ..Entry::default() };
            place.insert_hashed_nocheck(name.hash, name.text.into(), entry);
        }
        id
    }

    pub(super) fn name(&self, id: UrlId) -> &Arc<str> {
        self.table.get_index(id.index()).expect("ids stay valid").0
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.table.values()
    }

    pub(super) fn sort_by_name(&self, ids: &mut [UrlId]) {
        ids.sort_unstable_by(|a, b| self.name(*a).cmp(self.name(*b)));
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = UrlId> + use<> {
        (0..self.len()).map(UrlId::new)
    }

    pub(super) fn by_name(&self) -> Vec<UrlId> {
        let mut ids: Vec<UrlId> = self.ids().collect();
        self.sort_by_name(&mut ids);
        ids
    }

    pub(super) fn settled(&self, id: UrlId) -> Option<&Settled> {
        match &self[id].state {
            State::Settled(settled) => Some(settled),
            _ => None,
        }
    }

    pub(super) fn settled_mut(&mut self, id: UrlId) -> Option<&mut Settled> {
        match &mut self[id].state {
            State::Settled(settled) => Some(settled),
            _ => None,
        }
    }

    /// Returns the links of a page that belong to the crawl, followed by its
    /// resources.
    pub(super) fn references(&self, id: UrlId) -> &[UrlId] {
        self.settled(id).map_or(&[], |settled| &settled.references)
    }

    /// Returns the target of a redirect that was followed.
    pub(super) fn redirect_target(&self, id: UrlId) -> Option<UrlId> {
        self.settled(id)?.next
    }

    /// Returns whether this is a redirect whose target has a fragment.
    pub(super) fn replaces_fragment(&self, id: UrlId) -> bool {
        self.settled(id).is_some_and(|settled| settled.replaces_fragment)
    }

    /// Returns whether this is a redirect that sets a cookie.
    pub(super) fn sets_cookie(&self, id: UrlId) -> bool {
        self.settled(id).is_some_and(|settled| settled.sets_cookie)
    }

    /// Takes all results out of the table.
    pub(super) fn take_settled(&mut self) -> impl Iterator<Item = Settled> {
        self.table.drain(..).filter_map(|(_, entry)| match entry.state {
            State::Settled(settled) => Some(*settled),
            _ => None,
        })
    }
}

impl Index<UrlId> for Urls {
    type Output = Entry;

    fn index(&self, id: UrlId) -> &Entry {
        &self.table[id.index()]
    }
}

impl IndexMut<UrlId> for Urls {
    fn index_mut(&mut self, id: UrlId) -> &mut Entry {
        &mut self.table[id.index()]
    }
}

impl Entry {
    /// Returns whether the URL has to be requested. A redirect that was not followed
    /// is due again when its budget grows, and a page that was not searched is due
    /// when a link leads to it.
    pub(super) fn is_due(&self) -> bool {
        match &self.state {
            State::Discovered => true,
            State::Open => false,
            State::Settled(settled) => {
                let may_follow = settled.row.outcome == Outcome::TooManyRedirects
                    && self.discovery.redirects_left > 0;
                may_follow || (settled.is_unread && self.discovery.is_page)
            }
        }
    }

    /// Returns whether it was fetched, and failed.
    pub(super) fn is_failure(&self) -> bool {
        matches!(&self.state, State::Settled(settled) if settled.row.outcome.is_failure())
    }

    /// Returns whether it is known and not fetched, or not as often as it should be.
    pub(super) fn is_unfinished(&self) -> bool {
        self.is_due() || matches!(self.state, State::Open)
    }
}
