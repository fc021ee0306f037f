//! Links that cannot be parsed, and the pages that contain them.

use super::url_id::UrlId;
use crate::page::links::Invalid;
use crate::report::Row;
use crate::room::Room;
use std::collections::BTreeMap;
use std::collections::btree_map::OccupiedEntry;
use std::sync::Arc;
use url::ParseError;

/// These links and their rows may take a quarter of the memory for known URLs, in
/// addition to it.
pub(super) const UNPARSABLE_DIVISOR: usize = 4;

/// The bytes of a link without its text: an entry in the tree, the counters of the
/// shared text, and a row.
const ENTRY: usize =
    size_of::<(Arc<str>, Linked)>() + 2 * size_of::<usize>() + size_of::<Row>();

/// Why a link cannot be parsed (`None` if it is too long), and the pages that contain
/// it, in any order.
type Linked = (Option<ParseError>, Vec<UrlId>);

/// The links of a crawl that cannot be parsed.
///
/// If they do not all fit, the first ones by text are stored. So the order of the
/// responses does not matter.
#[derive(Debug)]
pub(super) struct Unparsable {
    links: BTreeMap<Arc<str>, Linked>,
    room: Room,
    /// The first link, by text, that is left out; so are all links after it. Set when
    /// a link does not fit, and replaced only by an earlier link. `None` while all
    /// links fit.
    bound: Option<Arc<str>>,
}

impl Unparsable {
    pub(super) fn new(limit: usize) -> Unparsable {
        Unparsable { links: BTreeMap::new(), room: Room::new(limit), bound: None }
    }

    /// Adds a link that occurs on a page.
    pub(super) fn add(&mut self, link: &Invalid, page: UrlId) {
        let (text, error) = (&*link.text, link.error);
        if self.bound.as_deref().is_some_and(|bound| text >= bound) {
            return;
        }
        let own = if self.links.contains_key(text) { 0 } else { text.len() + ENTRY };
        while !self.room.take(own + size_of::<UrlId>()) {
            let last = self.links.last_entry().filter(|last| **last.key() > *text);
            let Some((last, (_, pages))) = last.map(OccupiedEntry::remove_entry) else {
                return self.end_before(text);
            };
            self.room.give_back(last.len() + ENTRY + size_of_val(&pages[..]));
            self.bound = Some(last);
        }
        let new = || (error, Vec::new());
        let (known, pages) = self.links.entry(text.into()).or_insert_with(new);
        pages.push(page);
        // The error may depend on the page's base URL.
        if *known != error && words(error) < words(*known) {
            *known = error;
        }
    }

    /// Leaves out this link and all later ones by text. No later one is stored.
    fn end_before(&mut self, text: &str) {
        if let Some((_, pages)) = self.links.remove(text) {
            self.room.give_back(text.len() + ENTRY + size_of_val(&pages[..]));
        }
        self.bound = Some(text.into());
    }

    pub(super) fn len(&self) -> usize {
        self.links.len()
    }

    /// Returns whether some links were left out.
    pub(super) fn are_cut(&self) -> bool {
        self.bound.is_some()
    }

    /// Returns the stored links, sorted, each with its pages in any order.
    pub(super) fn links(&self) -> impl Iterator<Item = (&Arc<str>, &Linked)> {
        self.links.iter()
    }
}

fn words(error: Option<ParseError>) -> Option<String> {
    error.map(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawl::ledger::Ledger;
    use crate::options::{Options, Program};
    use url::Url;

    fn pages() -> Vec<UrlId> {
        let roots =
            ["a", "b"].map(|path| Url::parse(&format!("http://site.test/{path}")));
        let options = Options::with_roots(roots.map(|url| url.expect("a URL")));
        let (_, jobs) = Ledger::open(&options, &Program::http_only("a-test", "1"));
        jobs.iter().map(|job| job.id()).collect()
    }

    #[test]
    fn what_is_kept_does_not_depend_on_the_order_in_which_it_came() {
        let pages = pages();
        let errors = [Some(ParseError::EmptyHost), Some(ParseError::InvalidPort)];
        let link = |length: usize, name: &str| name.repeat(length);
        let links = [link(1, "a"), link(9, "b"), link(70, "c"), link(1, "d")];
        let found: Vec<(&String, UrlId)> = (links.iter())
            .flat_map(|link| pages.iter().map(move |page| (link, *page)))
            .collect();
        for room in 0..=5 {
            let limit = room * (ENTRY + 2 * size_of::<UrlId>()) + 20;
            let mut expected = None;
            for turn in 0..found.len() {
                for is_reversed in [false, true] {
                    let mut kept = Unparsable::new(limit);
                    let mut order = found.clone();
                    order.rotate_left(turn);
                    if is_reversed {
                        order.reverse();
                    }
                    for (link, page) in order {
                        let error = errors[usize::from(page == pages[1])];
                        kept.add(&Invalid { text: link.to_string(), error }, page);
                    }
                    let are_cut = kept.bound.is_some();
                    let mut left = kept.links;
                    left.values_mut().for_each(|(_, pages)| pages.sort());
                    assert_eq!(are_cut, left.len() < links.len());
                    let first = expected.get_or_insert_with(|| left.clone());
                    assert_eq!(&left, first, "{room} {turn} {is_reversed}");
                }
            }
            let count = expected.map_or(0, |kept| kept.len());
            assert_eq!(count, [0, 1, 2, 2, 3, 4][room], "with room for {room}");
        }
    }
}
