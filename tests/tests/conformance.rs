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

use conformance::suite::{self, Case};
use conformance::{STAGES, keeps_connections, waits, watchdog};
use libtest_mimic::Trial;

fn main() {
    let arguments = waits::arguments();
    // Those with time-outs come first: beside cases that only wait, as they do, their good
    // pages arrive in time on a busy machine, too.
    let mut trials = cases(|case| case.has_time_out);
    trials.extend(trace::trials());
    trials.extend(mutations::trials());
    trials.extend(cases(|case| !case.has_time_out));
    trials.extend(command_line::trials());
    trials.extend(system_calls::trials());
    trials.extend(servers::trials());
    let conclusion = libtest_mimic::run(&arguments, trials);
    mutations::summary();
    conclusion.exit();
}

/// Returns a test for each crawler and each of these cases of the suite's tables.
fn cases(are_these: fn(&Case) -> bool) -> Vec<Trial> {
    let mut trials = Vec::new();
    for &(stage, crawl) in STAGES {
        let cases = suite::cases(keeps_connections(stage)).into_iter();
        trials.extend(cases.filter(are_these).map(|case| {
            let name = [stage, case.part, &case.name].join("::");
            watchdog::trial(name, move || (case.check)(crawl))
        }));
    }
    trials
}
