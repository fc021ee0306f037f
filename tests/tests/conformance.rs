//! Runs the suite: a test for each crawler and rule, by calling the crawler or by running its
//! program.
//!
//! `PATIENCE=20 cargo test -p conformance --test conformance -- SOME` runs those with SOME in
//! their names, and ends at the first one that takes longer than 20 seconds.

mod command_line;
mod mutations;
mod servers;
mod system_calls;
mod trace;

use conformance::{STAGES, keeps_connections, suite, waits, watchdog};
use libtest_mimic::Trial;

fn main() {
    let arguments = waits::arguments();
    let mut trials = cases();
    trials.extend(trace::trials());
    trials.extend(command_line::trials());
    trials.extend(system_calls::trials());
    trials.extend(servers::trials());
    trials.extend(mutations::trials());
    let conclusion = libtest_mimic::run(&arguments, trials);
    mutations::summary();
    conclusion.exit();
}

/// Returns a test for each crawler and case of the suite's tables.
fn cases() -> Vec<Trial> {
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
    trials.collect()
}
