//! Runs the suite: a test for each crawler and rule.
//!
//! `PATIENCE=5 cargo test -p conformance --test conformance -- SOME` runs those with SOME in
//! their names, and ends at the first one that takes longer than 5 seconds.

use conformance::{STAGES, keeps_connections, suite, watchdog};
use libtest_mimic::Arguments;

/// More than there are processors: tests spend their time waiting.
const TESTS_AT_ONCE: usize = 8;

fn main() {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(TESTS_AT_ONCE);
    let mut trials = Vec::new();
    for &(stage, crawl) in STAGES {
        let cases = suite::cases(keeps_connections(stage));
        trials.extend(cases.into_iter().map(|case| {
            let name = [stage, case.part, &case.name].join("::");
            watchdog::trial(name, move || (case.check)(crawl))
        }));
    }
    libtest_mimic::run(&arguments, trials).exit();
}
