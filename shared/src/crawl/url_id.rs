//! The numbers of URLs.

/// The number of a URL in the ledger of its crawl.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlId(u32);

impl UrlId {
    pub(super) fn new(index: usize) -> UrlId {
        UrlId(u32::try_from(index).expect("fewer than four thousand million URLs"))
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}
