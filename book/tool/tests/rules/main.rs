//! Each rule sees a book that breaks it. Where it says so, and nothing else is wrong.

mod bank;
mod chapter;
mod editions;
mod english;
mod exercises;
mod listings;
mod plans;
#[path = "../sample/mod.rs"]
mod sample;
mod slides;
mod whole_book;

use book::check;
use book::read::problem::Problem;
use sample::Sample;

const PIN: &str = "book/src/pin.md";
const STEP: &str = "stage3-async/examples/ch18_pin.rs";

/// An edit of the chapter, and what is said of it.
struct Case {
    from: &'static str,
    to: &'static str,
    says: &'static str,
}

const fn case(from: &'static str, to: &'static str, says: &'static str) -> Case {
    Case { from, to, says }
}

/// What is wrong with the chapter without a build, warnings apart.
fn faults(sample: &Sample) -> Vec<Problem> {
    check::pages(&sample.book(), &["book/src/pin.md".to_string()])
}

fn whole(sample: &Sample) -> Vec<Problem> {
    let (mut problems, _) = book::whole::check(&sample.book());
    problems.retain(|problem| !problem.is_warning);
    problems
}

#[track_caller]
fn assert_says(problems: &[Problem], says: &str) {
    let all: Vec<String> = problems.iter().map(|problem| problem.to_string()).collect();
    assert!(all.iter().any(|line| line.contains(says)), "no {says:?} in {all:#?}");
}

/// Makes each edit on a book of its own.
fn all_are_seen(cases: &[Case]) {
    for case in cases {
        let sample = Sample::new();
        sample.edit(PIN, case.from, case.to);
        assert_says(&faults(&sample), case.says);
    }
}

#[test]
fn a_book_that_keeps_the_rules_has_no_faults() {
    let sample = Sample::new();
    assert_eq!(faults(&sample), []);
    assert_eq!(whole(&sample), []);
}
