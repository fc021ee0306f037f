//! Plans for a class: each rule sees a plan that breaks it, and pages show what is planned.

use crate::assert_says;
use crate::sample::Sample;

use book::check::plans;
use book::html::made;
use std::fs;
use std::process::{Command, Output};

const FILE: &str = "book/plans/9.toml";

/// Half an hour, with all that a plan can have.
const PLAN: &str = r#"title = "Half an hour"
minutes = 30
intro = "See [the pin](pin.md)."

[[part]]
title = "Part one"

[[part.row]]
from = 0
to = 10
topic = "[it moves](pin.md)"
run = ["cargo step ch18_pin", "cargo run -- --help | tail -1"]
draw = "a house"
ask = "what | moves?"
fails = "`cargo show ch18_pin`, or `cargo show --live ch18_pin`, or `cargo show pin-help`"

[[part.row]]
from = 10
to = 15
topic = "slack"
pause = true

[[part]]
title = "Part two"

[[part.row]]
from = 15
to = 25
topic = "write"
class = 10
write = ["leaf"]

[[part.row]]
from = 25
to = 30
topic = "mistakes"
run = ["cargo exercise mistakes leaf"]
fails = "the page"
"#;

/// A book with this plan, shown by a page.
fn with_plan(plan: &str) -> Sample {
    let sample = Sample::with_exercise();
    sample.write(FILE, plan);
    let aliases =
        "[alias]\nstep = \"x\"\nshow = \"x\"\nlab = \"x\"\nexercise = \"x\"\n";
    sample.write(".cargo/config.toml", aliases);
    sample.edit(
        "book/src/build-it-yourself.md",
        "See ",
        "{{#include ../made/plan-9.md}}\n\nSee ",
    );
    // A plan that cannot be read has no tables.
    made::write(&sample.book());
    sample
}

fn wrong(plan: &str) -> Vec<String> {
    let problems = plans::check(&with_plan(plan).book());
    problems.iter().map(|problem| problem.to_string()).collect()
}

#[test]
fn a_plan_that_keeps_the_rules_is_shown_as_tables() {
    let sample = with_plan(PLAN);
    let (mut problems, _) = book::whole::check(&sample.book());
    problems.retain(|problem| !problem.is_warning);
    assert_eq!(problems, []);
    let page = sample.built().join("build-it-yourself.html");
    let page = fs::read_to_string(page).expect("it is built");
    for part in [
        ">Half an hour</a>",
        "<a href=\"pin.html\">it moves</a>",
        "cargo run -- --help | tail -1</code>",
        "what | moves?",
        "<td><em>slack</em></td>",
        "href=\"pin.html#pin-exercise-leaf\">One</a> (<code>leaf</code>, 5 minutes)",
        "<strong>If it fails:</strong> the page",
    ] {
        assert!(page.contains(part), "no {part} in {page}");
    }
    assert!(!page.contains("{{"), "{page}");
}

#[test]
fn each_rule_sees_a_plan_that_breaks_it() {
    let cases = [
        ("minutes = 30", "minutes = 40", "its rows take 30 minutes, and it says 40"),
        (
            "from = 10\n",
            "from = 9\n",
            "9–15: it begins at 10, where the one before ends",
        ),
        ("to = 10\n", "to = 0\n", "0–0: it ends before it has begun"),
        ("pause = true\n", "", "0 minutes of slack and breaks: at least 5"),
        (
            "pause = true\n",
            "pause = true\nask = \"Why?\"\n",
            "a pause has minutes and a topic",
        ),
        ("step ch18_pin", "step ch18_gone", "there is no step `ch18_gone`"),
        ("step ch18_pin", "lab stage4", "there is no step `stage4`"),
        (
            "cargo step ch18_pin",
            "cargo compare",
            "no command that `cargo class` can prepare",
        ),
        (
            "\"cargo step ch18_pin\"",
            "\"cargo show ch18_gone\"",
            "no output of that name",
        ),
        (
            "`cargo show pin-help`",
            "`cargo show pin`",
            "`cargo show pin`: no output of that",
        ),
        (
            "`cargo show ch18_pin`",
            "`cargo show ch18_x`",
            "`cargo show ch18_x`: no output",
        ),
        ("--live ch18_pin`", "--live ch18_x`", "there is no step `ch18_x`"),
        ("fails = \"the page\"\n", "", "`fails` says what to do"),
        ("write = [\"leaf\"]", "write = [\"leaves\"]", "there is no exercise `leaves`"),
        ("mistakes leaf", "mistakes leaves", "there is no exercise `leaves`"),
        (
            "from = 15\nto = 25",
            "from = 15\nto = 18",
            "exercises of 5 minutes do not fit",
        ),
        ("draw =", "drew =", "unknown field `drew`"),
        ("draw =", "class = 11\ndraw =", "`class` is 11 minutes, of 10"),
        ("class = 10\n", "", "25 minutes of talk: at most 15"),
    ];
    assert_eq!(wrong(PLAN), [] as [String; 0]);
    for (from, to, says) in cases {
        assert!(PLAN.contains(from), "{from}");
        let all = wrong(&PLAN.replacen(from, to, 1));
        assert!(all.iter().any(|line| line.contains(says)), "no {says:?} in {all:#?}");
        assert!(
            all.iter().all(|line| line.starts_with("book/plans/9.toml: ")),
            "{all:#?}"
        );
    }
}

