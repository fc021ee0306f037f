//! Listings that know where they are: from which lines of which file each comes, what is
//! around them there, and which of them an earlier listing of the book did not have.
//!
//! A page's Markdown goes through [`Listings::put_into`] before mdBook has it: each code
//! block gets a key, as one class more, by which [`super::code`] finds it again in the HTML.

use super::source::{Places, Sources, place_of};
use super::terms::Terms;
use crate::read::include::{Include, Part};
use crate::read::place::Place;
use crate::read::pointer::{Pointer, pointers};
use crate::read::text::{Fence, Line, fences, lines};
use similar::{Algorithm, DiffTag, capture_diff_slices};
use std::collections::{BTreeMap, BTreeSet};

/// As many lines have to be those of an earlier listing.
const FEWEST: usize = 4;

/// The listings of all pages, and the files that they are from.
#[derive(Debug, Default)]
pub(super) struct Listings {
    by_key: BTreeMap<String, Listing>,
    /// The keys, as readers meet the listings.
    order: Vec<String>,
    pub(super) sources: Sources,
}

/// Code from a file.
#[derive(Debug)]
pub(super) struct Listing {
    /// The file, as a person would write its path.
    pub(super) file: String,
    /// Its lines, each with its number in the file.
    pub(super) lines: Vec<(usize, String)>,
    /// Whether it is all of the file.
    pub(super) is_whole: bool,
    /// An earlier listing of the book that has a good part of its lines, and the places of
    /// those that it does not have.
    pub(super) grown: Option<(String, BTreeSet<usize>)>,
    /// Whether it is in an answer: readers may not have seen it.
    is_folded: bool,
}

impl Listing {
    /// Its lines without indentation, but for those that say nothing.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let lines = self.lines.iter().map(|(_, line)| line.trim());
        lines.filter(|line| says_something(line))
    }
}

impl Listings {
    /// A page with its listings put in, with links to the glossary, to files and to lines.
    /// mdBook would print the lines that serve traces, too. All other includes are left to
    /// mdBook, and those that cannot be read.
    pub(super) fn put_into(
        &mut self,
        place: &Place,
        terms: &Terms,
        slug: &str,
        page: &str,
    ) -> String {
        let lines = lines(page);
        let fences = fences(page, &lines);
        self.sources.add_named(place, page);
        for (index, fence) in fences.iter().enumerate() {
            let folded = lines.get(fence.line - 1).is_some_and(|line| line.folded > 0);
            if let Some(mut listing) = self.listing(place, fence, folded) {
                let key = key(slug, index);
                listing.grown = self.grown(&listing);
                self.order.push(key.clone());
                self.by_key.insert(key, listing);
            }
        }
        let mut out = String::new();
        for line in &lines {
            out += &self.line(place, terms, slug, &fences, line);
            out.push('\n');
        }
        out
    }

    /// A listing by the key of its block.
    pub(super) fn get(&self, key: &str) -> Option<&Listing> {
        self.by_key.get(key)
    }

    /// The pages of the files that they are from, which look as this page of the book.
    pub(super) fn pages(&self, like: &str) -> Vec<(String, String)> {
        let mut places = Places::new();
        for listing in self.by_key.values() {
            let place = place_of(&listing.lines);
            places.entry(&listing.file).or_default().insert(place);
        }
        self.sources.pages(&places, like)
    }

    fn listing(
        &mut self,
        place: &Place,
        fence: &Fence,
        is_folded: bool,
    ) -> Option<Listing> {
        let include = fence.only_include(place)?;
        let file = self.sources.add(place, include.file())?;
        let lines = include.numbered().ok()?;
        let is_whole = include.part == Part::Whole;
        Some(Listing { file, lines, is_whole, grown: None, is_folded })
    }

    /// The earlier listing that has most of these lines, if it has half of them. Of a program
    /// that is broken on purpose it would be no help, but the answer.
    /// An exercise is compared with nothing but itself: its solution with its start.
    fn grown(&self, listing: &Listing) -> Option<(String, BTreeSet<usize>)> {
        let exercise = exercise_of(&listing.file);
        let is_part = |it: &Listing| !it.is_whole && !it.file.contains("_broken_");
        if !is_part(listing) {
            return None;
        }
        let texts: BTreeSet<&str> = listing.texts().collect();
        let is_like = |it: &Listing| {
            let shared = it.texts().filter(|text| texts.contains(text)).count();
            shared >= FEWEST && shared * 2 >= listing.texts().count()
        };
        let is_seen = |it: &&Listing| {
            exercise_of(&it.file) == exercise
                && is_part(it)
                && (listing.is_folded || !it.is_folded)
                && is_like(it)
        };
        let seen = self.order.iter().filter_map(|key| {
            let earlier = self.get(key).filter(is_seen)?;
            Some((key, new_lines(&earlier.lines, &listing.lines)))
        });
        let (key, new) = seen.min_by_key(|(_, new)| new.len())?;
        let new_texts = new.iter().filter(|at| says_something(&listing.lines[**at].1));
        let (new_count, all) = (new_texts.count(), listing.texts().count());
        let has_half =
            new_count > 0 && new_count * 2 <= all && all - new_count >= FEWEST;
        has_half.then(|| (key.clone(), new))
    }

