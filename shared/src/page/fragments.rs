//! The ids of a page, and whether a fragment points at one of them.

use percent_encoding::percent_decode_str;
use std::hash::{DefaultHasher, Hasher};

/// The ids of a page: the `id` of each element, and the `name` of each `a`.
///
/// Each id is stored as a hash of eight bytes, since a site may have millions of ids.
/// If two ids have the same hash, one of them could be missing unnoticed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ids(Box<[u64]>);

impl Ids {
    /// Returns the hash of an id.
    pub(super) fn hash(id: &str) -> u64 {
        let mut hasher = DefaultHasher::new(); // with constant keys
        hasher.write(id.as_bytes());
        hasher.finish()
    }

    /// Creates the ids from their hashes, in any order.
    pub(crate) fn from_hashes(mut hashes: Vec<u64>) -> Ids {
        hashes.sort_unstable();
        hashes.dedup();
        Ids(hashes.into())
    }

    /// Returns whether a fragment points at a place in this page (HTML's [indicated
    /// part of the document]): there is an id that equals the fragment, as written or
    /// percent-decoded. The empty fragment and `top` always point at the top.
    ///
    /// A range of lines such as `1-119` points at a place if both numbers are ids.
    /// `cargo doc` writes such links to its source pages, whose script marks the lines.
    ///
    /// [indicated part of the document]: https://html.spec.whatwg.org/multipage/browsing-the-web.html#the-indicated-part-of-the-document
    pub fn contains(&self, fragment: &str) -> bool {
        let has = |id: &str| self.0.binary_search(&Ids::hash(id)).is_ok();
        if fragment.is_empty() || has(fragment) {
            return true;
        }
        let has_line =
            |id: &str| id.bytes().all(|byte| byte.is_ascii_digit()) && has(id);
        let is_range = fragment
            .split_once('-')
            .is_some_and(|(first, last)| has_line(first) && has_line(last));
        let decoded = percent_decode_str(fragment).decode_utf8_lossy();
        is_range || has(&decoded) || decoded.eq_ignore_ascii_case("top")
    }

    /// Returns how many bytes the hashes take.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }
}

/// Returns the part of a fragment that names an element. A directive such as
/// `:~:text=…` is cut off: it is meant for the browser.
pub(crate) fn without_directive(fragment: &str) -> &str {
    fragment.split_once(":~:").map_or(fragment, |(before, _)| before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fragment_is_compared_as_written_and_then_decoded() {
        let ids = ["a", "b%20c", "d e", "\u{fc}", "Top2"].map(Ids::hash);
        let ids = Ids::from_hashes(ids.to_vec());
        for present in [
            "", "a", "%61", "b%20c", "b%2520c", "d%20e", "%C3%BC", "top", "TOP",
            "t%6Fp",
        ] {
            assert!(ids.contains(present), "{present}");
        }
        for missing in ["A", "b c", "b%2525c", "d+e", "top2", "%FC", "%", "a%"] {
            assert!(!ids.contains(missing), "{missing}");
        }
    }

    #[test]
    fn a_range_of_lines_exists_if_both_of_its_ends_do() {
        let ids = ["1", "20", "x", "3-x"].map(Ids::hash);
        let ids = Ids::from_hashes(ids.to_vec());
        for (fragment, exists) in [
            ("1-20", true),
            ("20-20", true),
            ("3-x", true), // an id as written
            ("1-2", false),
            ("2-20", false),
            ("1-x", false),
            ("1-", false),
            ("-20", false),
            ("1-20-20", false),
        ] {
            assert_eq!(ids.contains(fragment), exists, "{fragment}");
        }
    }

    #[test]
    fn a_directive_is_no_part_of_the_name() {
        for (fragment, name) in
            [("a", "a"), ("a:~:text=b", "a"), (":~:text=b", ""), ("a:~b", "a:~b")]
        {
            assert_eq!(without_directive(fragment), name);
        }
    }
}
