//! The material: what `prove` finds in it, and what upstream must not have.

mod common;

use common::Folder;
use runner::commands::prove::{Options, problems};
use runner::holes;
use runner::material::{Project, exercises, read};
use runner::mistakes;
use runner::variants::parse;
use std::fs;
use std::process::Command;

/// Returns what `prove` finds in `leaf` once a file of it is changed.
fn problems_after(file: &str, change: fn(String) -> String) -> String {
    let folder = Folder::new();
    let desk = folder.desk();
    let mut leaf = desk.find("leaf").expect("it exists");
    for name in ["solution.rs", "wrong.txt", "hints.md", "mistakes.txt"] {
        folder.write(name, &read(&leaf.folder.join(name)).expect("it exists"));
    }
    let text = folder.read(file);
    let changed = change(text.clone());
    assert_ne!(text, changed, "nothing was changed");
    fs::write(folder.file(file), changed).expect("the folder can be written");
    leaf.folder = folder.path().into();
    problems(&desk, &[leaf], Options::default())
        .expect("the checks compile")
        .1
        .join("\n")
}

#[test]
fn a_case_without_a_mistake_and_a_mistake_without_its_case_are_found() {
    let found = problems_after("wrong.txt", |text| {
        text.replace("slot.waiter.get_or_insert_with", "slot.waiter.insert")
            .replace("insert(|| cx.waker().clone())", "insert(cx.waker().clone())")
            .replace("case: a poll that comes too early waits on", "case: another")
    });
    assert!(found.contains("which is stale later\n  it passes"), "{found}");
    assert!(
        found.contains("rejected by `the task that polled last is woken`"),
        "{found}"
    );
    assert!(found.contains("another case rejects it"), "{found}");
    assert_eq!(found.matches("leaf: ").count(), 4, "{found}");
}

#[test]
fn a_solution_that_fails_or_is_not_tidy_is_found() {
    let found = problems_after("solution.rs", |text| {
        text.replace("Wait(Rc::clone(&self.0))", "Wait(Rc::default())")
            .replace("fn main() ", "fn  main() ")
    });
    assert!(found.contains("solution\n  it is rejected"), "{found}");
    assert!(found.contains("rustfmt would change"), "{found}");
}

#[test]
fn a_mistake_that_is_no_change_of_the_solution_is_found() {
    let found =
        problems_after("wrong.txt", |text| text.replace("waiter.take()", "waiter"));
    assert!(found.contains("in the solution 0 times"), "{found}");
}

#[test]
fn a_start_that_does_not_compile_is_found() {
    let found =
        problems_after("solution.rs", |text| text.replace("//| todo!(", "//| todo("));
    assert!(found.contains("start of level 2\n  it does not compile"), "{found}");
    assert!(found.contains("start of level 1\n  it does not compile"), "{found}");
    assert_eq!(found.matches("leaf: ").count(), 2, "{found}");
}

#[test]
fn a_level_1_that_leaves_all_is_found() {
    let found = problems_after("solution.rs", |text| text.replace("hole 2", "hole 1"));
    assert!(found.contains("level 1 leaves"), "{found}");
}

#[test]
fn every_start_can_be_made_and_has_no_mark() {
    let project = Project::new(None);
    for exercise in exercises(&project.root).expect("the material is fine") {
        let starts = exercise.starts(&project.root).expect(&exercise.name);
        for (start, level) in starts {
            let has_mark = start.contains("//|") || start.contains("// hole ");
            assert!(!has_mark, "{}, level {level}:\n{start}", exercise.name);
            assert_eq!(holes::level_of(&start), level, "{}:\n{start}", exercise.name);
        }
    }
}

#[test]
fn a_hint_that_is_missing_is_found() {
    let found = problems_after("hints.md", |text| text.replace("## Third", "## Last"));
    assert!(found.contains("no `## Third`"), "{found}");
}

#[test]
fn what_the_checks_no_longer_say_is_found() {
    let found =
        problems_after("mistakes.txt", |text| text.replace("right: 0", "right: 9"));
    assert!(found.contains("no longer say what mistakes.txt has"), "{found}");
    assert_eq!(found.lines().count(), 1, "{found}");
}

/// They may differ from run to run.
#[test]
fn values_that_are_found_are_not_compared() {
    let found =
        problems_after("mistakes.txt", |text| text.replace("found: 0", "found: 9"));
    assert_eq!(found, "");
}

#[test]
fn what_the_checks_say_is_read_as_it_was_written() {
    let text = "== a\ncase: c\nIt is\n  found: 1\n== b\ncase: d\n";
    let all = mistakes::parse(text).expect("it is right");
    assert_eq!(all[0].says, ["It is", "  found: 1"]);
    assert_eq!(mistakes::written(&all), text);
    assert!(mistakes::parse("== a\nIt is\n").is_err());
    assert!(mistakes::parse("== a\ncase: c\nIt is cut…\n").is_err());
    assert!(mistakes::parse("== a\ncase: c\n  found: [1, 2,…\n").is_ok());
    assert!(mistakes::parse("case: c\n").is_err());
}

#[test]
fn a_wrong_solution_names_its_case_and_a_right_one_has_none() {
    assert!(parse("== a\n---\nb\n+++\n").is_err());
    assert!(parse("== right: a\ncase: c\n---\nb\n+++\n").is_err());
    assert!(parse("== a\ncase: c\nends: well\n---\nb\n+++\n").is_err());
    assert!(parse("case: c\n").is_err());
    let one = &parse("== a\ncase: c | d\n---\nb\n+++\nd\ne\n").expect("it is right")[0];
    assert_eq!(one.cases, ["c", "d"]);
    assert_eq!(one.apply("a\nb\nc\n"), Ok("a\nd\ne\nc\n".into()));
    assert!(one.apply("b\nb\n").is_err());
}

/// So pulling never touches a learner's file.
#[test]
fn upstream_has_no_file_among_the_learners() {
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../checks"))
            .args(arguments);
        git.output().expect("git is installed")
    };
    let is_checkout = git(&["rev-parse", "--is-inside-work-tree"]).status.success();
    if !is_checkout {
        return eprintln!("skipped: this is no checkout of git");
    }
    let listed = git(&["ls-files", "src/bin"]).stdout;
    assert_eq!(String::from_utf8_lossy(&listed), "");
    for file in ["src/bin/leaf.rs", "src/bin/progress.txt", "src/bin/old/leaf.1.rs"] {
        assert!(git(&["check-ignore", "--quiet", file]).status.success(), "{file}");
    }
}
