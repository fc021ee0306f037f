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
    faults_of("pin", sample)
}

/// The same of another page.
fn faults_of(name: &str, sample: &Sample) -> Vec<Problem> {
    let book = sample.book();
    let pages = check::named(&book, &[name.to_string()]).expect("there is such a page");
    check::pages(&book, &pages)
}

#[test]
fn a_page_is_named_as_a_shell_completes_it() {
    let book = Sample::new().book();
    let named = |name: &str| check::named(&book, &["last".into(), name.into()]);
    for name in ["pin", "pin.md", "src/pin.md", "book/src/pin.md"] {
        let slugs = named(name).expect(name);
        let slugs: Vec<&str> = slugs.iter().map(|page| &*page.slug).collect();
        assert_eq!(slugs, ["last", "pin"], "{name}");
    }
    for name in ["nope", "", "book/src/"] {
        let why = named(name).expect_err(name);
        assert!(why.contains(&format!("{name:?}")), "{why}");
    }
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
