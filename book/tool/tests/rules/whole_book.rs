//! What only the whole book shows: steps, coverage, figures, the built pages.

use crate::sample::Sample;
use crate::{PIN, STEP, assert_says, faults, whole};
use book::check;
use book::html::made;
use book::read::edition::Edition;
use book::read::place::Place;
use std::fs;

#[test]
fn tables_are_those_of_today_and_are_included() {
    let sample = Sample::new();
    sample.edit("book/coverage.txt", "outlive the call", "live on");
    sample.write("book/made/plan-7.md", "| 7 |\n");
    let problems = made::check(&sample.book());
    assert_says(&problems, "book/made/coverage.md: is not what is computed today");
    assert_says(&problems, "book/made/plan-7.md: no page includes it");
    assert_eq!(problems.len(), 2, "{problems:?}");
    sample.edit("book/src/coverage.md", "coverage.md}}", "table.md}}");
    assert_says(&whole(&sample), "book/made/table.md: is no table that we know");
}

#[test]
fn steps() {
    let sample = Sample::new();
    sample.write("stage3-async/examples/ch18_other.rs", "fn main() {}\n");
    assert_says(&check::steps::check(&sample.book()), "no chapter runs it");
}

#[test]
fn listings_compile_without_what_the_book_leaves_out() {
    let typed = |from: &str, to: &str| {
        let sample = Sample::new();
        sample.edit(STEP, from, to);
        check::typed::check(&sample.book())
    };
    assert_eq!(typed("counter.0 += 1", "counter.0 += 1"), []);
    let number = "let one = 1; // observe\n    counter.0 += one";
    let problems = typed("counter.0 += 1", number);
    assert_says(&problems, "ch18_pin.rs:8: without the lines that end in `// observe`");
    assert_says(&problems, "cannot find value `one`");
    let change = "let mut one = 1;\n    one *= 1; // observe\n    counter.0 += one";
    assert_says(&typed("counter.0 += 1", change), "does not need to be mutable");
}

#[test]
fn coverage() {
    let sample = Sample::new();
    sample.edit(PIN, "covers: C27", "covers: C28");
    let problems = check::covered::check(&sample.book());
    assert_says(&problems, "no page covers C27");
    assert_says(&problems, "covers `C28`");
    sample.edit(PIN, "covers: C28", "covers: C27");
    sample.make();
    book::html::build(&sample.book(), Edition::All).expect("nothing is wrong");
    let page = fs::read_to_string(sample.built().join("coverage.html"));
    let page = page.expect("it is built");
    for row in ["frames that outlive the call", "it: moves"] {
        let row = format!("<td>{row}</td><td><a href=\"pin.html\">1</a></td>");
        assert!(page.contains(&row), "no {row} in {page}");
    }
}

#[test]
fn the_short_route() {
    let on_it = |part: &str, more: &str| {
        let sample = Sample::new();
        sample.edit(PIN, "covers: C27", &format!("covers: C27; route: {part}"));
        sample.edit(PIN, "## Step 2: help", &format!("{more}\n\n## Step 2: help"));
        check::route::check(&sample.book())
    };
    let places = "<a id=\"first-waker\"></a>\n<a id=\"who-calls-poll\"></a>";
    for part in ["all", "1"] {
        assert_eq!(on_it(part, places), [], "{part}");
        assert_says(&on_it(part, ""), "does not come to `first-waker`");
        let late = format!("{}\n\n{places}", "word ".repeat(8500));
        assert_says(&on_it(part, &late), "words of the short route to `first-waker`");
    }
    for part in ["some", "9"] {
        assert_says(&on_it(part, places), "`route` is `all`, or the number of a step");
    }
}

/// Notes are in the order of the summary, each below the title of its chapter.
#[test]
fn the_notes_of_all_chapters_are_in_one_page() {
    let sample = Sample::new();
    book::html::build(&sample.book(), Edition::All).expect("nothing is wrong");
    let page = fs::read_to_string(sample.built().join("teaching-notes.html"));
    let page = page.expect("it is built");
    let places =
        ["introduction", "pin", "last"].map(|it| page.find(&format!("id=\"{it}\"")));
    assert!(places.is_sorted() && places[0].is_some(), "{places:?}");
    assert!(page.contains("<a href=\"pin.html\">Pin</a>"), "{page}");
    assert_eq!(page.matches("Run it.").count(), 3, "{page}");
}

#[test]
fn figures() {
    let sample = Sample::new();
    sample.edit("book/figures/pin-moved.fig", "A task", "One task");
    assert_says(&faults(&sample), "pin-moved.svg: is not what is drawn today");
    sample.delete("book/figures/pin-moved.fig");
    assert_says(&faults(&sample), "no .fig draws it");
}

#[test]
fn the_picture_of_the_readme() {
    let sample = Sample::new();
    let own = Place::new(None, None).book.join("traces");
    for name in ["introduction-one-at-a-time.json", "introduction-five-at-once.json"] {
        let trace = fs::read_to_string(own.join(name)).expect("it is stored");
        sample.write(&format!("book/traces/{name}"), &trace);
    }
    let place = sample.book().place;
    let faults = || check::drawing::check(&place, None);
    assert_says(&faults(), "book/waits.svg: is not what is drawn today");
    check::drawing::draw_all(&place);
    assert!(faults().is_empty());
    sample.edit("book/waits.svg", "sleeps", "naps");
    assert_says(&faults(), "book/waits.svg: is not what is drawn today");
    sample.delete("book/traces/introduction-five-at-once.json");
    assert_says(&faults(), "traces/introduction-five-at-once.json");
}

#[test]
fn the_summary() {
    let sample = Sample::new();
    sample.write("book/src/stray.md", "# Stray\n");
    sample.delete("book/src/last.md");
    let problems = check::summary::check(&sample.book());
    assert_says(&problems, "book/src/stray.md: SUMMARY.md does not list it");
    assert_says(&problems, "SUMMARY.md:9: last.md is not there");
}

#[test]
fn what_is_built() {
    let cases = [
        ("introduction.md#why", "gone.md#why", "`gone.html#why` leads to no file"),
        ("introduction.md#why", "gone.md#why", "a broken link"),
        (
            "introduction.md#why",
            "introduction.md#not",
            "leads to no place of that name",
        ),
        ("The end.", "<img alt=\"a\" src=\"http://h/a.png\">", "asked of another host"),
        ("The end.", "<script src=\"//h/a.js\"></script>", "asked of another host"),
        ("The end.", "\\{{#include a.rs}}", "`{{#` is left"),
        ("The end.", "[the folder](./)", "leads to no file"),
        ("The end.", "[a file](../../stage3-async/gone.rs)", "leads to no file"),
    ];
    for (from, to, says) in cases {
        let sample = Sample::new();
        let page = if from == "The end." { "book/src/last.md" } else { PIN };
        sample.edit(page, from, to);
        assert_says(&whole(&sample), says);
    }
}

#[test]
fn a_page_that_mdbook_leaves_out_is_missed() {
    let sample = Sample::new();
    sample.edit("book/src/SUMMARY.md", "---", "# Appendices");
    assert_says(&whole(&sample), "mdBook has left it out");
}

#[test]
fn style_sheets() {
    let sample = Sample::new();
    sample.edit(
        "book/theme/book.css",
        ":root {",
        "@import \"http://h/a.css\";\n:root {",
    );
    assert_says(&whole(&sample), "is not there, or elsewhere");
}