#[test]
fn an_exercise_comes_after_those_that_it_builds_on() {
    let sample = with_plan(PLAN);
    let hints = "stage3-async/exercises/leaf/hints.md";
    sample.edit(hints, "needs: -->", "needs: seed -->");
    let problems = plans::check(&sample.book());
    let says = "`leaf` builds on `seed`, which is not written yet";
    assert!(problems.iter().any(|it| it.text.contains(says)), "{problems:#?}");
}

#[test]
fn a_class_of_two_hours_has_a_break() {
    let long = PLAN.replace("minutes = 30", "minutes = 120");
    let long = long.replace("from = 25\nto = 30", "from = 25\nto = 120");
    let all = wrong(&long);
    assert!(
        all.iter().any(|it| it.contains("120 minutes without a break")),
        "{all:#?}"
    );
    // Ten minutes of pause are a break.
    let with_break =
        long.replace("to = 15", "to = 21").replace("from = 15", "from = 21");
    let with_break =
        with_break.replace("to = 25", "to = 31").replace("from = 25", "from = 31");
    assert_eq!(wrong(&with_break), [] as [String; 0]);
    // A day that begins gives a break, too. Its minutes begin again.
    let days =
        long.replace("title = \"Part two\"", "title = \"Part two\"\nday = \"Day two\"");
    let days = days.replace("from = 15\nto = 25", "from = 0\nto = 10");
    let days = days.replace("from = 25\nto = 120", "from = 10\nto = 105");
    let all = wrong(&days);
    assert!(
        all.iter().any(|it| it.contains("105 minutes without a break")),
        "{all:#?}"
    );
    assert_eq!(all.len(), 1, "{all:#?}");
}

#[test]
fn a_plan_and_its_page_name_each_other() {
    let sample = with_plan(PLAN);
    sample.write("book/plans/8.toml", PLAN);
    let problems = plans::check(&sample.book());
    let texts: Vec<String> = problems.iter().map(|it| it.to_string()).collect();
    let says =
        "book/plans/8.toml: no page shows it: write `{{#include ../made/plan-8.md}}`";
    assert_eq!(texts, [says]);
    sample.delete(FILE);
    sample.delete("book/plans/8.toml");
    let problems = made::check(&sample.book());
    assert_says(&problems, "book/made/plan-9.md: no plan is called \"9\"");
}

/// Runs `cargo class` with these words, for a book with the plan.
fn class(words: &[&str]) -> (Output, String) {
    let sample = with_plan(PLAN);
    let place = sample.place();
    let mut command = Command::new(env!("CARGO_BIN_EXE_book"));
    command.arg("--book").arg(&place.book).arg("--root").arg(&place.root);
    let output = command.arg("class").args(words).output().expect("it was built");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    (output, printed)
}

#[test]
fn a_class_is_a_plan_or_a_check() {
    let (listed, text) = class(&[]);
    assert!(listed.status.success(), "{listed:?}");
    assert!(text.contains("cargo class 9         Half an hour\n"), "{text}");
    assert!(text.contains("cargo class check     checks"), "{text}");
    let (sheet, text) = class(&["9", "--sheet"]);
    assert!(sheet.status.success(), "{sheet:?}");
    assert!(text.contains("\ncargo step ch18_pin\n"), "{text}");
    for words in [["91", "--sheet"], ["check", "91"]] {
        let (unknown, _) = class(&words);
        assert_eq!(unknown.status.code(), Some(2));
        let why = String::from_utf8_lossy(&unknown.stderr).into_owned();
        assert!(why.starts_with("error: no plan is called \"91\""), "{why}");
        assert_eq!(why.lines().count(), 1, "{why}");
    }
}

/// Whether this machine is ready is not for a test to say.
#[test]
fn a_check_fails_if_something_is_wrong() {
    let (check, text) = class(&["check", "9"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 8, "{text}");
    assert!(
        lines.iter().all(|it| ["ok     ", "WRONG  "].contains(&&it[..7])),
        "{text}"
    );
    let is_wrong = lines.iter().any(|line| line.starts_with("WRONG"));
    assert_eq!(check.status.code(), Some(i32::from(is_wrong)), "{text}");
}
