//! On sites made from seeds all crawlers find exactly what can be reached, and tell the
//! same of it, with one task, three or fifty.
//!
//! `SEEDS=5000 cargo test -p conformance --test programs random` tries more of them, and
//! `SEED=17` tries that one alone. `.ci/run` tries 500.

use conformance::random::RandomSite;
use conformance::scripted::Server;
use conformance::{STAGES, comparable, options, run, watchdog};
use shared::Outcome;
use shared::report::Report;
use std::collections::BTreeMap;
use std::env;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Sites that are crawled, unless `SEEDS` says more.
const SEEDS: u64 = 150;
/// More than there are processors: crawls spend their time waiting.
const AT_ONCE: usize = 8;

#[test]
fn all_crawlers_find_what_can_be_reached_and_tell_the_same() {
    let number = |name| env::var(name).ok().map(|text| text.parse().expect("a number"));
    if let Some(seed) = number("SEED") {
        println!("{:#?}", RandomSite::new(seed));
        return watchdog::run(move || check(seed));
    }
    let (next, count) = (AtomicU64::new(0), number("SEEDS").unwrap_or(SEEDS));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= count {
                        return;
                    }
                    let name = format!("SEED={seed}");
                    watchdog::guard(&name, move || check(seed))
                        .unwrap_or_else(|error| panic!("{name}: {error}"));
                }
            });
        }
    });
}

fn check(seed: u64) {
    let random = RandomSite::new(seed);
    let expected = random.expected();
    let server = random.site().serve();
    let mut first = None;
    for tasks in [1, 3, 50] {
        for (stage, crawl) in STAGES {
            let mut options = options(&server, &random.path(0));
            options.max_redirect = random.max_redirect;
            options.max_tries = random.max_tries;
            (options.max_tasks, options.links) = (tasks, true);
            server.take_seen();
            let report = run(*crawl, &options);
            let case = format!("{stage}, {tasks} tasks");
            assert_eq!(found(&report, &server.url("")), expected, "{case}");
            check_requests(&report, &server, &case);
            let rows = comparable(report);
            let (other, others) =
                first.get_or_insert_with(|| (case.clone(), rows.clone()));
            assert_eq!(&rows, others, "{case} and {other}");
        }
    }
}

/// Each page is asked for as often as the report says, and nothing else is. A redirect
/// may be asked once more, where it is met with more redirects left.
fn check_requests(report: &Report, server: &Server, case: &str) {
    let mut asked = 0;
    for row in &report.rows {
        let path = row.url.strip_prefix(&server.url("")).expect("it is on the site");
        let (count, tries) = (server.count(path), row.attempts as usize);
        let is_redirect =
            matches!(row.outcome, Outcome::Redirect | Outcome::TooManyRedirects);
        let is_right = if is_redirect { count >= tries } else { count == tries };
        assert!(is_right, "{case}: {path} was asked {count} times in {tries} tries");
        asked += count;
    }
    assert_eq!(server.seen().requests.len(), asked, "{case}: requests without a row");
}

fn found(report: &Report, server: &str) -> BTreeMap<String, (Outcome, u32)> {
    let row = |row: &shared::report::Row| {
        let path = row.url.strip_prefix(server).expect("it is on the site");
        (path.to_string(), (row.outcome, row.depth))
    };
    report.rows.iter().map(row).collect()
}
