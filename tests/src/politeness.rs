//! Pauses between requests (`--delay`, `--rate`), and what a user adds to them
//! (`--header`, `--user`).

use crate::scripted::{Act, Server, Site, answer, html};
use crate::waits::SHORT_TIME_OUT;
use crate::{Crawl, Rule, crawl_from, options, paths, row, rules, run, url};
use shared::http::field::Field;
use shared::resolve::{LookupResult, lookup_result};
use shared::{Options, Outcome, Stop};
use std::net::Ipv4Addr;
use std::thread;
use std::time::{Duration, Instant};

/// All but those with time-outs.
pub const ALL: &[(&str, Rule)] = rules![
    requests_to_one_server_begin_with_a_pause_between_them,
    requests_that_wait_for_one_look_up_keep_the_pause,
    the_pause_holds_where_redirects_lead_to,
    a_pause_at_one_server_holds_up_no_other,
    a_pause_does_not_outlast_the_crawl,
    what_the_user_adds_goes_out_with_each_request,
    what_the_user_adds_is_in_no_report_and_no_trace,
];

/// Those in which an attempt runs into its time-out.
pub const TIME_OUTS: &[(&str, Rule)] = rules![the_end_of_max_time_comes_in_a_pause_too];

/// Longer than any test.
const HOUR: Duration = Duration::from_secs(3600);

/// When requests came, of any path, in this order.
fn times(server: &Server, paths: &[&str]) -> Vec<Instant> {
    let mut times: Vec<Instant> =
        paths.iter().flat_map(|path| server.times(path)).collect();
    times.sort_unstable();
    times
}

/// At most one request begins in each pause, so the n-th one comes no sooner than n pauses
/// after the crawl has begun, however slow anything is. (The time between two of them at
/// the server may be less than the pause: the first one may be late there.)
fn requests_to_one_server_begin_with_a_pause_between_them(crawl: Crawl) {
    let pause = Duration::from_millis(200);
    let busy = answer("503 Busy", "Retry-After: 0\r\n", b"");
    let server = Site::new()
        .page("/", &["/a", "/moved", "/busy"])
        .page("/a", &[])
        .redirect("/moved", "/b")
        .page("/b", &[])
        .acts("/busy", vec![vec![Act::Send(busy)], vec![Act::Send(html(""))]])
        .serve();
    let set: [fn(&mut Options, Duration); 2] = [
        |options, pause| options.delay = Some(pause),
        |options, pause| options.rate = Some(pause),
    ];
    for set in set {
        let mut options = options(&server, "/");
        set(&mut options, pause);
        let began = Instant::now();
        let report = run(crawl, &options);
        assert_eq!((report.summary.ok, report.summary.redirect), (4, 1));
        let times = times(&server, &["/", "/a", "/moved", "/b", "/busy"]);
        assert_eq!(times.len(), 6);
        for (number, time) in (0..).zip(&times) {
            let after = time.duration_since(began);
            assert!(after >= pause * number, "request {number} came after {after:?}");
        }
        server.take_seen();
    }
}

/// Each of the requests to the other server follows from a redirect, or from a HEAD request
/// that was refused.
fn the_pause_holds_where_redirects_lead_to(crawl: Crawl) {
    let pause = Duration::from_millis(200);
    let other = Site::new().redirect("/1", "/2").redirect("/2", "/gone").serve();
    let server = Site::new().redirect("/", &other.url("/1")).serve();
    let options =
        Options { external: true, delay: Some(pause), ..options(&server, "/") };
    let began = Instant::now();
    run(crawl, &options);
    let seen = other.seen();
    assert_eq!(seen.targets().collect::<Vec<_>>(), ["/1", "/2", "/gone", "/gone"]);
    for (number, time) in (0..).zip(&seen.times) {
        let after = time.duration_since(began);
        assert!(after >= pause * number, "request {number} came after {after:?}");
    }
}

/// Longer than a pause.
const SLOW: Duration = Duration::from_secs(1);

/// A look-up that is slow: what it is, not how a test waits.
fn slow(name: &str) -> LookupResult {
    thread::sleep(SLOW);
    lookup_result(name, &[Ipv4Addr::LOCALHOST.into()])
}

