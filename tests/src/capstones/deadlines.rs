//! The capstone `deadlines`: a sixth of `--timeout` to connect, all of it for the whole
//! fetch: 5 of 30 seconds. The error names the time that was over.
#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))]

#[cfg(target_os = "linux")]
use crate::rules::full_port;
use crate::scripted::{Act, Site};
use crate::{Crawl, Rule, options, row, rules, run, url};
use shared::report::Row;
use shared::resolve::{LookupResult, lookup_result};
use shared::{FetchError, Options, Outcome};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::thread;
use std::time::Duration;

/// All of them. Those with a connection that is neither established nor refused can be
/// tested on Linux only.
pub const ALL: &[(&str, Rule)] = rules![
    #[cfg(target_os = "linux")]
    the_time_to_connect_ends_a_connection_that_is_never_established,
    the_time_to_connect_does_not_end_a_response,
    #[cfg(target_os = "linux")]
    a_silent_address_leaves_time_for_the_next,
    #[cfg(target_os = "linux")]
    the_whole_time_ends_before_the_time_to_connect_after_a_slow_look_up,
    #[cfg(target_os = "linux")]
    each_attempt_has_its_own_time_to_connect,
    #[cfg(target_os = "linux")]
    each_page_names_the_time_that_was_over,
];

/// How much of the time of a fetch it may take to connect.
const PART: u32 = 6;

/// Panics unless the row says that this time was over.
fn was_over(row: &Row, time: Duration) {
    assert_eq!(row.outcome, Outcome::Timeout, "the outcome of {row:#?}");
    assert_eq!(row.error, Some(FetchError::TimedOut(time).to_string()), "{}", row.url);
    assert!(row.elapsed >= time, "{} after {:?}", row.url, row.elapsed);
}

/// One attempt, which is given up.
fn once(options: Options) -> Options {
    Options { max_tries: 1, timeout: super::time_out(), ..options }
}

/// The server's queue of connections is full.
#[cfg(target_os = "linux")]
fn the_time_to_connect_ends_a_connection_that_is_never_established(crawl: Crawl) {
    let (_full, address) = full_port().expect("loopback has a free port");
    let options = once(Options::with_roots([url(&format!("http://{address}/"))]));
    let report = run(crawl, &options);
    was_over(&report.rows[0], options.timeout / PART);
}

/// The connection is established at once, and then nothing comes.
fn the_time_to_connect_does_not_end_a_response(crawl: Crawl) {
    let server = Site::new().acts("/", vec![vec![Act::Stall]]).serve();
    let options = once(options(&server, "/"));
    let report = run(crawl, &options);
    was_over(row(&report, &server, "/"), options.timeout);
}

/// The first address of a host never answers, and the second one does: in one attempt.
#[cfg(target_os = "linux")]
fn a_silent_address_leaves_time_for_the_next(crawl: Crawl) {
    let (_full, silent) = full_port().expect("loopback has a free port");
    let address = SocketAddr::from((Ipv4Addr::new(127, 0, 0, 2), silent.port()));
    let listener = TcpListener::bind(address).expect("its port is free there, too");
    let server = Site::new().page("/", &[]).serve_on(listener);
    let root = format!("http://site.test:{}/", silent.port());
    let mut options = once(Options::with_roots([url(&root)]));
    let addresses = vec![silent.ip(), server.address().ip()];
    options.hosts = vec![("site.test".to_string(), addresses)];
    let report = run(crawl, &options);
    let row = report.row(&root).expect("a row");
    assert_eq!(
        (row.outcome, row.attempts),
        (Outcome::Ok, 1),
        "outcome and attempts of {row:?}"
    );
}

/// The time of a fetch whose look-up is slow, and the look-up's part of it. What is left
/// is less than the time to connect.
const WHOLE: Duration = Duration::from_secs(3);
const LOOK_UP: Duration = Duration::from_millis(2700);

/// A look-up that is slow: what it is, not how a test waits.
fn slow(name: &str) -> LookupResult {
    thread::sleep(LOOK_UP);
    lookup_result(name, &[Ipv4Addr::LOCALHOST.into()])
}

/// When the time to connect is over, all the time is over, too: that is what the error
/// says.
#[cfg(target_os = "linux")]
fn the_whole_time_ends_before_the_time_to_connect_after_a_slow_look_up(crawl: Crawl) {
    let (_full, address) = full_port().expect("loopback has a free port");
    let root = url(&format!("http://slow.test:{}/", address.port()));
    let options = once(Options::with_roots([root]));
    let report = run(crawl, &Options { look_up: slow, timeout: WHOLE, ..options });
    was_over(&report.rows[0], WHOLE);
}

/// The only task has spent more than the time to connect on another page before.
#[cfg(target_os = "linux")]
fn each_attempt_has_its_own_time_to_connect(crawl: Crawl) {
    let (_full, address) = full_port().expect("loopback has a free port");
    let silent = format!("http://{address}/");
    let server = Site::new().acts("/", vec![vec![Act::Stall]]).serve();
    let mut options = once(options(&server, "/"));
    options.roots.push(url(&silent));
    options.max_tasks = 1;
    let report = run(crawl, &options);
    was_over(report.row(&silent).expect("a row"), options.timeout / PART);
}

/// Two pages wait at the same time: one for its connection, one for its response.
#[cfg(target_os = "linux")]
fn each_page_names_the_time_that_was_over(crawl: Crawl) {
    let (_full, address) = full_port().expect("loopback has a free port");
    let connects = format!("http://{address}/");
    let server = Site::new().acts("/", vec![vec![Act::Stall]]).serve();
    let mut options = once(options(&server, "/"));
    options.roots.push(url(&connects));
    let report = run(crawl, &options);
    was_over(row(&report, &server, "/"), options.timeout);
    let row = report.row(&connects).expect("a row");
    was_over(row, options.timeout / PART);
}
