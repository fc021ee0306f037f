//! One suite for all crawlers: the rules of the command line and of the book, as plain
//! functions over `Crawl`.
//!
//! The rules: `aiohttp_original` has the counterparts of the original crawler's own
//! tests, `rules` one function for each rule of a crawl, `keep_alive` and `https` those
//! for crawlers that keep connections and speak https, `checks` what counts as broken,
//! `politeness` those of pauses and of what a user adds to requests. Four tables have one
//! line a case: `hostile` for bad responses, `content` for what is found on a page, `scope`
//! for what is foreign, `retries` for what is attempted again. `neighbours` crawls a bad
//! page among good ones, and `random` makes sites from a seed. `link_kinds` has what a
//! link checker meets, for our crawlers and for any other checker. All cases are listed in
//! `suite`.
//!
//! The machine: `machine` has the rules of what runs std futures, for stage 3's machine and
//! for any other with the same names.
//!
//! The server: `scripted` answers as badly as a test wants, with TLS or without, and
//! records what it sees; `request` checks what it is asked.
//!
//! The rest: `waits` says how long cases wait, and how many at the same time; `watchdog`
//! ends a suite that hangs; `programs` builds and runs what is
//! tested from outside; `outputs` knows what differs in each run, `shown_command` the
//! commands that the book shows, `trace_table` its traces, whole and as tables, and
//! `simulated` runs the crawls that they are of; `soak` is one very long crawl.
#![forbid(unsafe_code)]

pub mod aiohttp_original;
pub mod capstones;
pub mod checks;
pub mod content;
pub mod hostile;
pub mod https;
pub mod keep_alive;
pub mod link_kinds;
pub mod machine;
pub mod neighbours;
pub mod of_threads;
pub mod outputs;
mod panics;
pub mod politeness;
mod processes;
pub mod programs;
pub mod random;
pub mod request;
pub mod retries;
pub mod rules;
pub mod scope;
pub mod scripted;
pub mod shown_command;
pub mod simulated;
pub mod soak;
pub mod suite;
pub mod trace_compared;
pub mod trace_table;
pub mod waits;
pub mod watchdog;

use scripted::Server;
use shared::report::{Report, Row};
use shared::{Options, Stop};
use std::io;
use std::time::Duration;
use url::Url;

/// A crawler: all that a stage makes public.
pub type Crawl = fn(&Options, &Stop) -> io::Result<Report>;

/// All crawlers, by the names that the tests give them.
pub const STAGES: &[(&str, Crawl)] = &[
    ("stage1", stage1_callbacks::crawl),
    ("stage2", stage2_generators::crawl),
    ("stage3", stage3_async::crawl),
];

/// Returns whether a crawler keeps connections and speaks https. Stages 1 and 2 do
/// neither, by design.
pub fn keeps_connections(stage: &str) -> bool {
    stage == "stage3"
}

/// A rule: panics if a crawler breaks it.
pub type Rule = fn(Crawl);

/// Names functions once: `rules![a, b]` is `[("a", a), ("b", b)]`. Some may exist on some
/// systems only: `rules![#[cfg(unix)] a, b]`.
#[macro_export]
macro_rules! rules {
    ($($(#[$cfg:meta])* $rule:ident),* $(,)?) => {
        &[$($(#[$cfg])* (stringify!($rule), $rule as $crate::Rule)),*]
    };
}

/// Options for a crawl of `path` on `server`. The time-out is a limit for hangs: no
/// good page comes near it.
pub fn options(server: &Server, path: &str) -> Options {
    let options = Options::with_roots([url(&server.url(path))]);
    Options { timeout: options.timeout.min(watchdog::limit()), ..options }
}

/// Crawls `path` on `server` with the usual options.
pub fn crawl_from(crawl: Crawl, server: &Server, path: &str) -> Report {
    run(crawl, &options(server, path))
}

/// Crawls to the end.
pub fn run(crawl: Crawl, options: &Options) -> Report {
    let report = crawl(options, &Stop::new()).expect("the loop itself works");
    assert_eq!(report.stuck, None);
    check_totals(&report);
    report
}

/// The rows of a report without what differs from run to run: all that is left is equal
/// for each crawler, each time.
pub fn comparable(report: Report) -> Vec<Row> {
    let mut rows = report.rows;
    for row in &mut rows {
        (row.attempts, row.error, row.elapsed) = (0, None, Duration::ZERO);
    }
    rows
}

/// A URL that is known to be one.
pub fn url(text: &str) -> Url {
    Url::parse(text).expect("tests write valid URLs")
}

/// The row of a path.
pub fn row<'a>(report: &'a Report, server: &Server, path: &str) -> &'a Row {
    let url = server.url(path);
    report.row(&url).unwrap_or_else(|| panic!("no row for {url} in {report:#?}"))
}

/// Where a URL was found.
pub fn found_on(row: &Row) -> Vec<&str> {
    row.found_on.iter().map(|page| page.as_ref()).collect()
}

/// The paths that have a row, in the order of the report.
pub fn paths(report: &Report, server: &Server) -> Vec<String> {
    let path = |row: &Row| row.url.strip_prefix(&server.url("")).map(String::from);
    report.rows.iter().map(|row| path(row).unwrap_or(row.url.to_string())).collect()
}

/// Every report: sorted, each URL once, totals that add up.
pub fn check_totals(report: &Report) {
    let sum = &report.summary;
    assert_eq!(sum.urls, report.rows.len());
    assert_eq!(sum.urls, sum.ok + sum.redirect + sum.http_error + sum.failed);
    assert!(report.rows.is_sorted_by(|a, b| a.url < b.url), "sorted, each once");
    let bytes: u64 = report.rows.iter().filter_map(|row| row.size).sum();
    assert_eq!(sum.bytes, bytes);
    assert_eq!(sum.complete, sum.left == 0 && !report.interrupted);
    assert!(sum.peak_tasks <= sum.max_tasks as usize);
}
