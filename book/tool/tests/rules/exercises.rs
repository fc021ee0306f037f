//! The rules of exercises, and of what the build makes of them.

use crate::sample::Sample;
use crate::{PIN, assert_says, faults, whole};
use book::check;

const EXERCISE: &str = "stage3-async/exercises/leaf";

#[test]
fn an_exercise_is_in_its_chapter() {
    let sample = Sample::with_exercise();
    assert_eq!(faults(&sample), []);
    assert_eq!(whole(&sample), []);
    let page = |name: &str| {
        let file = sample.built().join(name);
        std::fs::read_to_string(file).expect("it was built")
    };
    let pin = page("pin.html");
    for id in ["", "-hint-1", "-hint-2", "-hint-3", "-solution", "-mistakes"] {
        assert!(pin.contains(&format!("id=\"pin-exercise-leaf{id}\"")), "{id}: {pin}");
    }
    for text in [
        "exercises/leaf/start.rs:4",
        "exercises/leaf/solution.rs:4",
        "<em>one</em>: it is (<code>2</code>, not <code>1</code>)",
        "cargo exercise watch leaf",
    ] {
        assert!(pin.contains(text), "{text}: {pin}");
    }
    assert!(
        page("build-it-yourself.html").contains("href=\"pin.html#pin-exercise-leaf\"")
    );
    let index = page("search/index.js");
    assert!(index.contains("pin-exercise-leaf"), "{index}");
    for hidden in ["smallest", "nothing else", "hint-1", "it is 2"] {
        assert!(!index.contains(hidden), "{hidden}: {index}");
    }
}

#[test]
fn exercises_have_their_parts() {
    let cases = [
        ("hints.md", "Which number do you need here?", "Why?", "a hint of 1 words"),
        ("hints.md", "## Third", "## Last", "has no `## Third`"),
        ("hints.md", "minutes: 5", "minutes: x", "`minutes: x` is no number"),
        ("start.rs", "ANCHOR: task", "ANCHOR: part", "has no `ANCHOR: task`"),
        ("start.rs", "//! A", "// A", "does not begin with `//! `"),
        ("solution.rs", "    1", &"    1 + 1;\n".repeat(60), "`solution` has 63 lines"),
        ("wrong.txt", "it is 2", "it is 3", "cargo exercise prove --update leaf"),
        ("mistakes.txt", "case: one\n", "", "not a case"),
    ];
    for (file, from, to, says) in cases {
        let sample = Sample::with_exercise();
        sample.edit(&format!("{EXERCISE}/{file}"), from, to);
        let mut problems = faults(&sample);
        problems.extend(check::exercises::read(&sample.book()));
        assert_says(&problems, says);
    }
}

#[test]
fn exercises_are_written_by_the_build() {
    let sample = Sample::with_exercise();
    sample.edit(PIN, "## Python ↔ Rust", "## Exercise");
    let problems = faults(&sample);
    assert_says(&problems, "the build writes this section");
    assert_says(&problems, "come before `## Python ↔ Rust`");
    assert_says(&whole(&sample), "not built: pin.md has exercises, and no `## Python");
}

#[test]
fn an_exercise_in_two_pages_is_found() {
    let sample = Sample::with_exercise();
    let copy = "<a id=\"pin-exercise-leaf\"></a>\n\nThe end.";
    sample.edit("book/src/last.md", "The end.", copy);
    assert_says(&whole(&sample), "not in its chapter alone");
}
