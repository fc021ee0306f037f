//! The long crawl, made short: the program that does it works, and so do the crawlers.

use std::process::Command;

/// Enough for one of each kind of bad page.
const PAGES: &str = "2000";

#[test]
fn stage1_ends_a_crawl_from_a_formula_as_predicted() {
    soak("stage1-callbacks");
}

#[test]
fn stage2_ends_a_crawl_from_a_formula_as_predicted() {
    soak("stage2-generators");
}

#[test]
fn stage3_ends_a_crawl_from_a_formula_as_predicted() {
    soak("stage3-async");
}

/// The program sees to it that this ends.
fn soak(stage: &str) {
    let soak = Command::new(env!("CARGO_BIN_EXE_soak")).args([PAGES, stage]).output();
    let soak = soak.expect("it can be started");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&soak.stdout), text(&soak.stderr));
    assert!(soak.status.success(), "{out}{err}");
    let totals = "19 http-error, 14 malformed, 7 network-error, 1927 ok, 7 redirect, \
                  1 timeout, 7 too-large, 18 truncated";
    assert!(out.contains(totals), "{out}");
}
