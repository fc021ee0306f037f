//! The rules of a machine refuse one that breaks them, and say which rule it is. Both of
//! these machines crawl without an error.

use conformance::programs::{self, Finished};
use std::process::Command;

const STALE: &str = env!("CARGO_BIN_EXE_machine_stale_waker");
const DEAF: &str = env!("CARGO_BIN_EXE_machine_deaf");
/// What a test program exits with when a test has failed.
const FAILED: i32 = 101;

fn run(machine: &str, arguments: &[&str]) -> Finished {
    let mut command = Command::new(machine);
    programs::run(command.args(arguments).env("RUST_BACKTRACE", "0"))
}

/// The rules that were broken.
fn broken_rules(finished: &Finished) -> Vec<&str> {
    let failed = finished.out.lines().filter_map(|line| line.strip_suffix("FAILED"));
    failed.filter_map(|line| line.strip_prefix("test ")?.split(' ').next()).collect()
}

#[test]
fn a_handle_that_keeps_a_stale_waker_breaks_one_rule() {
    let finished = run(STALE, &[]).left_with(FAILED);
    assert_eq!(broken_rules(&finished), ["executor::the_latest_waker_is_woken"]);
    let verdict = finished.out;
    assert!(
        verdict.contains("This is not so: the latest waker is woken."),
        "{verdict}"
    );
    assert!(verdict.contains("tests/src/machine/executor.rs:"), "{verdict}");
    assert!(verdict.contains("the handle has kept an old waker"), "{verdict}");
    assert!(verdict.contains("Read chapter 19, book/src/executor.md."), "{verdict}");
}

/// The watchdog ends it: so it takes no longer than its patience.
#[test]
fn a_machine_that_does_not_hear_other_threads_hangs_at_the_rule_about_them() {
    let mut command = Command::new(DEAF);
    let rule = "executor::a_wake_from_another_thread_ends_the_wait";
    command.args(["--exact", rule]).env("PATIENCE", "1");
    let finished = programs::run(&mut command).left_with(FAILED);
    let verdict = finished.err;
    let place = "(chapter 20, book/src/reactor.md)";
    let hangs = format!("{rule} {place} hangs: it is still running.");
    assert!(verdict.contains(&hangs), "{verdict}");
}

#[test]
fn a_machine_that_does_not_hear_other_threads_keeps_all_other_rules() {
    run(DEAF, &["--skip", "another_thread"]).left_with(0);
}