    fn line(
        &self,
        place: &Place,
        terms: &Terms,
        slug: &str,
        fences: &[Fence],
        line: &Line,
    ) -> String {
        if let Some(index) = fences.iter().position(|fence| fence.line == line.number) {
            return opened(&line.text, &key(slug, index));
        }
        let included = || Include::parse(place, &line.text).filter(Include::is_rust);
        if let Some(lines) = included().and_then(|include| include.lines().ok()) {
            return lines.join("\n");
        }
        if line.is_code || line.is_comment {
            return line.text.clone();
        }
        let text = with_pointers(place, slug, fences, line);
        terms.linked(&self.sources.linked(&text))
    }
}

/// The folder of an exercise, if the file belongs to one.
fn exercise_of(file: &str) -> Option<&str> {
    file.contains("/exercises/").then(|| file.rsplit_once('/'))?.map(|it| it.0)
}

/// Where a listing is, for links of any page.
pub(super) fn target(key: &str) -> String {
    let slug = key.rsplit_once("-listing-").map_or(key, |(slug, _)| slug);
    format!("{slug}.html#{key}")
}

/// The key of a page's code block, and its id.
fn key(slug: &str, index: usize) -> String {
    format!("{slug}-listing-{}", index + 1)
}

/// The line that opens a code block, with its key as one class more.
fn opened(line: &str, key: &str) -> String {
    let has_language = !line.trim_end().ends_with('`');
    if has_language { format!("{},{key}", line.trim_end()) } else { line.to_string() }
}

/// A line of prose whose words for lines of a listing are links to it.
fn with_pointers(place: &Place, slug: &str, fences: &[Fence], line: &Line) -> String {
    let mut text = line.text.clone();
    for pointer in pointers(place, fences, line).into_iter().rev().flatten() {
        let Pointer { text: words, fence, lines } = pointer;
        let (id, from, to) = (key(slug, fence), lines.start(), lines.end());
        let words = (words.clone(), &line.text[words]);
        let link = format!(
            "<a class=\"lines\" href=\"#{id}\" data-lines=\"{from}-{to}\">{}</a>",
            words.1
        );
        text.replace_range(words.0, &link);
    }
    text
}

/// The places of the lines that an earlier listing does not have, in this order. Lines of
/// brackets alone are not told from each other.
fn new_lines(
    earlier: &[(usize, String)],
    listing: &[(usize, String)],
) -> BTreeSet<usize> {
    let texts = |lines: &[(usize, String)]| -> Vec<String> {
        lines.iter().map(|(_, line)| line.trim().to_string()).collect()
    };
    let ops =
        capture_diff_slices(Algorithm::Patience, &texts(earlier), &texts(listing));
    let new = ops.iter().filter(|op| op.tag() != DiffTag::Equal);
    let places = new.flat_map(|op| op.new_range());
    let has_text = |at: &usize| listing[*at].1.contains(char::is_alphanumeric);
    places.filter(has_text).collect()
}

/// Lines of brackets alone are like each other, and what a file uses says little.
fn says_something(line: &str) -> bool {
    line.contains(char::is_alphanumeric) && !line.starts_with("use ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(text: &str) -> Vec<(usize, String)> {
        (1..).zip(text.lines().map(String::from)).collect()
    }

    #[test]
    fn what_moved_to_the_right_is_not_new() {
        let new = new_lines(&numbered("a\n}\n"), &numbered("if b {\n  a\n\n  }\n}\n"));
        assert_eq!(new, BTreeSet::from([0]));
    }

    fn listing(file: &str, text: &str) -> Listing {
        let (file, lines) = (file.to_string(), numbered(text));
        Listing { file, lines, is_whole: false, grown: None, is_folded: false }
    }

    #[test]
    fn a_listing_has_grown_if_half_of_it_was_there_before() {
        let mut listings = Listings::default();
        listings
            .by_key
            .insert("pin-listing-1".to_string(), listing("a.rs", "a\nb\nc\nd"));
        listings.order.push("pin-listing-1".to_string());
        let grown = |file, text| listings.grown(&listing(file, text));
        let new = Some(("pin-listing-1".to_string(), BTreeSet::from([2])));
        assert_eq!(grown("b.rs", "a\nb\nnew\nc\nd"), new);
        assert_eq!(grown("b.rs", "a\nb\nc\nd"), None);
        assert_eq!(grown("b.rs", "a\n1\nb\n2\nc\n3\nd\n4\n5"), None);
        assert_eq!(grown("ch09_broken_b.rs", "a\nb\nnew\nc\nd"), None);
    }

    #[test]
    fn an_exercise_is_compared_with_itself_alone() {
        let mut listings = Listings::default();
        let start = listing("s/exercises/a/start.rs", "a\nb\nc\nd");
        listings.by_key.insert("pin-listing-1".to_string(), start);
        listings.order.push("pin-listing-1".to_string());
        let grown = |file| listings.grown(&listing(file, "a\nb\nnew\nc\nd"));
        assert!(grown("s/exercises/a/solution.rs").is_some());
        assert_eq!(grown("s/exercises/b/start.rs"), None);
        assert_eq!(grown("s/examples/a.rs"), None);
    }

    #[test]
    fn a_block_gets_its_key_as_a_class() {
        assert_eq!(
            opened("```rust,ignore", "pin-listing-1"),
            "```rust,ignore,pin-listing-1"
        );
        assert_eq!(opened("```", "pin-listing-1"), "```");
    }
}
