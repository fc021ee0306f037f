//! Runs the suite: a test for each crawler and promise.

use conformance::{
    Crawl, STAGES, content, hostile, is_full, kept, original, rules, safe, sites,
    tries, watchdog,
};
use libtest_mimic::{Arguments, Trial};

/// Mostly they wait.
const TESTS_AT_ONCE: usize = 8;

fn main() {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(TESTS_AT_ONCE);
    let mut trials = Vec::new();
    for &(stage, crawl) in STAGES {
        let own: &[_] = match is_full(stage) {
            true => &[("kept", kept::ALL), ("safe", safe::ALL)],
            false => &[("plain", rules::PLAIN)],
        };
        let all = [
            ("original", original::ALL),
            ("rules", rules::ALL),
            ("rules", rules::LINUX),
            ("sites", sites::ALL),
            ("tries", tries::ALL),
        ];
        for &(part, promises) in all.iter().chain(own) {
            for &(name, promise) in promises {
                trials.push(trial(&[stage, part, name], crawl, promise));
            }
        }
        for case in hostile::cases() {
            let name = [stage, "hostile", case.name];
            trials.push(trial(&name, crawl, move |crawl| case.check(crawl)));
        }
        for case in content::cases() {
            let name = [stage, "content", case.name];
            trials.push(trial(&name, crawl, move |crawl| case.check(crawl)));
        }
        for case in sites::cases() {
            let name = [stage, "sites", case.name];
            trials.push(trial(&name, crawl, move |crawl| case.check(crawl)));
        }
        for case in tries::cases() {
            let name = [stage, "tries", case.name];
            trials.push(trial(&name, crawl, move |crawl| case.check(crawl)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// A test under a watchdog, named after its stage, its part and itself.
fn trial(
    name: &[&str; 3],
    crawl: Crawl,
    promise: impl FnOnce(Crawl) + Send + 'static,
) -> Trial {
    let name = name.join("::").replace(' ', "_");
    Trial::test(name, move || {
        watchdog::guard(move || promise(crawl)).map_err(Into::into)
    })
}
