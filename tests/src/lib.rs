//! One suite for all crawlers: what CLI and book promise, as plain functions over `Crawl`.
//!
//! `server` answers as badly as a test wants, and tells what it saw; `watchdog` ends a test
//! that hangs; `original` has the counterparts of the original crawler's own tests; `rules`
//! has one function for each rule, `kept` and `safe` those for crawlers that keep
//! connections and speak https (`tls` is their server). Four tables have one line a case:
//! `hostile` for bad answers, `content` for what is found on a page, `sites` for what is
//! foreign, `tries` for what is tried again; `around` crawls a bad page among good ones.
//! `random` makes sites from a seed, and knows what is to be found there.
//! `wire` is a server that makes its answers up, and `request` reads what it is asked;
//! `programs` builds and runs what is tested from outside; `outputs`
//! knows what is another in each run, `run` has the commands that the book shows, and
//! `trace_table` its traces as tables; `compare` is what `cargo compare` is made of.
#![forbid(unsafe_code)]

pub mod around;
#[cfg(feature = "peers")]
pub mod compare;
pub mod content;
pub mod hostile;
pub mod kept;
pub mod original;
pub mod outputs;
pub mod programs;
pub mod random;
pub mod request;
pub mod rules;
pub mod run;
pub mod safe;
pub mod server;
pub mod sites;
pub mod soak;
pub mod tls;
pub mod trace_table;
pub mod tries;
pub mod watchdog;
pub mod wire;

use server::Server;
use shared::report::{Report, Stat};
use shared::{Options, Stop};
use std::io;
use std::time::Duration;
use url::Url;

/// A crawler: the whole public promise of a stage.
pub type Crawl = fn(&Options, &Stop) -> io::Result<Report>;

/// All crawlers, by the names that the tests give them.
pub const STAGES: &[(&str, Crawl)] = &[
    ("stage1", stage1_callbacks::crawl),
    ("stage2", stage2_generators::crawl),
    ("stage3", stage3_async::crawl),
];

/// Does this one keep connections, and speak https? (Stages 1 and 2 do without, by
/// design.)
pub fn is_full(stage: &str) -> bool {
    stage == "stage3"
}

/// A promise: panics if a crawler breaks it.
pub type Promise = fn(Crawl);

/// Names functions once: `promises![a, b]` is `[("a", a), ("b", b)]`.
#[macro_export]
macro_rules! promises {
    ($($promise:ident),* $(,)?) => {
        &[$((stringify!($promise), $promise as $crate::Promise)),*]
    };
}

/// Options for a crawl of `path` on `server`: patient enough for a slow machine, quick to
/// try again.
pub fn options(server: &Server, path: &str) -> Options {
    Options::with_roots([url(&server.url(path))])
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
pub fn comparable(report: Report) -> Vec<Stat> {
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
pub fn row<'a>(report: &'a Report, server: &Server, path: &str) -> &'a Stat {
    let url = server.url(path);
    report.row(&url).unwrap_or_else(|| panic!("no row for {url} in {report:#?}"))
}

/// Where a URL was found.
pub fn found_on(row: &Stat) -> Vec<&str> {
    row.found_on.iter().map(|page| page.as_ref()).collect()
}

/// The paths that have a row, in the order of the report.
pub fn paths(report: &Report, server: &Server) -> Vec<String> {
    let path = |row: &Stat| row.url.strip_prefix(&server.url("")).map(String::from);
    report.rows.iter().map(|row| path(row).unwrap_or(row.url.clone())).collect()
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
