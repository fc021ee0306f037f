//! A reader who has the code of a chapter in mind must not be rejected. So wherever a
//! solution has more than half of a listing of its chapter, `wrong.txt` has the listing's own
//! code as a right solution, with the names of the exercise, and names the listing:
//! `port: stage3-async/src/queue.rs:join`. Code that a chapter shows as broken is a wrong one.

use crate::material::{self, Exercise};
use crate::variants::{self, Variant};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

/// A listing with fewer words shows too little to be the same.
const FEWEST_WORDS: usize = 50;

/// An exercise mirrors a listing if its solution has this many of 100 words of it.
const MIRRORED: usize = 55;

/// A port has at least this many: with other names, and with what the exercise asks for besides.
const PORTED: usize = 30;

/// This many words in a row have to be equal: fewer are equal by chance.
const RUN: usize = 5;

/// A listing of the book.
struct Listing {
    /// `FILE:ANCHOR`.
    name: String,
    words: Vec<String>,
}

/// Returns the listings that are mirrored and not ported, and the ports that are none.
pub(super) fn problems(
    chosen: &[Exercise],
    all: &[Exercise],
    root: &Path,
) -> Result<Vec<String>, String> {
    let mut problems = Vec::new();
    for exercise in chosen {
        let solution = exercise.read("solution.rs")?;
        let variants = variants::parse(&exercise.read("wrong.txt")?)?;
        for listing in listings(root, &exercise.chapter)? {
            let is_mirrored = listing.words.len() >= FEWEST_WORDS
                && percent_of(&listing, &solution) >= MIRRORED;
            if is_mirrored && !is_ported(&listing, exercise, all)? {
                let (name, listing) = (&exercise.name, &listing.name);
                problems.push(format!(
                    "{name}: its solution has much of {listing}, which its chapter prints, \
                     and no entry of wrong.txt has `port: {listing}`"
                ));
            }
        }
        for variant in &variants {
            let found = wrong_ports(variant, &solution, root)?;
            let name = &exercise.name;
            problems.extend(
                found.iter().map(|it| format!("{name}: {}: {it}", variant.name)),
            );
        }
    }
    Ok(problems)
}

