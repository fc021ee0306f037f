//! What a chapter consists of: its parts, folds, questions, and teacher's notes.

use crate::sample::Sample;
use crate::{PIN, STEP, all_are_seen, assert_says, case, faults, faults_of};
use book::check;

#[test]
fn anatomy() {
    all_are_seen(&[
        case("<!-- needs: none;", "<!-- pin;", "no header"),
        case("## Recap", "## Recipe", "there is no part `## Recap`"),
        case("## Recap", "## Step 3: late", "comes after `Checkpoint`"),
        case("- It moves.", "- It moves.\n\n## More", "`More` comes after `Recap`"),
        case("## Step 1: move", "## Step 2: move", "begin with `Step 1: `"),
        case("## Step 2: help", "## Step 3: help", "begin with `Step 2: `"),
        case("## Step 2: help", "## Step", "begin with `Step 2: `"),
        case("## Where it breaks", "## Python ↔ Rust", "no part leads on"),
        case("## It moves", "## Step 1: it moves", "step 1 comes first"),
        case("{{#include ../figures/pin-moved.svg}}", "", "there is no figure"),
    ]);
    let sample = Sample::new();
    sample.edit(PIN, &"Some words teach.\n".repeat(320), "Few.\n");
    assert_says(&faults(&sample), "words teach: write 900 to 1,800");
}

#[test]
fn titles() {
    all_are_seen(&[case("Step 1: move", "Step 1: Move it", "small letter, `move`")]);
    for name in ["I/O", "Ctrl-C", "Python's `yield`", "a Pin", "`Pin`"] {
        let sample = Sample::new();
        sample.edit(PIN, "Step 1: move", &format!("Step 1: {name}"));
        assert_eq!(faults(&sample), [], "{name}");
    }
    let titles = |from: &str, to: &str| {
        let sample = Sample::new();
        sample.edit(PIN, from, to);
        check::titles::check(&sample.book())
    };
    assert_says(&titles("# Pin\n", "# Pins\n"), "`Pins`, and `Pin` in SUMMARY.md");
    assert_eq!(titles("# Pin\n", "# `Pin`\n"), []);
}

#[test]
fn needs() {
    all_are_seen(&[
        case("needs: none", "needs: gone", "needs `gone`, which is no chapter"),
        case("needs: none", "needs: introduction", "which is no chapter"),
        case("needs: none", "needs: pin", "does not come before it"),
        case("needs: none", "needs: last", "does not come before it"),
        case(
            "See [the first]",
            "See [chapter 3](last.md), [the first]",
            "has 2, not 3",
        ),
        case(
            "See [the first]",
            "See [1](index.md), [the first]",
            "has no number, not 1",
        ),
    ]);
    let sample = Sample::new();
    sample.edit("book/src/last.md", "needs: pin", "needs: pin,pin");
    let problems = faults_of("last", &sample);
    assert_says(&problems, "needs `pin`: write each once, and in order");
}

#[test]
fn chapters_without_steps() {
    let sample = Sample::new();
    sample.edit(PIN, "## Step 1: move", "## One thing");
    sample.edit(PIN, "## Step 2: help", "## Another");
    assert_says(&faults(&sample), "there is no part `## Step 1: …`");
}

#[test]
fn text_without_a_heading_may_come_before_the_first_step() {
    let sample = Sample::new();
    sample.edit(PIN, "## It moves", "");
    sample.edit(PIN, "## The idea", "");
    assert_eq!(faults(&sample), []);
}

#[test]
fn questions() {
    all_are_seen(&[
        case("**1. Broken on purpose.**", "**Broken.**", "begin with `**1.** `"),
        case("**1.** Why?", "**One.** Why?", "begin with `**1.** `"),
        case("**1.** Why?", "1. Why?", "begin with `**1.** `"),
        case("**1.** Why?", "**2.** Why?", "question 2 should be number 1"),
        case("**2.** How?", "**1.** How?", "question 1 should be number 2"),
        case("**2.** How?", "How?", "begin with `**2.** `"),
    ]);
}

