//! Runs the suite: a test for each crawler and rule.
//!
//! `PATIENCE=20 cargo test -p conformance --test conformance -- SOME` runs those with SOME in
//! their names, and ends at the first one that takes longer than 20 seconds.

use conformance::{STAGES, keeps_connections, suite, waits, watchdog};

fn main() {
    let arguments = waits::arguments();
    let cases = STAGES.iter().flat_map(|&(stage, crawl)| {
        let cases = suite::cases(keeps_connections(stage)).into_iter();
        cases.map(move |case| (stage, crawl, case))
    });
    let mut cases: Vec<_> = cases.collect();
    // Those with time-outs come first: beside cases that only wait, as they do, their good
    // pages arrive in time on a busy machine, too.
    cases.sort_by_key(|(.., case)| !case.has_time_out);
    let trials = cases.into_iter().map(|(stage, crawl, case)| {
        let name = [stage, case.part, &case.name].join("::");
        watchdog::trial(name, move || (case.check)(crawl))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}
