//! Each crawler on one site: does it say what it has to, and did the server see nothing
//! that it should not?

use super::expected::{Expected, MAX_BODY, Row};
use super::site::{Site, closure, reply};
use conformance::scripted::Server;
use conformance::waits::SHORT_TIME_OUT;
use conformance::{
    Crawl, STAGES, check_totals, comparable, keeps_connections, url, watchdog,
};
use shared::report::{self, Report};
use shared::{Options, Outcome, Stop};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Debug;
use std::sync::Arc;

const MAX_TRIES: u32 = 2;
/// More than there are pages, so that no chain is too long.
const MAX_REDIRECT: u32 = 1000;

/// Crawls the site with each crawler. Returns what became of its broken answers.
///
/// # Errors
/// Which crawler did what, and what it should have done.
pub(crate) fn judge(seed: usize, site: &Site) -> Result<Vec<Outcome>, String> {
    let replies = site.replies();
    let shared = Arc::clone(&replies);
    let server = Server::strict(move |asked| {
        reply(&shared, &asked.target).acts(asked.wants_close)
    });
    let expected = closure(&replies, &server.url("/"));
    check_truth(site, &server, &expected)?;
    let mut first: Option<Vec<report::Row>> = None;
    for &(stage, crawl) in STAGES {
        let rows = run(&format!("{stage}, MUTATED_SEED={seed}"), crawl, &server)
            .and_then(|report| judge_one(stage, report, &server, &expected))
            .map_err(|why| format!("{stage}: {why}"))?;
        let first = first.get_or_insert_with(|| rows.clone());
        for (one, other) in first.iter().zip(&rows) {
            same(one, other).map_err(|why| format!("{stage}: a row differs: {why}"))?;
        }
    }
    let broken = site.0.iter().filter(|(_, answer)| answer.truth().is_none());
    let urls = broken.map(|(number, _)| server.url(&format!("/page/{number}")));
    Ok(urls.map(|url| expected[&url].row.outcome).collect())
}

/// A crawl that ends, and without a panic.
fn run(name: &str, crawl: Crawl, server: &Server) -> Result<Report, String> {
    let options = Options {
        timeout: SHORT_TIME_OUT, // few answers never end
        // Good pages arrive within the time-out on a busy machine, too, if they wait for
        // few others.
        max_tasks: 3,
        max_tries: MAX_TRIES,
        max_redirect: MAX_REDIRECT,
        max_body: MAX_BODY,
        ..Options::with_roots([url(&server.url("/"))])
    };
    let (done, report) = std::sync::mpsc::channel();
    watchdog::guard(name, move || {
        let report = crawl(&options, &Stop::new()).expect("the loop itself works");
        check_totals(&report);
        done.send(report).expect("the receiver is there");
    })?;
    Ok(report.recv().expect("it was sent"))
}

/// Rows that are as expected, and of each URL that was asked for.
fn judge_one(
    stage: &str,
    mut report: Report,
    server: &Server,
    expected: &BTreeMap<String, Expected>,
) -> Result<Vec<report::Row>, String> {
    same(&None, &report.stuck)?;
    same(&true, &report.summary.complete)?;
    // Links that a mutation has made unreadable have rows, and no requests.
    report.rows.retain(|row| row.outcome != Outcome::InvalidUrl);
    let seen = server.take_seen();
    if let Some(fault) = seen.faults.first() {
        return Err(format!("a bad request: {fault}"));
    }
    let urls: BTreeSet<&str> = report.rows.iter().map(|row| &*row.url).collect();
    let missing: Vec<&String> =
        expected.keys().filter(|url| !urls.contains(url.as_str())).collect();
    let strange: Vec<&&str> =
        urls.iter().filter(|url| !expected.contains_key(**url)).collect();
    if !missing.is_empty() || !strange.is_empty() {
        return Err(format!("no rows for {missing:#?}, but for {strange:#?}"));
    }
    let mut asked: HashMap<String, usize> = HashMap::new();
    seen.targets().for_each(|path| *asked.entry(server.url(path)).or_default() += 1);
    same(&report.rows.len(), &asked.len()).map_err(|why| format!("requests: {why}"))?;
    for row in &report.rows {
        let Expected { row: expected, .. } = &expected[&*row.url];
        same(expected, &Row::of(row)).map_err(|why| format!("{}: {why}", row.url))?;
        let asked = asked.get(&*row.url).copied().unwrap_or_default();
        let tries = row.attempts as usize;
        // A request in vain, on a connection that was kept, is no try.
        let most = if keeps_connections(stage) { 2 * tries } else { tries };
        if !(tries..=most).contains(&asked) || row.attempts > MAX_TRIES {
            return Err(format!("{}: asked {asked} times in {tries} tries", row.url));
        }
    }
    Ok(comparable(report))
}

/// What nothing has happened to is known without the parser.
fn check_truth(
    site: &Site,
    server: &Server,
    expected: &BTreeMap<String, Expected>,
) -> Result<(), String> {
    for (number, answer) in &site.0 {
        let url = server.url(&format!("/page/{number}"));
        let Some(truth) = answer.truth() else { continue };
        let Expected { row, .. } = &expected[&url];
        same(&truth.outcome, &row.outcome)?;
        same(&Some(truth.status), &row.status)?;
        same(&truth.size, &row.size)?;
        same(&truth.num_links, &row.num_links)?;
    }
    Ok(())
}

fn same<T: PartialEq + Debug>(expected: &T, found: &T) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    Err(format!("expected\n  {expected:?}\nfound\n  {found:?}\n"))
}
