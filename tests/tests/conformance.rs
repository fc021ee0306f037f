//! Runs the suite: a test for each crawler and rule.
//!
//! `PATIENCE=5 cargo test -p conformance --test conformance -- SOME` runs those with SOME in
//! their names, and ends at the first one that takes longer than 5 seconds.

use conformance::{
    Crawl, STAGES, aiohttp_original, checks, content, hostile, https, keep_alive,
    keeps_connections, politeness, retries, rules, scope, watchdog,
};
use libtest_mimic::{Arguments, Trial};

/// More than there are processors: tests spend their time waiting.
const TESTS_AT_ONCE: usize = 8;

fn main() {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(TESTS_AT_ONCE);
    let mut trials = Vec::new();
    for &(stage, crawl) in STAGES {
        let own: &[_] = match keeps_connections(stage) {
            true => &[("keep_alive", keep_alive::ALL), ("https", https::ALL)],
            false => &[("plain", rules::PLAIN)],
        };
        let all = [
            ("aiohttp_original", aiohttp_original::ALL),
            ("rules", rules::ALL),
            ("rules", rules::LINUX),
            ("scope", scope::ALL),
            ("retries", retries::ALL),
            ("checks", checks::ALL),
            ("politeness", politeness::ALL),
        ];
        for &(part, rules) in all.iter().chain(own) {
            for &(name, rule) in rules {
                trials.push(trial(&[stage, part, name], crawl, rule));
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
        for case in scope::cases() {
            let name = [stage, "scope", case.name];
            trials.push(trial(&name, crawl, move |crawl| case.check(crawl)));
        }
        for case in retries::cases() {
            let name = [stage, "retries", case.name];
            trials.push(trial(&name, crawl, move |crawl| case.check(crawl)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// A test under a watchdog, named after its stage, its part and itself.
fn trial(
    name: &[&str; 3],
    crawl: Crawl,
    rule: impl FnOnce(Crawl) + Send + 'static,
) -> Trial {
    watchdog::trial(name.join("::").replace(' ', "_"), move || rule(crawl))
}