/// Returns whether an exercise of the same chapter has the listing as a port.
fn is_ported(
    listing: &Listing,
    exercise: &Exercise,
    all: &[Exercise],
) -> Result<bool, String> {
    for other in all.iter().filter(|it| it.chapter == exercise.chapter) {
        let variants = variants::parse(&other.read("wrong.txt")?)?;
        if variants.iter().any(|it| it.ports.contains(&listing.name)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns what is wrong with the ports that an entry of `wrong.txt` names.
fn wrong_ports(
    variant: &Variant,
    solution: &str,
    root: &Path,
) -> Result<Vec<String>, String> {
    let mut problems = Vec::new();
    // A change that does not fit is reported where the entry is compiled.
    let Ok(text) = variant.apply(solution) else { return Ok(problems) };
    for name in &variant.ports {
        let listing = listing(root, name)?;
        let percent = percent_of(&listing, &text);
        if percent < PORTED {
            problems.push(format!(
                "it has {percent} % of {name}: has the listing been changed?"
            ));
        }
        if !variant.is_right() && !name.contains("broken") {
            problems
                .push(format!("{name} is not broken, and the entry is no right one"));
        }
        if !is_printed(root, name)? {
            problems.push(format!("no page prints {name}"));
        }
    }
    Ok(problems)
}

fn is_printed(root: &Path, name: &str) -> Result<bool, String> {
    for chapter in material::chapters(root)? {
        if names(&page(root, &chapter.page)?).contains(name) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn page(root: &Path, chapter: &str) -> Result<String, String> {
    material::read(&root.join("book/src").join(format!("{chapter}.md")))
}

/// Returns the listings that a page includes, as `FILE:ANCHOR`.
fn names(page: &str) -> BTreeSet<&str> {
    let includes = page.split("{{#include ../../").skip(1);
    let names = includes.filter_map(|it| it.split_once("}}").map(|it| it.0));
    names.filter(|it| it.contains(".rs:")).collect()
}

fn listings(root: &Path, chapter: &str) -> Result<Vec<Listing>, String> {
    let page = page(root, chapter)?;
    names(&page).into_iter().map(|name| listing(root, name)).collect()
}

fn listing(root: &Path, name: &str) -> Result<Listing, String> {
    let part = material::anchored(root, name)?;
    Ok(Listing { name: name.into(), words: words(&part) })
}

/// Returns how many of 100 words of a listing are in a text, in runs of at least [`RUN`].
fn percent_of(listing: &Listing, text: &str) -> usize {
    let (old, new) = (&listing.words, words(text));
    let runs: HashSet<&[String]> = new.windows(RUN).collect();
    let mut covered = vec![false; old.len()];
    for (at, run) in old.windows(RUN).enumerate() {
        if runs.contains(run) {
            covered[at..at + RUN].fill(true);
        }
    }
    100 * covered.iter().filter(|it| **it).count() / old.len().max(1)
}

/// Returns the words and signs of code, without comments, and without what it prints.
fn words(code: &str) -> Vec<String> {
    let is_left_out = |line: &&str| {
        line.contains("print!(")
            || line.contains("println!(")
            || line.contains("// observe")
    };
    let lines = code.lines().filter(|it| !is_left_out(it));
    let mut words: Vec<String> = Vec::new();
    for line in lines {
        let line = line.split_once("//").map_or(line, |it| it.0);
        let mut is_open = false;
        for letter in line.chars() {
            let is_letter = letter.is_alphanumeric() || letter == '_';
            match words.last_mut() {
                Some(word) if is_letter && is_open => word.push(letter),
                _ if letter.is_whitespace() => {}
                _ => words.push(letter.into()),
            }
            is_open = is_letter;
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Project;

    /// What is found when `wrong.txt` of `leaf` has another text.
    fn problems_of_leaf(from: &str, to: &str) -> String {
        let root = Project::new(None).root;
        let all = material::exercises(&root).expect("the material is fine");
        let mut leaf = all.into_iter().find(|it| it.name == "leaf").expect("it exists");
        let folder = tempfile::tempdir().expect("temporary files are possible");
        for file in ["solution.rs", "wrong.txt"] {
            let text = leaf.read(file).expect("it exists").replace(from, to);
            std::fs::write(folder.path().join(file), text)
                .expect("the folder can be written");
        }
        leaf.folder = folder.path().into();
        let leaf = [leaf];
        problems(&leaf, &leaf, &root).expect("the listings are there").join("\n")
    }

    #[test]
    fn a_listing_without_a_port_and_a_port_of_something_else_are_found() {
        assert_eq!(problems_of_leaf("", ""), "");
        let found =
            problems_of_leaf("ch16_three_go.rs:poll, ", "ch16_three_go.rs:resume, ");
        assert!(
            found.contains(
                "has `port: stage2-generators/examples/ch16_three_go.rs:poll`"
            ),
            "{found}"
        );
        assert!(
            found.contains("% of stage2-generators/examples/ch16_three_go.rs:resume"),
            "{found}"
        );
    }

    #[test]
    fn words_are_names_and_signs() {
        let code = "let a_1 = b.c(); // d\n  println!(\"e\");\n// ANCHOR: f\n";
        assert_eq!(words(code), ["let", "a_1", "=", "b", ".", "c", "(", ")", ";"]);
    }

    #[test]
    fn words_in_a_row_count_and_equal_by_chance_do_not() {
        let listing = |code: &str| Listing { name: String::new(), words: words(code) };
        let code = listing("let a = b; let c = d;");
        assert_eq!(percent_of(&code, "other; let a = b;"), 50);
        assert_eq!(percent_of(&code, "let a = b; let c = d;"), 100);
        assert_eq!(percent_of(&code, "let a = c; let b = d"), 0);
    }

    #[test]
    fn a_page_names_its_listings() {
        let page = "{{#include ../../a/b.rs:c}}\n{{#include ../../a/b.out}} {{#include ../runs/x.out}}";
        assert_eq!(names(page).into_iter().collect::<Vec<_>>(), ["a/b.rs:c"]);
    }
}