/// Nothing is requested before the look-up has ended. The n-th request comes no sooner than
/// n pauses after that, however slow anything is.
fn requests_that_wait_for_one_look_up_keep_the_pause(crawl: Crawl) {
    let pause = Duration::from_millis(100);
    let server = Site::new().serve();
    let paths = ["/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"];
    let port = server.address().port();
    let roots = paths.map(|path| url(&format!("http://slow.test:{port}{path}")));
    let options =
        Options { delay: Some(pause), look_up: slow, ..options(&server, "/") };
    let began = Instant::now();
    run(crawl, &Options { roots: roots.into(), ..options });
    let times = times(&server, &paths);
    assert_eq!(times.len(), paths.len());
    for (number, time) in (0..).zip(&times) {
        let after = time.duration_since(began);
        assert!(
            after >= SLOW + pause * number,
            "request {number} came after {after:?}"
        );
    }
}

/// With one task, and three pages of a server before the page of another one.
fn a_pause_at_one_server_holds_up_no_other(crawl: Crawl) {
    let slow = Site::new().serve();
    let other = Site::new().page("/", &[]).serve();
    let mut options = options(&slow, "/1");
    let roots = [slow.url("/2"), slow.url("/3"), other.url("/")];
    options.roots.extend(roots.iter().map(|root| url(root)));
    (options.max_tasks, options.delay) = (1, Some(HOUR));
    let stop = Stop::new();
    let report = thread::scope(|scope| {
        let crawler =
            scope.spawn(|| crawl(&options, &stop).expect("the loop itself works"));
        slow.wait_for_requests(1);
        other.wait_for_requests(1);
        stop.request();
        crawler.join().expect("the crawler does not panic")
    });
    assert!(report.interrupted && report.stuck.is_none());
    assert_eq!(slow.seen().requests.len(), 1, "the pause is not over");
}

/// The pause is an hour: the test would not end.
fn a_pause_does_not_outlast_the_crawl(crawl: Crawl) {
    let server = Site::new().page("/", &[]).serve();
    let options = Options { delay: Some(HOUR), ..options(&server, "/") };
    let report = run(crawl, &options);
    assert!(report.summary.complete);
    assert_eq!(row(&report, &server, "/").outcome, Outcome::Ok);
}

fn the_end_of_max_time_comes_in_a_pause_too(crawl: Crawl) {
    let server = Site::new().page("/", &["/a"]).serve();
    let mut options = options(&server, "/");
    options.delay = Some(HOUR);
    options.max_time = Some(SHORT_TIME_OUT);
    let report = run(crawl, &options);
    assert!(report.out_of_time && !report.summary.complete);
    assert_eq!((paths(&report, &server).len(), report.summary.left), (1, 1));
}

/// A field, and a password for basic authorization.
fn with_secrets(options: Options) -> Options {
    Options {
        headers: vec![Field::parse("X-Key: k3y").expect("a field")],
        user: Some(Field::basic_authorization("me:s3cret").expect("a user")),
        ..options
    }
}

/// `me:s3cret` in base64.
const ENCODED: &str = "bWU6czNjcmV0";

fn what_the_user_adds_goes_out_with_each_request(crawl: Crawl) {
    let server = Site::new()
        .page("/", &["/a", "/moved"])
        .page("/a", &[])
        .redirect("/moved", "/flaky")
        .acts("/flaky", vec![vec![], vec![Act::Send(html(""))]])
        .serve();
    run(crawl, &with_secrets(options(&server, "/")));
    let requests = server.take_seen().requests;
    assert_eq!(requests.len(), 5);
    let both = format!("\r\nX-Key: k3y\r\nAuthorization: Basic {ENCODED}\r\n\r\n");
    for request in requests {
        assert!(request.ends_with(&both), "{request}");
    }
    crawl_from(crawl, &server, "/");
    assert!(!server.seen().requests.concat().contains("X-Key"), "only if it is asked");
}

fn what_the_user_adds_is_in_no_report_and_no_trace(crawl: Crawl) {
    let server = Site::new().page("/", &["/a"]).serve();
    let trace = tempfile::NamedTempFile::new().expect("a file for this test");
    let mut options = with_secrets(options(&server, "/"));
    options.trace = Some(trace.path().to_path_buf());
    let report = format!("{:?}", run(crawl, &options));
    let trace = std::fs::read_to_string(trace.path()).expect("it is written");
    assert!(trace.contains("/a"), "{trace}");
    for secret in ["k3y", "s3cret", ENCODED] {
        for text in [&report, &trace, &format!("{options:?}")] {
            assert!(!text.contains(secret), "{secret} is in {text}");
        }
    }
}
