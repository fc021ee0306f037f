//! Runs the suite: a test for each crawler and promise.

use conformance::{Crawl, Promise, STAGES, hostile, original, rules, watchdog};
use libtest_mimic::{Arguments, Trial};

fn main() {
    let mut trials = Vec::new();
    for &(stage, crawl) in STAGES {
        for (part, promises) in [("original", original::ALL), ("rules", rules::ALL)] {
            for &(name, promise) in promises {
                trials.push(trial(format!("{stage}::{part}::{name}"), crawl, promise));
            }
        }
        for case in hostile::cases() {
            let name = format!("{stage}::hostile::{}", case.name.replace(' ', "_"));
            let run =
                move || watchdog::guard(move || case.check(crawl)).map_err(Into::into);
            trials.push(Trial::test(name, run));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn trial(name: String, crawl: Crawl, promise: Promise) -> Trial {
    Trial::test(name, move || {
        watchdog::guard(move || promise(crawl)).map_err(Into::into)
    })
}
