//! A small book that keeps all rules, in a project of its own, to be broken by tests.

use book::check::drawing;
use book::html::made;
use book::read::book::Book;
use book::read::edition::Edition;
use book::read::place::{Place, files};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A project with a book of four pages.
pub(crate) struct Sample {
    folder: TempDir,
}

const EXAMPLE: &str = "//! Why a frame must not move.
// ANCHOR: count
struct Counter(u32);

fn count(counter: &mut Counter) -> u32 {
    COUNTER_LEAF.parked(); // observe
    counter.0 += 1;
    counter.0
}
// ANCHOR_END: count

// ANCHOR: use
fn main() {
    println!(\"{}\", count(&mut Counter(0)));
}
// ANCHOR_END: use

/// A program is longer than what a reader can take in at once, so a page shows a part.
fn more() {
    println!(\"1\");
    println!(\"2\");
    println!(\"3\");
    println!(\"4\");
    println!(\"5\");
    println!(\"6\");
}

// ANCHOR: nothing
// ANCHOR_END: nothing
fn hidden(other: Other) {}
struct Other;
// ANCHOR: forgotten
fn shows(it: Other) {
    hidden(it);
}
// ANCHOR_END: forgotten
// ANCHOR: observed
static COUNTER_LEAF: Leaf = Leaf;
// ANCHOR_END: observed
// ANCHOR: wide
// 3456789_123456789_123456789_123456789_123456789_123456789_123456789_123456789_123456789
// ANCHOR_END: wide
struct Leaf;

// ANCHOR: leaf
impl Leaf {
    fn parked(&self) {}
    fn is_full(&self) -> bool {
        true
    }
}
// ANCHOR_END: leaf

// ANCHOR: member
fn asks(leaf: &Leaf) -> bool {
    leaf.is_full()
}
// ANCHOR_END: member
";

const FIGURE: &str = "size 300 80\nalt A task and the OS.\n\
    task a 10 20 80 40 \"task\" ready\nos b 200 20 80 40 \"OS\"\narrow a b \"1\"\n";

const SUMMARY: &str = "# A book\n\n[Book](index.md)\n[Introduction](introduction.md)\n\n# Part one: all\n\n\
    - [Pin](pin.md)\n- [Last](last.md)\n\n---\n\n[Teaching notes](teaching-notes.md)\n\
    [What is covered where](coverage.md)\n";

const RUN: &str = "```console\n$ cargo run --example ch18_pin\n\
    {{#include ../../stage3-async/examples/ch18_pin.out}}\n```\n\n";

const LISTING: &str = "```rust,ignore\n\
    {{#include ../../stage3-async/examples/ch18_pin.rs:count}}\n```\n\n";

/// The teaching notes of any chapter.
const NOTE: &str = "**Minutes.** 25.\n\n**Demo.** Run it.\n\n**Draw.** It.\n\n\
    **Misconceptions.** \"It may\": it may not.\n";

/// The chapter that tests break.
fn chapter() -> String {
    let header = "<!-- needs: none; covers: C27; names: none\nadds: it: moves -->";
    let words = "Some words teach.\n".repeat(320);
    let figure = "<figure>\n\n{{#include ../figures/pin-moved.svg}}\n\n</figure>\n";
    let stored = "```console\n$ cargo run -- --help\n\
                  {{#include ../runs/pin-help.out:2:}}\n```\n";
    let snippet = "```rust\nlet one = 1;\nassert_eq!(one, 1);\n```\n\n\
                   ```rust,compile_fail\nlet one: u8 = \"1\";\n```\n\n";
    let folded = "<details id=\"pin-check-why\">\n<summary>Answer</summary>\n\nYes.\n\n\
                  </details>\n";
    let predicted = folded.replace("check-why", "predict-it");
    let again = folded.replace("check-why", "check-how");
    let use_it = LISTING.replace(":count", ":use");
    format!(
        "# Pin\n\n{header}\n\n## It moves\n\n{words}\n{RUN}## The idea\n\n{figure}\n\
         ## Step 1: move\n\n{LISTING}{use_it}{use_it}{snippet}{RUN}\
         ## Step 2: help\n\n{stored}\n\
         ## Predict, then run\n\n**1. Broken on purpose.** Does it?\n\n{predicted}\n\
         ## Where it breaks\n\nSee [the first](introduction.md#why).\n\n\
         ## Checkpoint\n\n**1.** Why?\n\n{folded}\n**2.** How?\n\n{again}\n\
         ## Recap\n\n- It moves.\n\nSee [notes](teaching-notes.md#pin).\n"
    )
}

/// The hints of the exercise.
const HINTS: &str = "<!-- title: One; chapter: pin; place: 1; minutes: 5; lines: 1; needs: -->\n\n\
    ## First\n\nWhich number do you need here?\n\n\
    ## Second\n\nIt is the smallest of them.\n\n\
    ## Third\n\nReturn one, and nothing else.\n";

const START: &str = "//! A number.\n\n// ANCHOR: task\nfn one() -> u8 {\n    todo!(\"it\")\n}\n\
    // ANCHOR_END: task\n\nfn main() {}\n";

impl Sample {
    /// A book without faults.
    pub(crate) fn new() -> Sample {
        let sample =
            Sample { folder: tempfile::tempdir().expect("a folder for a test") };
        let page = |title: &str, needs: &str, more: &str| {
            format!("# {title}\n\n<!-- needs: {needs} -->\n\n{more}\n")
        };
        sample.write(
            "Cargo.toml",
            "[workspace]\nmembers = [\"stage3-async\"]\n\n[workspace.package]\nversion = \"1.0.0\"\n",
        );
        sample.write("stage3-async/Cargo.toml", "[package]\nname = \"stage3-async\"\n");
        sample.write("stage3-async/examples/ch18_pin.rs", EXAMPLE);
        sample.write("stage3-async/examples/ch18_pin.out", "1\n");
        let own = Place::new(None, None).book;
        let theme = ["css", "js"].map(|it| files(&own.join("theme"), it)).concat();
        let runs = ["one-at-a-time", "five-at-once"];
        let runs = runs.map(|name| own.join(format!("runs/introduction-{name}.out")));
        for file in [own.join("book.toml")].iter().chain(&theme).chain(&runs) {
            let text = fs::read_to_string(file).expect("it was found there");
            let file = file.strip_prefix(&own).expect("it is in the book");
            sample.write(&format!("book/{}", file.display()), &text);
        }
        let (card, own) =
            (sample.path("book/theme/card.png"), own.join("theme/card.png"));
        fs::copy(own, card).expect("the theme has been written");
        for program in ["page", "steps"] {
            let file = format!("book/theme/player/{program}.js");
            sample.write(&file, "// what a board loads\n");
        }
        sample.write("book/src/SUMMARY.md", SUMMARY);
        sample.write("book/src/index.md", "# Book\n\nAbout it.\n\n> Why?\n\n{{#include ../made/lanes.md}}\n\n{{#include ../made/numbers.txt:chapters}}\n");
        let why = page("Introduction", "none", "## Why\n");
        sample.write("book/src/introduction.md", &why);
        sample.write("book/src/pin.md", &chapter());
        let end = "The end. A reader\nwaits, and `stands`.";
        sample.write("book/src/last.md", &page("Last", "pin", end));
        for slug in ["introduction", "pin", "last"] {
            sample.write(&format!("book/teaching/{slug}.md"), NOTE);
        }
        sample.write(
            "book/src/teaching-notes.md",
            "# Teaching notes\n\n{{#include ../made/notes.md}}\n",
        );
        sample.write("book/figures/pin-moved.fig", FIGURE);
        sample.write("book/runs/pin-help.out", "$ cargo run -- --help\nhelp\n");
        sample.write("book/coverage.txt", "C27 frames that outlive the call\n");
        sample.write(
            "book/src/coverage.md",
            "# What is covered where\n\n{{#include ../made/coverage.md}}\n",
        );
        let old = "# Old.\nin vain  without success\nstands?  is\n- stands? for\n- reader who\n\
                   ? who|whose|nobody\n";
        sample.write("book/english/words.txt", old);
        assert_eq!(drawing::draw_all(&sample.place()), []);
        sample.make();
        sample
    }

    /// The book with an exercise in its chapter.
    pub(crate) fn with_exercise() -> Sample {
        let sample = Sample::new();
        let folder = "stage3-async/exercises/leaf";
        for (file, text) in [
            ("hints.md", HINTS),
            ("start.rs", START),
            (
                "solution.rs",
                &START.replace("todo!(\"it\")", "1").replace("task", "solution"),
            ),
            ("wrong.txt", "== it is 2\ncase: one\n---\n    1\n+++\n    2\n"),
            ("mistakes.txt", "== it is 2\ncase: one\nit is\n  found: 2\n  right: 1\n"),
        ] {
            sample.write(&format!("{folder}/{file}"), text);
        }
        let check = "//! One.\n\ncases! {\n    One:\n    one,\n}\n";
        sample.write("tests/exercises/checks/src/exercises/leaf.rs", check);
        let page = "# Build it yourself\n\n{{#include ../made/exercises.md}}\n\nSee [leaf](build-it-yourself.md#exercise-leaf).\n";
        sample.write("book/src/build-it-yourself.md", page);
        let list = "---\n\n[Build it yourself](build-it-yourself.md)\n";
        sample.edit("book/src/SUMMARY.md", "---\n\n", list);
        let part = "## Python ↔ Rust\n\nNone.\n\n## Where it breaks";
        sample.edit("book/src/pin.md", "## Where it breaks", part);
        sample.make();
        sample
    }

    /// Writes the tables and numbers that its pages include.
    pub(crate) fn make(&self) {
        assert_eq!(made::write(&self.book()), []);
    }

    /// Where it is.
    pub(crate) fn place(&self) -> Place {
        let root = self.folder.path().to_path_buf();
        let (book, target) = (root.join("book"), root.join("target"));
        // All samples have the same short programs: each is compiled once.
        let fine = Place::new(None, None).fine;
        Place { book, target, root, fine }
    }

    /// Where the whole book is built.
    pub(crate) fn built(&self) -> PathBuf {
        Edition::All.built(&self.place())
    }

    /// What is there now.
    pub(crate) fn book(&self) -> Book {
        Book::read(&self.place()).expect("there is a summary")
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Writes a file, below the folder of the project.
    pub(crate) fn write(&self, path: &str, text: &str) -> PathBuf {
        let file = self.path(path);
        let folder = file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).expect("the folder is ours");
        fs::write(&file, text).expect("the folder is ours");
        file
    }

    /// Puts something else in the place of a text that the file has.
    pub(crate) fn edit(&self, path: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(path)).expect("it is there");
        assert!(text.contains(from), "{path} does not have {from:?}");
        self.write(path, &text.replacen(from, to, 1));
    }

    /// Deletes a file.
    pub(crate) fn delete(&self, path: &str) {
        fs::remove_file(self.path(path)).expect("it is there");
    }
}
