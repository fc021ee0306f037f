//! A crawler that is stuck says so: what each task waits for, and exit code 3.

use conformance::programs;
use std::process::Command;

#[test]
fn a_stuck_crawl_prints_what_was_done_and_who_waits_and_leaves_with_3() {
    let mut stuck = Command::new(env!("CARGO_BIN_EXE_stuck"));
    stuck.args(["--format", "summary", "http://a.example/"]);
    let finished = programs::run(&mut stuck).left_with(3);
    assert!(
        finished
            .out
            .contains(r#""complete":false,"left":1,"excluded":0,"unsearched":0}}"#),
        "{}",
        finished.out
    );
    assert!(finished.err.contains("stuck: jobs remain"), "{}", finished.err);
    assert!(
        finished.err.contains("no task fetches http://a.example/"),
        "{}",
        finished.err
    );
}
