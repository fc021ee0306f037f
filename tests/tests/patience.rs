//! A case that hangs ends its suite: after as long as `PATIENCE` says, with its name,
//! and without leaving a program behind.

use conformance::programs::{self, Finished};
use conformance::watchdog;
use std::io::{ErrorKind, Read};
use std::net::TcpListener;
use std::process::Command;
use std::thread;

/// In seconds: the tests wait as long as this.
const PATIENCE: &str = "1";

/// Runs a suite that hangs in this way, and then has to find its programs gone.
fn hanging(way: &str) -> Finished {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("bound").to_string();
    let mut suite = Command::new(env!("CARGO_BIN_EXE_hanging"));
    let done = programs::run(suite.args([way, &address]).env("PATIENCE", PATIENCE));
    if matches!(way, "program" | "both") {
        let (mut program, _) = listener.accept().expect("the program has connected");
        program.set_read_timeout(Some(watchdog::limit())).expect("it is not zero");
        let end = program.read(&mut [0]).map_err(|error| error.kind());
        assert_ne!(end, Err(ErrorKind::WouldBlock), "it still runs");
    }
    done
}

#[track_caller]
fn assert_ended(done: &Finished, why: &str) {
    assert_eq!(done.code(), 101, "{done:#?}");
    assert!(done.out.contains("test the_first"), "{done:#?}");
    let expected = format!("\nthe_second hangs: {why}");
    assert!(done.err.contains(&expected), "{done:#?}");
    assert!(done.err.contains("PATIENCE=SECONDS"), "{done:#?}");
    assert!(!done.err.contains("the third case runs"), "{done:#?}");
}

#[test]
fn a_crawl_that_hangs_ends_the_suite_with_the_name_of_its_case() {
    assert_ended(&hanging("crawl"), "it is still running.");
}

#[test]
fn requests_that_never_come_end_the_suite_and_are_counted() {
    assert_ended(&hanging("requests"), "only 0 of 7 requests came.");
}

#[test]
fn a_program_that_hangs_is_killed_and_ends_the_suite() {
    let done = hanging("program");
    assert_ended(&done, "");
    assert!(done.err.contains("still runs after 750ms; it said:"), "{done:#?}");
}

#[cfg(unix)]
#[test]
fn a_suite_that_ends_leaves_no_program_behind() {
    assert_ended(&hanging("both"), "it is still running.");
}

/// The name of a variable with which `a_plain_test` hangs.
const HANGS: &str = "A_PLAIN_TEST_HANGS";

#[test]
fn a_plain_test() {
    if std::env::var_os(HANGS).is_some() {
        watchdog::run(|| {
            loop {
                thread::park()
            }
        });
    }
}

#[test]
fn a_plain_test_that_hangs_ends_its_process_with_its_name() {
    let me = std::env::current_exe().expect("a program knows where it is");
    let mut test = Command::new(me);
    test.args(["--exact", "patience::a_plain_test"])
        .env(HANGS, "1")
        .env("PATIENCE", PATIENCE);
    let done = programs::run(&mut test);
    assert_eq!(done.code(), 101, "{done:#?}");
    let expected = "patience::a_plain_test hangs: it is still running.";
    assert!(done.err.contains(expected), "{done:#?}");
}

#[test]
fn a_patience_that_is_no_time_is_refused() {
    for patience in ["", "0", "-1", "soon", "NaN", "inf"] {
        let mut test = Command::new(env!("CARGO_BIN_EXE_hanging"));
        test.args(["crawl", "127.0.0.1:1"]).env("PATIENCE", patience);
        let done = programs::run(&mut test).left_with(101);
        assert!(done.err.contains("is no time in seconds"), "{done:#?}");
    }
}