#[test]
fn notes() {
    all_are_seen(&[
        case("notes.md#pin", "notes.md#last", "[notes on this chapter]"),
        case("pin-check-why", "pin-teacher", "move this part to teaching/pin.md"),
    ]);
    const NOTE: &str = "book/teaching/pin.md";
    let cases = [
        (NOTE, "**Minutes.** 25.", "25 minutes.", "should begin with **Minutes.**"),
        (NOTE, "**Demo.**", "**Script.**", "book/teaching/pin.md:3: paragraphs begin"),
        (
            NOTE,
            "**Demo.** Run it.\n\n**Draw.** It.",
            "**Draw.** It.\n\n**Demo.** Run it.",
            "5: paragraphs begin",
        ),
    ];
    for (file, from, to, says) in cases {
        let sample = Sample::new();
        sample.edit(file, from, to);
        assert_says(&faults(&sample), says);
    }
    let sample = Sample::new();
    sample.delete(NOTE);
    assert_says(&faults(&sample), "book/teaching/pin.md: is not there");
    sample.write("book/teaching/stray.md", "**Minutes.** 5.\n");
    let stray = check::notes::without_chapter(&sample.book());
    assert_says(&stray, "book/teaching/stray.md: there is no chapter");
}

#[test]
fn folded() {
    all_are_seen(&[
        case("pin-check-why", "check-why", "has to begin with pin-"),
        case(" id=\"pin-check-why\"", "", "has to begin with pin-"),
        case("<summary>Answer</summary>", "Answer", "no <summary>"),
        case("</details>", "", "is not closed"),
        case("Yes.", "</details>", "closes nothing"),
    ]);
    let sample = Sample::new();
    let again = "<details id=\"pin-check-why\">\n<summary>A</summary>\n</details>\n";
    sample.edit("book/src/last.md", "The end.", again);
    assert_says(
        &check::folded::unique(&sample.book()),
        "is in book/src/pin.md as well",
    );
}

/// The chapter with some code in its prediction, above the fold.
fn predicting(code: &str) -> Sample {
    let sample = Sample::new();
    sample.edit(PIN, "Does it?\n", &format!("Does it?\n\n{code}\n"));
    sample
}

#[test]
fn spoilers() {
    let cases = [
        ("```rust\nassert_eq!(1, 1);\n```", "print the value here"),
        ("```rust\n# assert!(true);\n```", "print the value here"),
        ("```rust\nlet one = 1; // the Mistake\n```", "says `Mistake`"),
        ("```rust\n/// Broken: one.\nfn one() {}\n```", "says `Broken`"),
        ("```rust,compile_fail\nlet one: u8 = \"\"; // E0308\n```", "says `E0308`"),
    ];
    for (code, says) in cases {
        assert_says(&faults(&predicting(code)), says);
        let checkpoint = Sample::new();
        checkpoint.edit(PIN, "**2.** How?\n", &format!("**2.** How?\n\n{code}\n"));
        assert_says(&faults(&checkpoint), says);
    }
    let sample = predicting(
        "```rust,ignore\n{{#include ../../stage3-async/examples/ch18_pin.rs:count}}\n```",
    );
    assert_eq!(faults(&sample), []);
    sample.edit(STEP, "counter.0 += 1;", "counter.0 += 1; // a wrong number");
    assert_says(&faults(&sample), "says `wrong`");
}

#[test]
fn what_does_not_give_the_answer_away_may_be_shown() {
    for code in [
        "```rust\nlet debug = 1; // for debugging\n```",
        "```rust\nlet bug = \"http://127.0.0.1/lost\";\n```",
        "<!-- no spoiler: it is asked why -->\n```rust\nlet one = 1; // a bug\n```",
        "```rust\nprintln!(\"1\"); // assert it in the answer\n```",
    ] {
        assert_eq!(faults(&predicting(code)), [], "{code}");
    }
    let sample = Sample::new();
    let answer = "Yes.\n\n```rust\nassert!(true); // not a bug\n```\n";
    sample.edit(PIN, "Yes.\n", answer);
    assert_eq!(faults(&sample), []);
}
