//! What the tests of the simulation share.
#![forbid(unsafe_code)]

pub mod real;
pub mod traces;

use shared::{Options, Report, Stop, Url};
use simulated_os::{Order, Site};
use std::io;
use std::time::Duration;

/// A crawler's main function.
pub type Crawl = fn(&Options, &Stop) -> io::Result<Report>;

/// The three crawlers.
pub const STAGES: [(&str, Crawl); 3] = [
    ("stage1-callbacks", stage1_callbacks::crawl),
    ("stage2-generators", stage2_generators::crawl),
    ("stage3-async", stage3_async::crawl),
];

/// Where the scripted site is.
pub const ROOT: &str = "http://127.0.0.1:8000/";

/// Options to crawl the root with so many tasks, on one thread.
pub fn options(tasks: u32) -> Options {
    let root = Url::parse(ROOT).expect("it is constant");
    Options { max_tasks: tasks, helpers: Some(0), ..Options::with_roots([root]) }
}

/// Crawls in a new world. Returns the report, and how long the crawl took there.
///
/// # Panics
/// The crawl failed.
pub fn crawl(
    crawl: Crawl,
    options: &Options,
    site: impl Site + 'static,
    order: Order,
) -> (Report, Duration) {
    simulated_os::install(site, order);
    let stop = Stop::new();
    let theirs = stop.clone();
    simulated_os::interrupt_with(move || theirs.request());
    let report = crawl(options, &stop).expect("the simulated system has no errors");
    (report, simulated_os::now())
}

/// What a report says of each URL, sorted.
pub fn rows(report: &Report) -> Vec<String> {
    let row = |row: &shared::Row| {
        let status = row.status.map_or(String::new(), |status| status.to_string());
        format!("{} {} {status}", row.url, row.outcome.name())
    };
    let mut rows: Vec<String> = report.rows.iter().map(row).collect();
    rows.sort();
    rows
}
