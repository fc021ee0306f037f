//! What is attempted again, and what is not: a table, one line each.

use crate::neighbours::{BAD, Stranger, crawl_around};
use crate::scripted::{Act, Site, answer, html};
use crate::waits::SHORT_TIME_OUT;
use crate::{Crawl, Rule, options, rules};
use shared::Outcome::{self, *};
use shared::crawl::job::LONGEST_PAUSE;
use shared::{Options, Stop};
use std::thread;
use std::time::{Duration, Instant};

/// A response that fails, and whether it is asked for again.
pub struct Case {
    /// What it fails with.
    pub name: &'static str,
    acts: Vec<Act>,
    outcome: Outcome,
    is_tried_again: bool,
}

/// Attempts that are allowed for a URL.
const TRIES: u32 = 3;

impl Case {
    /// Returns whether an attempt runs into its time-out.
    pub fn has_time_out(&self) -> bool {
        self.outcome == Timeout
    }

    /// Panics if it is asked for too often, or not often enough: also where a later
    /// attempt would succeed.
    pub fn check(&self, crawl: Crawl) {
        let good = vec![Act::Send(html(""))];
        let count = if self.is_tried_again { TRIES } else { 1 };
        self.meets(crawl, vec![self.acts.clone()], count, self.outcome);
        let recovers = vec![self.acts.clone(), good];
        match self.is_tried_again {
            true => self.meets(crawl, recovers, 2, Ok),
            false => self.meets(crawl, recovers, 1, self.outcome),
        }
    }

    fn meets(&self, crawl: Crawl, acts: Vec<Vec<Act>>, count: u32, outcome: Outcome) {
        let done = crawl_around(crawl, &Stranger::new(), acts, |options| {
            options.max_tries = TRIES;
            options.max_body = 100_000;
            if self.has_time_out() {
                options.timeout = SHORT_TIME_OUT;
            }
        });
        let bad = done.bad();
        assert_eq!((bad.outcome, bad.attempts), (outcome, count), "{bad:#?}");
        assert_eq!(done.server.count(BAD), count as usize);
        assert_eq!(done.report.rows.len(), 5, "each URL has one row");
    }
}

/// The whole table.
#[rustfmt::skip]
pub fn cases() -> Vec<Case> {
    let sends = |bytes: &[u8]| vec![Act::Send(bytes.to_vec())];
    let status = |status, fields| sends(&answer(status, fields, b""));
    let again = |name, acts, outcome| Case { name, acts, outcome, is_tried_again: true };
    let once = |name, acts, outcome| Case { name, acts, outcome, is_tried_again: false };
    let now = "Retry-After: 0\r\n";
    let past = "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
    vec![
        again("a reset", vec![Act::Reset], NetworkError),
        again("a close in place of an answer", vec![], Truncated),
        again("a close in the head", sends(b"HTTP/1.1 200 OK\r\n"), Truncated),
        again("a close in the body", sends(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"), Truncated),
        again("a close in a chunk", sends(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nx"), Truncated),
        again("silence", vec![Act::Stall], Timeout),
        again("429", status("429 Too Many Requests", now), HttpError),
        again("503", status("503 Service Unavailable", now), HttpError),
        again("503 until a date that is over", status("503 Service Unavailable", past), HttpError),
        again("503 until an unknown time", status("503 Service Unavailable", "Retry-After: soon\r\n"), HttpError),
        again("503 until a time that is negative", status("503 Service Unavailable", "Retry-After: -5\r\n"), HttpError),
        again("503 without a word", status("503 Service Unavailable", ""), HttpError),
        once("400", status("400 Bad Request", ""), HttpError),
        once("401", status("401 Unauthorized", ""), HttpError),
        once("403", status("403 Forbidden", now), HttpError),
        once("404", status("404 Not Found", ""), HttpError),
        once("408", status("408 Request Timeout", ""), HttpError),
        once("410", status("410 Gone", ""), HttpError),
        once("500", status("500 Oops", now), HttpError),
        once("502", status("502 Bad Gateway", now), HttpError),
        once("504", status("504 Gateway Timeout", now), HttpError),
        once("what is not HTTP", sends(b"hello\r\n\r\n"), Malformed),
        once("two lengths", sends(b"HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\n"), Malformed),
        once("a chunk size that is no number", sends(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"), Malformed),
        once("a body that is too long", sends(&answer("200 OK", "Content-Type: text/html\r\n", &[b'x'; 100_001])), TooLarge),
        once("a redirect to nowhere", status("302 Found", ""), HttpError),
    ]
}

/// What does not fit the table.
pub const ALL: &[(&str, Rule)] = rules![
    a_pause_is_as_long_as_the_server_says,
    pauses_grow,
    a_pause_delays_no_other_page,
    one_try_is_one_try,
];

/// The crawl takes at least as long as the pause.
fn a_pause_is_as_long_as_the_server_says(crawl: Crawl) {
    let busy = answer("503 Busy", "Retry-After: 2\r\n", b"");
    let acts = vec![vec![Act::Send(busy)], vec![Act::Send(html(""))]];
    let began = Instant::now();
    let done = crawl_around(crawl, &Stranger::new(), acts, |options| {
        options.max_tries = 2;
    });
    assert_eq!(done.bad().outcome, Ok);
    assert!(began.elapsed() >= Duration::from_secs(2));
}

/// Each pause is longer than the one before, by the server's clock.
fn pauses_grow(crawl: Crawl) {
    let done = crawl_around(crawl, &Stranger::new(), vec![vec![]], |options| {
        options.max_tries = 4;
    });
    let times = done.server.times(BAD);
    let pauses: Vec<Duration> = times.windows(2).map(|two| two[1] - two[0]).collect();
    let least = [250, 500, 1000].map(Duration::from_millis);
    assert_eq!(pauses.len(), least.len());
    assert!(
        pauses.iter().zip(least).all(|(pause, least)| *pause >= least),
        "{pauses:?}"
    );
}

/// With one task all other pages are requested before the pause of a page is over. It
/// is the longest pause there is: the crawl is stopped before its end.
fn a_pause_delays_no_other_page(crawl: Crawl) {
    let others = ["/good/1", "/good/2", "/good/3"];
    let busy = answer("503 Busy", "Retry-After: 999\r\n", b"");
    let mut site = Site::new().page("/", &[&[BAD], &others[..]].concat());
    site = site.acts(BAD, vec![vec![Act::Send(busy)], vec![Act::Send(html(""))]]);
    for other in others {
        site = site.page(other, &[]);
    }
    let server = site.serve();
    let options = Options { max_tasks: 1, ..options(&server, "/") };
    let stop = Stop::new();
    thread::scope(|scope| {
        scope.spawn(|| crawl(&options, &stop).expect("the loop itself works"));
        server.wait_for_requests(2 + others.len());
        stop.request();
    });
    let paused = server.times(BAD);
    assert_eq!(paused.len(), 1, "the pause was not over");
    for other in others {
        let times = server.times(other);
        assert_eq!(times.len(), 1);
        assert!(times[0] - paused[0] < LONGEST_PAUSE, "{other} has waited for it");
    }
}

fn one_try_is_one_try(crawl: Crawl) {
    let done = crawl_around(crawl, &Stranger::new(), vec![vec![]], |_| ());
    assert_eq!((done.bad().attempts, done.server.count(BAD)), (1, 1));
}
