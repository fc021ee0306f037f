//! The URLs of a crawl: each name stored once, found by name and by number.

use super::row::Settled;
use crate::report::Outcome;
use indexmap::IndexMap;
use std::ops::{Index, IndexMut};

/// The number of a URL in this crawl's ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlId(u32);

/// All URLs that are known: those of the crawl, and nothing foreign.
#[derive(Debug, Default)]
pub(super) struct Urls(IndexMap<Box<str>, Entry>);

/// What is known of one URL.
#[derive(Debug, Default)]
pub(super) struct Entry {
    /// The largest budget of redirects that it was met with.
    pub(super) redirects_left: u32,
    /// The level in which it was queued.
    pub(super) level: u32,
    pub(super) state: State,
}

#[derive(Debug, Default)]
pub(super) enum State {
    /// Known, and in no queue: held back, or beyond a limit.
    #[default]
    Known,
    /// Queued, pausing or in flight.
    Open,
    /// Done.
    Settled(Box<Settled>),
}

impl Urls {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn find(&self, name: &str) -> Option<UrlId> {
        self.0.get_index_of(name).map(UrlId::new)
    }

    /// The number of this URL, which is known from now on.
    pub(super) fn intern(&mut self, name: &str) -> UrlId {
        match self.find(name) {
            Some(id) => id,
            None => UrlId::new(self.0.insert_full(name.into(), Entry::default()).0),
        }
    }

    pub(super) fn name(&self, id: UrlId) -> &str {
        self.0.get_index(id.index()).expect("ids stay valid").0
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.0.values()
    }

    pub(super) fn sort_by_name(&self, ids: &mut [UrlId]) {
        ids.sort_unstable_by(|a, b| self.name(*a).cmp(self.name(*b)));
    }

    pub(super) fn by_name(&self) -> Vec<UrlId> {
        let mut ids: Vec<UrlId> = (0..self.len()).map(UrlId::new).collect();
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

    /// The links of a page that belong to the crawl.
    pub(super) fn links(&self, id: UrlId) -> &[UrlId] {
        self.settled(id).map_or(&[], |settled| &settled.links)
    }

    /// Where a redirect that was followed leads.
    pub(super) fn next(&self, id: UrlId) -> Option<UrlId> {
        self.settled(id)?.next
    }

    /// All that was settled; nothing stays.
    pub(super) fn take_settled(&mut self) -> impl Iterator<Item = Settled> {
        self.0.drain(..).filter_map(|(_, entry)| match entry.state {
            State::Settled(settled) => Some(*settled),
            _ => None,
        })
    }
}

impl Index<UrlId> for Urls {
    type Output = Entry;

    fn index(&self, id: UrlId) -> &Entry {
        &self.0[id.index()]
    }
}

impl IndexMut<UrlId> for Urls {
    fn index_mut(&mut self, id: UrlId) -> &mut Entry {
        &mut self.0[id.index()]
    }
}

impl Entry {
    /// Is there anything left to do about it? A redirect that found its budget empty is
    /// due again as soon as there is a larger one.
    pub(super) fn is_due(&self) -> bool {
        match &self.state {
            State::Known => true,
            State::Open => false,
            State::Settled(settled) => {
                settled.stat.outcome == Outcome::TooManyRedirects
                    && self.redirects_left > 0
            }
        }
    }

    /// Known, and not fetched (or not as often as it should have been).
    pub(super) fn is_left(&self) -> bool {
        self.is_due() || matches!(self.state, State::Open)
    }
}

impl UrlId {
    fn new(index: usize) -> UrlId {
        UrlId(u32::try_from(index).expect("fewer than four thousand million URLs"))
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}
