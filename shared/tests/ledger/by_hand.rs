//! The jobs and rows that follow from a settled job, one promise at a time.

use super::site::{
    Crawl, PROGRAM, options, page, path_of, redirect, status, url, urls,
};
use shared::crawl::job::{FIRST_PAUSE, LONGEST_PAUSE};
use shared::page::fragments::Ids;
use shared::page::links::Invalid;
use shared::page::url::MAX_URL;
use shared::report::{Outcome, Unsearched};
use shared::{
    CrawlEnd, FetchError, FetchResult, HttpError, Ledger, Options, Page, Program,
    Report, ResponseParser, Url,
};
use std::io::ErrorKind;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

const NOTHING: [&str; 0] = [];

fn row<'a>(report: &'a Report, path: &str) -> &'a shared::report::Row {
    report.row(url(path).as_str()).unwrap_or_else(|| panic!("no row for {path}"))
}

fn refused() -> FetchError {
    FetchError::Network(ErrorKind::ConnectionRefused)
}

#[test]
fn a_url_is_seen_when_it_is_queued_not_when_it_is_fetched() {
    let mut crawl = Crawl::new(&options(&["/"]));
    assert_eq!(crawl.answer("/", Ok(page(&["/a", "/b"]))), ["/a", "/b"]);
    // /b is still open when /a links to it.
    assert_eq!(crawl.answer("/a", Ok(page(&["/", "/a", "/b", "/c"]))), ["/c"]);
    assert_eq!(crawl.answer("/b", Ok(page(&["/a", "/c"]))), NOTHING);
}

#[test]
fn roots_are_begun_with_each_once_and_counted_as_found_nowhere() {
    let mut crawl = Crawl::new(&options(&["/b", "/a", "/b"]));
    assert_eq!(crawl.queued, ["/b", "/a"]);
    crawl.answer("/a", Ok(page(&["/b"])));
    crawl.answer("/b", Ok(redirect("/a")));
    let report = crawl.close();
    for path in ["/a", "/b"] {
        assert_eq!(
            (row(&report, path).depth, row(&report, path).found_on.len()),
            (0, 0)
        );
    }
    assert_eq!(row(&report, "/a").num_new_links, 0);
}

#[test]
fn without_roots_the_crawl_is_over_before_it_begins() {
    let crawl = Crawl::new(&options(&[]));
    assert!(crawl.ledger.is_done());
    let report = crawl.close();
    assert_eq!((report.rows.len(), report.summary.complete), (0, true));
    assert!(!report.answered);
}

#[test]
fn a_redirect_already_seen_is_not_fetched_twice() {
    let mut crawl = Crawl::new(&options(&["/"]));
    crawl.answer("/", Ok(page(&["/bar", "/baz", "/foo"])));
    assert_eq!(crawl.answer("/foo", Ok(redirect("/baz"))), NOTHING);
    assert_eq!(crawl.answer("/bar", Ok(redirect("/qux"))), ["/qux"]);
    assert_eq!(crawl.answer("/baz", Ok(redirect("/qux"))), NOTHING);
}

#[test]
fn each_redirect_takes_one_from_the_budget() {
    let mut crawl = Crawl::new(&Options { max_redirect: 2, ..options(&["/1"]) });
    assert_eq!(crawl.answer("/1", Ok(redirect("/2"))), ["/2"]);
    assert_eq!(crawl.answer("/2", Ok(redirect("/3"))), ["/3"]);
    assert_eq!(crawl.answer("/3", Ok(redirect("/4"))), NOTHING);
    let report = crawl.ledger.close(CrawlEnd::Done);
    assert_eq!(row(&report, "/2").outcome, Outcome::Redirect);
    assert_eq!(row(&report, "/3").outcome, Outcome::TooManyRedirects);
    assert_eq!(row(&report, "/3").error.as_deref(), Some("no redirect left"));
    assert_eq!(row(&report, "/3").next_url.as_deref(), Some(url("/4").as_str()));
    assert_eq!(report.rows.len(), 3);
    assert!(report.summary.complete);
}

#[test]
fn a_page_at_the_end_of_the_budget_is_a_page_and_its_links_have_a_whole_one() {
    let mut crawl = Crawl::new(&Options { max_redirect: 1, ..options(&["/1"]) });
    crawl.answer("/1", Ok(redirect("/2")));
    assert_eq!(crawl.answer("/2", Ok(page(&["/3"]))), ["/3"]);
    assert_eq!(crawl.answer("/3", Ok(redirect("/4"))), ["/4"]);
}

#[test]
fn a_redirect_without_budget_is_queued_again_when_it_is_met_with_a_larger_one() {
    let mut crawl = Crawl::new(&Options { max_redirect: 1, ..options(&["/1", "/p"]) });
    crawl.answer("/1", Ok(redirect("/2")));
    crawl.answer("/2", Ok(redirect("/3")));
    assert_eq!(crawl.answer("/p", Ok(page(&["/2"]))), ["/2"]);
    assert_eq!(crawl.answer("/2", Ok(redirect("/3"))), ["/3"]);
    crawl.answer("/3", Ok(page(&[])));
    let report = crawl.close();
    assert_eq!(row(&report, "/2").outcome, Outcome::Redirect);
    assert_eq!(report.rows.len(), 4);
}

#[test]
fn a_budget_that_grows_in_flight_is_the_one_that_counts() {
    let mut crawl = Crawl::new(&Options { max_redirect: 1, ..options(&["/1", "/p"]) });
    crawl.answer("/1", Ok(redirect("/2")));
    crawl.answer("/p", Ok(page(&["/2"])));
    assert_eq!(crawl.answer("/2", Ok(redirect("/3"))), ["/3"]);
}

#[test]
fn redirects_that_were_followed_hand_a_larger_budget_on() {
    let mut crawl = Crawl::new(&Options { max_redirect: 2, ..options(&["/1", "/p"]) });
    crawl.answer("/1", Ok(redirect("/2")));
    crawl.answer("/2", Ok(redirect("/3")));
    crawl.answer("/3", Ok(redirect("/4")));
    // /2 needs no fetch. It passes its second redirect on, so /3 is due again.
    assert_eq!(crawl.answer("/p", Ok(page(&["/2"]))), ["/3"]);
}

#[test]
fn redirects_that_leave_the_site_are_told_and_not_followed() {
    let mut crawl = Crawl::new(&Options { max_redirect: 0, ..options(&["/"]) });
    assert_eq!(crawl.answer("/", Ok(redirect("http://foreign.test/"))), NOTHING);
    let report = crawl.close();
    // The redirect fails for another reason than the budget.
    assert_eq!(row(&report, "/").outcome, Outcome::Redirect);
    assert_eq!(row(&report, "/").next_url.as_deref(), Some("http://foreign.test/"));
    assert_eq!(report.rows.len(), 1);
}

#[test]
fn what_chance_broke_is_tried_again_with_a_growing_pause_and_nothing_else_is() {
    let mut crawl = Crawl::new(&Options { max_tries: 4, ..options(&["/"]) });
    for doubled in [1, 2, 4] {
        let pause = crawl.answer_and_pause("/", Err(refused()));
        assert_eq!(pause, FIRST_PAUSE * doubled);
        assert!(!crawl.ledger.is_done());
    }
    assert_eq!(crawl.answer("/", Err(refused())), NOTHING);
    assert!(crawl.ledger.is_done());
    let report = crawl.ledger.close(CrawlEnd::Done);
    assert_eq!(row(&report, "/").attempts, 4);
    assert_eq!(row(&report, "/").error.as_deref(), Some("connection refused"));
}

#[test]
fn only_these_are_worth_another_try() {
    let again = |answer| {
        let mut crawl = Crawl::new(&options(&["/"]));
        crawl.answer("/", answer) == ["/"]
    };
    for error in [
        refused(),
        FetchError::TimedOut(Duration::from_secs(1)),
        FetchError::LookUpFailed("site.test".into()),
        FetchError::Tls("the server refused it"),
        FetchError::OutOfSockets,
        HttpError::Truncated.into(),
        HttpError::ClosedBeforeResponse.into(),
    ] {
        assert!(again(Err(error.clone())), "{error}");
    }
    for error in [
        FetchError::NoSuchName("site.test".into()),
        FetchError::NoTls(""),
        FetchError::Certificate(""),
        FetchError::HttpsNotSpoken,
        HttpError::Malformed("").into(),
        HttpError::TooLarge { limit: 1 }.into(),
    ] {
        assert!(!again(Err(error.clone())), "{error}");
    }
    let tried_again = (100..=999).filter(|number| again(Ok(status(*number))));
    assert_eq!(tried_again.collect::<Vec<_>>(), [429, 503]);
}

#[test]
fn retry_after_is_honoured_up_to_a_cap() {
    let busy = |seconds| Page {
        retry_after: Some(Duration::from_secs(seconds)),
        ..status(503)
    };
    let mut crawl = Crawl::new(&Options { max_tries: u32::MAX, ..options(&["/"]) });
    for (asked, pause) in
        [(0, Duration::ZERO), (7, Duration::from_secs(7)), (30, LONGEST_PAUSE)]
    {
        assert_eq!(crawl.answer_and_pause("/", Ok(busy(asked))), pause);
    }
    for _ in 0..100 {
        assert!(crawl.answer_and_pause("/", Ok(status(503))) <= LONGEST_PAUSE);
    }
}

#[test]
fn a_server_that_asks_for_a_longer_pause_is_given_up_now() {
    for (asked, time) in [
        (31, "31 s"),
        (24 * 3600 - 1, "86399 s"),
        (48 * 3600, "2 days"),
        (u64::MAX, "for years"),
    ] {
        let mut crawl = Crawl::new(&options(&["/"]));
        let retry_after = Some(Duration::from_secs(asked));
        let busy = Page { retry_after, ..status(503) };
        assert_eq!(crawl.answer("/", Ok(busy)), NOTHING);
        let report = crawl.ledger.close(CrawlEnd::Done);
        let row = row(&report, "/");
        assert_eq!((row.outcome, row.attempts), (Outcome::HttpError, 1));
        let why = format!("the server asks to wait {time}; we wait 30 s at most");
        assert_eq!(row.error.as_deref(), Some(why.as_str()));
    }
}

#[test]
fn a_busy_server_is_an_http_error_after_the_last_try() {
    let mut crawl = Crawl::new(&Options { max_tries: 1, ..options(&["/"]) });
    assert_eq!(crawl.answer("/", Ok(status(503))), NOTHING);
    let report = crawl.close();
    assert_eq!(row(&report, "/").outcome, Outcome::HttpError);
    assert!(report.answered);
}

/// Returns how often a foreign URL is attempted that never succeeds.
fn attempts_at_foreign(max_tries: u32, answer: impl Fn() -> FetchResult) -> u32 {
    let options = Options { external: true, max_tries, ..options(&["/"]) };
    let (mut ledger, mut jobs) = Ledger::open(&options, &PROGRAM);
    let mut root = jobs.pop().expect("the root");
    ledger.begin(&mut root);
    let mut jobs = ledger.settle(root, Ok(page(&["http://foreign.test/"]))).jobs;
    while let Some(mut job) = jobs.pop() {
        ledger.begin(&mut job);
        jobs.extend(ledger.settle(job, answer()));
    }
    let report = ledger.close(CrawlEnd::Done);
    report.row("http://foreign.test/").expect("it has a row").attempts
}

#[test]
fn one_head_request_that_failed_does_not_count_if_get_may_differ() {
    let busy = |seconds| {
        let retry_after = Some(Duration::from_secs(seconds));
        Ok(Page { retry_after, ..status(503) })
    };
    for max_tries in [1, 2, 4] {
        assert_eq!(attempts_at_foreign(max_tries, || busy(0)), 1 + max_tries);
        let late = || Err(FetchError::TimedOut(Duration::ZERO));
        assert_eq!(attempts_at_foreign(max_tries, late), 1 + max_tries);
        assert_eq!(attempts_at_foreign(max_tries, || Ok(status(404))), 2);
        // No request was sent.
        assert_eq!(attempts_at_foreign(max_tries, || Err(refused())), max_tries);
        let no_name = || Err(FetchError::NoSuchName("foreign.test".into()));
        assert_eq!(attempts_at_foreign(max_tries, no_name), 1);
        // The server asks for a pause that is too long.
        assert_eq!(attempts_at_foreign(max_tries, || busy(31)), 1);
    }
}

#[test]
fn a_level_is_begun_when_the_one_before_is_settled_in_the_order_of_the_urls() {
    let mut crawl = Crawl::new(&Options { max_depth: Some(2), ..options(&["/"]) });
    crawl.answer("/", Ok(page(&["/b", "/c"])));
    assert_eq!(crawl.answer("/c", Ok(page(&["/z", "/x"]))), NOTHING);
    assert_eq!(crawl.answer("/b", Ok(page(&["/y", "/c"]))), ["/x", "/y", "/z"]);
    assert_eq!(crawl.queued, ["/", "/b", "/c", "/x", "/y", "/z"]);
}

#[test]
fn a_level_waits_for_pauses_and_for_the_targets_of_its_redirects() {
    let mut crawl =
        Crawl::new(&Options { max_depth: Some(1), ..options(&["/", "/r"]) });
    crawl.answer("/", Ok(page(&["/next"])));
    assert_eq!(crawl.answer("/r", Err(refused())), ["/r"]);
    assert_eq!(crawl.answer("/r", Ok(redirect("/target"))), ["/target"]);
    assert_eq!(crawl.answer("/target", Ok(page(&[]))), ["/next"]);
}

#[test]
fn links_beyond_the_depth_are_left() {
    let mut crawl = Crawl::new(&Options { max_depth: Some(0), ..options(&["/"]) });
    assert_eq!(crawl.answer("/", Ok(page(&["/a", "/b", "http://x.test/"]))), NOTHING);
    let report = crawl.close();
    assert_eq!(report.rows.len(), 1);
    assert_eq!((report.summary.left, report.summary.complete), (2, false));
    // URLs that were found on this page, fetched or not. Foreign ones count as links
    // only.
    assert_eq!((row(&report, "/").num_links, row(&report, "/").num_new_links), (3, 2));
}

#[test]
fn so_many_pages_are_queued_and_a_further_try_is_no_page() {
    let mut crawl = Crawl::new(&Options { max_pages: Some(3), ..options(&["/"]) });
    crawl.answer("/", Err(refused()));
    let links = page(&["/d", "/c", "/b", "/a"]);
    assert_eq!(crawl.answer("/", Ok(links)), ["/a", "/b"]);
    crawl.answer("/a", Ok(page(&["/b"])));
    assert_eq!(crawl.answer("/b", Ok(page(&["/e"]))), NOTHING);
    let report = crawl.close();
    assert_eq!(report.rows.len(), 3);
    assert_eq!((report.summary.left, report.summary.complete), (3, false));
}

#[test]
fn the_last_page_allowed_may_be_queued_again() {
    let limits = Options { max_redirect: 1, max_pages: Some(3), ..Options::default() };
    let mut crawl = Crawl::new(&Options { roots: urls(&["/1", "/p"]), ..limits });
    crawl.answer("/1", Ok(redirect("/2")));
    assert_eq!(crawl.answer("/p", Ok(page(&["/2"]))), ["/2"]);
    assert_eq!(crawl.answer("/2", Ok(redirect("/3"))), ["/2"]);
    assert_eq!(crawl.answer("/2", Ok(redirect("/3"))), NOTHING);
    let report = crawl.close();
    assert_eq!((report.rows.len(), report.summary.left), (3, 1));
}

#[test]
fn what_is_put_back_was_no_try_and_no_connection() {
    let (mut ledger, mut jobs) = Ledger::open(&options(&["/a", "/b"]), &PROGRAM);
    let (mut second, mut first) = (jobs.pop().unwrap(), jobs.pop().unwrap());
    ledger.begin(&mut first);
    ledger.begin(&mut second);
    let mut next = ledger.settle(second, Err(FetchError::OutOfSockets));
    let mut second = next.jobs.pop().expect("it is queued again");
    assert!(second.pause.is_zero() && !ledger.has_room(), "there is room for one");
    ledger.settle(first, Ok(page(&[])));
    assert!(!ledger.is_done() && ledger.has_room());
    ledger.begin(&mut second);
    ledger.settle(second, Ok(page(&[])));
    let report = ledger.close(CrawlEnd::Done);
    assert_eq!(row(&report, "/b").attempts, 1);
    assert_eq!(report.summary.peak_tasks, 1);
}

#[test]
fn a_job_that_is_queued_again_does_not_pause_once_more() {
    let (mut ledger, mut jobs) = Ledger::open(&options(&["/a", "/b"]), &PROGRAM);
    let (mut second, mut first) = (jobs.pop().unwrap(), jobs.pop().unwrap());
    ledger.begin(&mut first);
    ledger.begin(&mut second);
    let next = ledger.settle(second, Err(FetchError::TimedOut(Duration::from_secs(1))));
    assert!(next.jobs.is_empty());
    let mut second = next.paused.expect("another attempt");
    assert!(!second.pause.is_zero());
    ledger.begin(&mut second);
    let next = ledger.settle(second, Err(FetchError::OutOfSockets));
    assert!(next.jobs[0].pause.is_zero(), "it had its pause before this attempt");
}

/// The links of a page at port 443 are http URLs, and nothing listens at port 80.
#[test]
fn a_port_that_refuses_says_nothing_of_another_one() {
    let program = Program { speaks_https: true, ..PROGRAM };
    let root = Url::parse("https://site.test/").expect("a URL");
    let options = Options { max_tasks: 64, ..Options::with_roots([root]) };
    let (mut ledger, mut jobs) = Ledger::open(&options, &program);
    let mut root = jobs.pop().expect("the root");
    ledger.begin(&mut root);
    let links = (0..50).map(|number| url(&number.to_string())).collect();
    let mut jobs = ledger.settle(root, Ok(Page { links, ..page(&[]) })).jobs;
    assert_eq!(jobs.len(), 50);
    jobs.iter_mut().for_each(|job| drop(ledger.begin(job)));
    jobs.into_iter().for_each(|job| drop(ledger.settle(job, Err(refused()))));
    assert_eq!(ledger.limit(), 64);
}

#[test]
fn one_refused_attempt_leaves_half_of_the_limit() {
    let options = Options { max_tasks: 100, ..options(&["/a", "/b", "/c"]) };
    let (mut ledger, mut jobs) = Ledger::open(&options, &PROGRAM);
    jobs.iter_mut().for_each(|job| drop(ledger.begin(job)));
    let (third, second) = (jobs.pop().unwrap(), jobs.pop().unwrap());
    ledger.settle(third, Ok(page(&[])));
    ledger.settle(second, Err(FetchError::Network(ErrorKind::ConnectionReset)));
    assert_eq!(ledger.limit(), 50, "that one is in flight does not mean that one fits");
}

#[test]
fn the_peak_counts_what_is_in_flight_at_once_even_at_the_end() {
    let (mut ledger, jobs) = Ledger::open(&options(&["/a", "/b", "/c"]), &PROGRAM);
    for mut job in jobs {
        ledger.begin(&mut job);
    }
    assert_eq!(ledger.close(CrawlEnd::Interrupted).summary.peak_tasks, 3);
}

/// A page of a few kilobytes has a base of sixteen. Each link becomes a long URL.
#[test]
fn urls_beyond_the_limit_of_bytes_are_left_and_their_level_does_not_begin() {
    let long = |page: &str, link: u32| format!("/{page}{}{link}", "x".repeat(16_000));
    let links =
        |page: &str| -> Vec<String> { (0..40).map(|n| long(page, n)).collect() };
    let with =
        |links: &[String]| page(&links.iter().map(String::as_str).collect::<Vec<_>>());
    let mut crawl = Crawl::new(&Options { max_known: 1 << 20, ..options(&["/"]) });
    assert_eq!(crawl.answer("/", Ok(with(&links("a")))).len(), 40, "640 kB fit");
    crawl.answer(&long("a", 0), Ok(with(&links("b"))));
    for number in 1..40 {
        assert_eq!(crawl.answer(&long("a", number), Ok(page(&[]))), NOTHING);
    }
    assert!(crawl.ledger.is_done(), "1280 kB do not");
    let report = crawl.close();
    assert_eq!(report.rows.len(), 41);
    assert!(report.summary.left > 0 && !report.summary.complete);
    assert_eq!(row(&report, "/").num_new_links, 40);
    let row = row(&report, &long("a", 0));
    assert_eq!((row.num_links, row.num_new_links), (40, 0));
}

#[test]
fn jobs_under_way_have_different_numbers() {
    let mut crawl = Crawl::new(&options(&["/"]));
    crawl.answer("/", Ok(page(&["/a", "/b", "/c"])));
    let mut ids: Vec<_> = crawl.open.iter().map(|job| job.id()).collect();
    ids.dedup();
    assert_eq!(ids.len(), 3);
}

#[test]
fn the_totals_add_up() {
    let mut crawl = Crawl::new(&Options { max_tries: 1, ..options(&["/"]) });
    let links = page(&["/gone", "/dead", "/moved", "/lost"]);
    crawl.answer("/", Ok(links));
    crawl.answer("/gone", Ok(Page { size: Some(20), ..status(404) }));
    crawl.answer("/dead", Err(refused()));
    crawl.answer("/moved", Ok(redirect("/")));
    let no_location = Page { redirect: Some(Err("no Location")), ..status(302) };
    crawl.answer("/lost", Ok(no_location));
    let report = crawl.close();
    let sum = &report.summary;
    assert_eq!((sum.urls, sum.ok, sum.redirect), (5, 1, 1));
    assert_eq!((sum.http_error, sum.failed, sum.left), (2, 1, 0));
    assert_eq!(sum.bytes, 1 + 20 + 1);
    assert!(sum.complete);
}

#[test]
fn urls_in_flight_when_it_is_interrupted_get_no_row_and_are_left() {
    let mut crawl = Crawl::new(&options(&["/"]));
    crawl.answer("/", Ok(page(&["/flying", "/queued", "/stopped"])));
    assert_eq!(crawl.answer("/stopped", Err(FetchError::Interrupted)), NOTHING);
    let flying = crawl.open.iter_mut().find(|job| path_of(job) == "/flying");
    crawl.ledger.begin(flying.unwrap());
    assert!(!crawl.ledger.is_done());
    let report = crawl.ledger.close(CrawlEnd::Interrupted);
    assert_eq!(report.rows.len(), 1);
    assert_eq!((report.summary.left, report.summary.complete), (3, false));
    assert!(report.interrupted && report.stuck.is_none());
}

#[test]
fn an_interruption_without_anything_left_is_one_still() {
    let mut crawl = Crawl::new(&options(&["/"]));
    crawl.answer("/", Ok(page(&[])));
    let report = crawl.ledger.close(CrawlEnd::Interrupted);
    assert_eq!((report.summary.left, report.summary.complete), (0, false));
}

#[test]
fn levels_that_were_not_begun_are_left_when_it_is_interrupted() {
    let mut crawl =
        Crawl::new(&Options { max_depth: Some(5), ..options(&["/", "/b"]) });
    crawl.answer("/", Ok(page(&["/held"])));
    let report = crawl.ledger.close(CrawlEnd::Interrupted);
    assert_eq!((report.rows.len(), report.summary.left), (1, 2));
}

#[test]
fn who_waits_is_told_when_it_is_stuck() {
    let crawl = Crawl::new(&options(&["/"]));
    let report = crawl.ledger.close(CrawlEnd::Stuck("/: waits for nothing".into()));
    assert_eq!(report.stuck.as_deref(), Some("/: waits for nothing"));
    assert!(!report.interrupted && !report.summary.complete);
    assert_eq!(report.summary.left, 1);
}

#[test]
fn a_failure_is_found_on_every_page_that_has_it_near_or_far() {
    let mut crawl = Crawl::new(&options(&["/"]));
    crawl.answer("/", Ok(page(&["/b", "/c", "/gone"])));
    crawl.answer("/c", Ok(page(&["/b"])));
    crawl.answer("/b", Ok(page(&["/gone", "/moved"])));
    crawl.answer("/moved", Ok(redirect("/gone")));
    crawl.answer("/gone", Ok(status(404)));
    let report = crawl.close();
    // /moved is missing, since it is not a page. A person has to fix the link on /b.
    let pages = ["/", "/b"].map(|path| Arc::from(url(path).as_str()));
    assert_eq!(row(&report, "/gone").found_on, pages);
    assert_eq!(row(&report, "/gone").depth, 1);
    assert_eq!(row(&report, "/b").found_on, [Arc::from(url("/").as_str())]);
    // Each page has one new link. /gone belongs to the root, although it failed.
    assert_eq!(row(&report, "/").num_new_links, 3);
    assert_eq!(row(&report, "/b").num_new_links, 1);
    assert_eq!(row(&report, "/c").num_new_links, 0);
}

#[test]
fn the_links_of_a_page_are_listed_only_where_they_were_asked_for() {
    for links in [false, true] {
        let mut crawl = Crawl::new(&Options { links, ..options(&["/"]) });
        crawl.answer("/", Ok(page(&["http://foreign.test/", "/a"])));
        let report = crawl.close();
        let expected = ["http://foreign.test/", "http://site.test/a"];
        let expected = expected.map(Arc::from).to_vec();
        assert_eq!(row(&report, "/").links, links.then_some(expected));
    }
}

#[test]
fn a_root_at_https_gets_a_row_and_no_job() {
    let mut crawl = Crawl::new(&options(&["https://site.test/"]));
    assert!(crawl.open.is_empty() && crawl.ledger.is_done());
    crawl.open.clear();
    let report = crawl.ledger.close(CrawlEnd::Done);
    let row = &report.rows[0];
    assert_eq!((row.outcome, row.attempts), (Outcome::Unsupported, 0));
    let why = "this stage speaks http only; https is for stage 3 (stage3-async)";
    assert_eq!(row.error.as_deref(), Some(why));
    assert!(!report.answered);
}

#[test]
fn roots_that_lead_to_https_share_a_row_that_names_them_all() {
    let paths = ["/", "http://www.site.test/", "/other", "https://site.test/"];
    for count in 1..=4 {
        let mut crawl = Crawl::new(&options(&paths[..count]));
        for path in &paths[..count.min(3)] {
            crawl.answer(path, Ok(redirect("https://site.test/")));
        }
        let report = crawl.close();
        assert_eq!(report.rows.len(), count.min(3) + 1);
        let row = report.row("https://site.test/").unwrap();
        assert_eq!((row.outcome, row.depth), (Outcome::Unsupported, 0));
        let mut found_on: Vec<_> = urls(&paths[..count.min(3)]);
        found_on.sort();
        let found_on: Vec<Arc<str>> =
            found_on.iter().map(|url| url.as_str().into()).collect();
        assert_eq!(row.found_on, found_on);
        assert!(report.answered && report.summary.complete);
    }
}

#[test]
fn a_loop_of_roots_has_no_end_and_no_row_at_https() {
    let mut crawl = Crawl::new(&options(&["/a"]));
    crawl.answer("/a", Ok(redirect("/b")));
    crawl.answer("/b", Ok(redirect("/a")));
    let report = crawl.close();
    assert_eq!(report.rows.len(), 2);
    for path in ["/a", "/b"] {
        assert_eq!(row(&report, path).outcome, Outcome::TooManyRedirects);
    }
}

#[test]
fn redirects_that_never_end_are_failures_and_all_others_are_none() {
    let mut crawl = Crawl::new(&Options { max_redirect: 9, ..options(&["/"]) });
    crawl.answer("/", Ok(page(&["/in", "/self", "/gone", "/away", "/open"])));
    crawl.answer("/in", Ok(redirect("/l1")));
    crawl.answer("/l1", Ok(redirect("/l2")));
    crawl.answer("/l2", Ok(redirect("/l1")));
    crawl.answer("/self", Ok(redirect("/self")));
    crawl.answer("/gone", Ok(redirect("/404")));
    crawl.answer("/404", Ok(status(404)));
    crawl.answer("/away", Ok(redirect("http://foreign.test/")));
    crawl.answer("/open", Ok(redirect("/never")));
    // The crawl is interrupted before /never is fetched, so its target is unknown.
    let report = crawl.ledger.close(CrawlEnd::Interrupted);
    for path in ["/in", "/l1", "/l2", "/self"] {
        let row = row(&report, path);
        assert_eq!((path, row.outcome), (path, Outcome::TooManyRedirects));
        assert_eq!(row.error.as_deref(), Some("a loop of redirects"));
        assert_eq!(row.found_on, [Arc::from(url("/").as_str())], "{path}");
    }
    for path in ["/gone", "/away", "/open"] {
        assert_eq!((path, row(&report, path).outcome), (path, Outcome::Redirect));
    }
    assert_eq!((report.summary.redirect, report.summary.failed), (3, 4));
}

#[test]
fn a_failure_behind_redirects_is_found_on_the_pages_that_link_to_them() {
    let mut crawl = Crawl::new(&options(&["/", "/start"]));
    crawl.answer("/", Ok(page(&["/a", "/r1", "/r2"])));
    crawl.answer("/a", Ok(page(&["/r1", "/gone"])));
    crawl.answer("/r1", Ok(redirect("/r2")));
    crawl.answer("/r2", Ok(redirect("/gone")));
    crawl.answer("/gone", Ok(status(404)));
    crawl.answer("/start", Ok(redirect("/r2")));
    let report = crawl.close();
    // /start is a root, so no page links to it.
    let pages = ["/", "/a", "/start"].map(|path| Arc::from(url(path).as_str()));
    assert_eq!(row(&report, "/gone").found_on, pages);
    assert_eq!(row(&report, "/r2").found_on.len(), 1, "it did not fail");
}

/// Returns the URLs of these paths.
fn named(paths: &[&str]) -> Vec<Arc<str>> {
    urls(paths).iter().map(|url| url.as_str().into()).collect()
}

#[test]
fn a_failure_behind_redirects_says_by_which_link_each_page_leads_there() {
    let mut crawl = Crawl::new(&options(&["/", "/start"]));
    crawl.answer("/", Ok(page(&["/p", "/q", "/r1", "/r2"])));
    crawl.answer("/p", Ok(page(&["/gone"])));
    crawl.answer("/q", Ok(page(&["/r2"])));
    // The link that comes last is settled first.
    crawl.answer("/r2", Ok(redirect("/r3")));
    crawl.answer("/r3", Ok(redirect("/gone")));
    crawl.answer("/gone", Ok(status(404)));
    crawl.answer("/r1", Ok(redirect("/r2")));
    crawl.answer("/start", Ok(redirect("/r3")));
    let report = crawl.close();
    let gone = row(&report, "/gone");
    assert_eq!(gone.found_on, named(&["/", "/p", "/q", "/start"]));
    let ways: [&[&str]; 3] =
        [&["/r1", "/r2", "/r3", "/gone"], &[], &["/r2", "/r3", "/gone"]];
    assert_eq!(gone.via, ways.map(named), "the first three pages");
    assert!(row(&report, "/r2").via.is_empty(), "it did not fail");
}

#[test]
fn a_root_that_is_a_redirect_is_the_link_itself() {
    let mut crawl = Crawl::new(&options(&["/start"]));
    crawl.answer("/start", Ok(redirect("/r")));
    crawl.answer("/r", Ok(redirect("/gone")));
    crawl.answer("/gone", Ok(status(404)));
    let report = crawl.close();
    assert_eq!(row(&report, "/gone").via, [named(&["/start", "/r", "/gone"])]);
}

#[test]
fn the_last_redirect_that_is_allowed_says_which_link_leads_there() {
    let mut crawl = Crawl::new(&Options { max_redirect: 2, ..options(&["/"]) });
    crawl.answer("/", Ok(page(&["/1"])));
    crawl.answer("/1", Ok(redirect("/2")));
    crawl.answer("/2", Ok(redirect("/3")));
    crawl.answer("/3", Ok(redirect("/4")));
    let report = crawl.close();
    assert_eq!(row(&report, "/3").outcome, Outcome::TooManyRedirects);
    assert_eq!(row(&report, "/3").via, [named(&["/1", "/2", "/3"])]);
}

/// All URLs of a loop fail. Each row says which links lead there.
#[test]
fn each_url_of_a_loop_says_which_link_leads_there() {
    let mut crawl = Crawl::new(&options(&["/"]));
    crawl.answer("/", Ok(page(&["/in"])));
    crawl.answer("/in", Ok(redirect("/l1")));
    crawl.answer("/l1", Ok(redirect("/l2")));
    crawl.answer("/l2", Ok(redirect("/l1")));
    let report = crawl.close();
    let via = |path| row(&report, path).via.clone();
    assert_eq!(via("/in"), [named(&[])]);
    assert_eq!(via("/l1"), [named(&["/in", "/l1"])]);
    assert_eq!(via("/l2"), [named(&["/in", "/l1", "/l2"])]);
}

#[test]
fn a_loop_of_redirects_that_sets_a_cookie_says_so() {
    let sets_cookie = |target| Ok(Page { sets_cookie: true, ..redirect(target) });
    let mut crawl = Crawl::new(&options(&["/"]));
    crawl.answer("/", Ok(page(&["/in", "/self", "/tail", "/fine", "/plain"])));
    crawl.answer("/in", Ok(redirect("/l1")));
    crawl.answer("/l1", Ok(redirect("/l2")));
    crawl.answer("/l2", sets_cookie("/l1"));
    crawl.answer("/self", sets_cookie("/self"));
    crawl.answer("/tail", sets_cookie("/plain"));
    crawl.answer("/fine", sets_cookie("/"));
    crawl.answer("/plain", Ok(redirect("/plain")));
    let report = crawl.ledger.close(CrawlEnd::Done);
    let error = |path| row(&report, path).error.as_deref();
    for path in ["/in", "/l1", "/l2", "/self", "/tail"] {
        let told = "a loop of redirects that sets a cookie, which is not kept";
        assert_eq!(error(path), Some(told), "{path}");
    }
    assert_eq!(error("/plain"), Some("a loop of redirects"));
    assert_eq!(row(&report, "/fine").outcome, Outcome::Redirect);
}

/// Returns the warnings of a crawl of these roots, and whether a root was not checked.
fn warnings(roots: &[&str], answer: impl Fn(&str) -> Page) -> (Vec<String>, bool) {
    let mut crawl = Crawl::new(&options(roots));
    while let Some(job) = crawl.open.first() {
        let path = path_of(job);
        crawl.answer(&path, Ok(answer(&path)));
    }
    let report = crawl.close();
    (report.warnings, report.is_unchecked)
}

#[test]
fn a_root_of_which_nothing_was_checked_is_told() {
    let html = || Some("text/html".to_string());
    let searched = || Page { content_type: html(), ..page(&[]) };
    let other = |kind: Option<&str>, coding: Option<&str>| Page {
        content_type: kind.map(String::from),
        coding: coding.map(Into::into),
        encoding: None,
        ..page(&[])
    };
    let nothing = "nothing was searched for links: the root ";
    for (page, expected) in [
        (other(Some("text/html"), Some("gzip")), "is text/html, compressed (gzip)"),
        (other(None, Some("br")), "is compressed (br)"),
        (other(Some("application/json"), None), "is application/json"),
        (other(None, None), "has no Content-Type that is known"),
        (
            Page { has_frames: true, ..searched() },
            "is a frameset, and frames are not followed",
        ),
    ] {
        let told = (vec![format!("{nothing}{expected}")], true);
        assert_eq!(warnings(&["/"], |_| page.clone()), told);
        // The end of a root's redirects has a warning, too. Other pages are only
        // counted.
        let moved = |path: &str| match path {
            "/" => redirect("/end"),
            _ => page.clone(),
        };
        assert_eq!(warnings(&["/"], moved), told);
        let linked = |path: &str| match path {
            "/" => Page { links: urls(&["/end"]), ..searched() },
            _ => page.clone(),
        };
        let counted = match expected {
            "is text/html, compressed (gzip)" => Some("came compressed"),
            "is compressed (br)" | "has no Content-Type that is known" => {
                Some("has no known Content-Type")
            }
            _ => None,
        };
        let counted = counted.map(|why| {
            format!("a page {why} and was not searched: http://site.test/end")
        });
        assert_eq!(warnings(&["/"], linked), (Vec::from_iter(counted), false));
    }
    for page in [searched(), status(404), redirect("/")] {
        assert_eq!(warnings(&["/"], |_| page.clone()), (vec![], false));
    }
    // Error pages are never searched.
    let linked = |path: &str| match path {
        "/" => Page { links: urls(&["/end"]), ..searched() },
        _ => Page { status: 404, ..other(Some("text/html"), Some("gzip")) },
    };
    assert_eq!(warnings(&["/"], linked), (vec![], false));
}

#[test]
fn a_root_that_leads_to_another_site_says_where_to_start() {
    let leads = |target: &'static str| warnings(&["/"], move |_| redirect(target));
    let (told, is_unchecked) = leads("http://foreign.test/");
    let expected =
        "the root leads to another site: start there with http://foreign.test/";
    assert_eq!((told, is_unchecked), (vec![expected.to_string()], true));
    let (told, _) = leads("https://foreign.test/");
    let expected = "the root leads to another site: start there with \
        https://foreign.test/ (and stage 3, stage3-async: this stage speaks http only)";
    assert_eq!(told, [expected]);
}

/// With `--external` URLs of other sites are requested, too.
#[test]
fn a_root_that_leads_to_another_site_says_so_when_that_is_requested_too() {
    let content_type = Some("text/html".to_string());
    let head = Page { status: 200, content_type, ..Page::default() };
    let options = Options { external: true, ..options(&["/"]) };
    let mut crawl = Crawl::new(&options);
    crawl.answer("/", Ok(redirect("/moved")));
    let next = crawl.answer("/moved", Ok(redirect("http://foreign.test/there")));
    assert_eq!(next, ["http://foreign.test/there"]);
    let third = "http://third.test/";
    assert_eq!(crawl.answer(&next[0], Ok(redirect(third))), [third]);
    assert_eq!(crawl.answer(third, Ok(head)), NOTHING);
    let report = crawl.close();
    let told = format!("the root leads to another site: start there with {third}");
    assert_eq!((report.warnings, report.is_unchecked), (vec![told], true));
}

#[test]
fn of_many_roots_that_were_not_checked_three_are_named() {
    let paths = ["/1", "/2", "/3", "/4", "/5"];
    let json = |path: &str| match path {
        "/2" => page(&[]),
        _ => Page { encoding: None, ..page(&[]) },
    };
    let (told, _) = warnings(&paths, json);
    assert_eq!(told.len(), 4);
    assert!(told[1].contains("the root http://site.test/3 "), "{told:?}");
    assert_eq!(told[3], "the same is true of 1 more of the roots");
}

/// Options that exclude what this pattern matches.
fn excluding(pattern: &str, roots: &[&str]) -> Options {
    let pattern = regex_lite::Regex::new(pattern).expect("a pattern");
    Options { exclude: vec![pattern], ..options(roots) }
}

#[test]
fn what_is_excluded_is_counted_once_each() {
    let options = Options { external: true, ..excluding("x", &["/", "/x-root"]) };
    let mut crawl = Crawl::new(&options);
    let invalid = vec![unparsable("http://x y/"), unparsable("http://y y/")];
    let links = page(&["/a", "/x1", "/x1?", "/x-root", "http://foreign.test/x"]);
    crawl.answer("/", Ok(Page { invalid, resources: urls(&["/x2"]), ..links }));
    crawl.answer("/a", Ok(redirect("/x3")));
    // A redirect to a root that is excluded leads to what is requested.
    crawl.answer("/x-root", Ok(page(&["/x1", "/b"])));
    crawl.answer("/b", Ok(redirect("/x-root")));
    let report = crawl.close();
    // Three that are different, a picture, a foreign one, and a link that is no URL.
    assert_eq!(report.summary.excluded, 6);
    assert_eq!(report.rows.len(), 5);
}

#[test]
fn nothing_elsewhere_is_counted_as_excluded() {
    let mut crawl = Crawl::new(&excluding("x", &["/"]));
    crawl
        .answer("/", Ok(page(&["/a", "http://foreign.test/x", "https://site.test/x"])));
    crawl.answer("/a", Ok(redirect("http://foreign.test/x")));
    assert_eq!(crawl.close().summary.excluded, 0);
}

/// What is known of URLs that are excluded counts against the limit.
#[test]
fn very_many_excluded_urls_fill_the_room_of_the_known_ones() {
    let options = Options { max_known: 20_000, ..excluding("x", &["/"]) };
    let is_complete = |count: usize| {
        let mut crawl = Crawl::new(&options);
        let links = (0..count).map(|number| url(&format!("/x{number}"))).collect();
        crawl.answer("/", Ok(Page { links, ..page(&[]) }));
        let report = crawl.close();
        assert_eq!(report.summary.excluded, count);
        report.summary.complete
    };
    assert!(is_complete(500));
    assert!(!is_complete(1_000));
}

#[test]
fn a_pattern_that_leaves_nothing_but_the_roots_is_told() {
    let told = |options: &Options| {
        let mut crawl = Crawl::new(options);
        while let Some(job) = crawl.open.first() {
            let path = path_of(job);
            let answer = match &*path {
                "/" => page(&["/a", "/b", "http://foreign.test/"]),
                "/leads" => redirect("/"),
                "/a" => page(&["/b"]),
                "/alone" => page(&["http://foreign.test/"]),
                _ => status(404),
            };
            crawl.answer(&path, Ok(answer));
        }
        let report = crawl.close();
        assert_eq!(report.is_unchecked, !report.warnings.is_empty());
        report.warnings
    };
    let only = |roots: &str| {
        vec![format!(
            "nothing but the {roots} was checked: --exclude matches all other URLs"
        )]
    };
    assert_eq!(told(&excluding(".", &["/"])), only("root"));
    assert_eq!(told(&excluding("[ab]$", &["/leads"])), only("root"));
    assert_eq!(told(&excluding(".", &["/", "/a"])), only("roots"));
    // A pattern that leaves something, or matches nothing.
    assert_eq!(told(&excluding("b", &["/"])), [""; 0]);
    assert_eq!(told(&excluding("none", &["/"])), [""; 0]);
    // There is nothing else, or something else is the reason.
    assert_eq!(told(&excluding(".", &["/alone"])), [""; 0]);
    assert_eq!(told(&options(&["/alone"])), [""; 0]);
    let shallow = Options { max_depth: Some(0), ..excluding("b", &["/"]) };
    assert_eq!(told(&shallow), [""; 0]);
    // The target of the root has a warning of its own.
    let [told] = &told(&excluding("test/$", &["/leads"]))[..] else { panic!() };
    assert!(told.contains("leads to a URL that --exclude matches"), "{told}");
}

#[test]
fn a_crawl_that_was_interrupted_does_not_blame_a_pattern() {
    let mut crawl = Crawl::new(&excluding(".", &["/", "/a"]));
    crawl.answer("/", Ok(page(&["/b"])));
    let report = crawl.ledger.close(CrawlEnd::Interrupted);
    assert_eq!(report.warnings, [""; 0]);
}

#[test]
fn pages_that_were_not_searched_are_counted_by_the_reason() {
    let unread = |kind: Option<&str>, coding: Option<&str>| Page {
        content_type: kind.map(String::from),
        coding: coding.map(Into::into),
        encoding: None,
        ..page(&[])
    };
    let foreign = "http://foreign.test/gz";
    let options =
        Options { external: true, resources: true, ..options(&["/", "/root"]) };
    let mut crawl = Crawl::new(&options);
    let links = [
        "/gz", "/xhtml", "/gone", "/none", "/empty", "/rss", "/xml", "/pdf", "/p",
        foreign,
    ];
    crawl.answer("/", Ok(Page { resources: urls(&["/font"]), ..page(&links) }));
    crawl.answer("/root", Ok(unread(Some("text/html"), Some("br"))));
    crawl.answer("/gz", Ok(unread(Some("text/html"), Some("gzip"))));
    crawl.answer("/xhtml", Ok(unread(Some("application/xhtml+xml"), Some("gzip"))));
    crawl.answer("/gone", Ok(Page { status: 404, ..unread(None, None) }));
    crawl.answer("/none", Ok(unread(None, None)));
    crawl.answer("/empty", Ok(Page { size: Some(0), ..unread(None, None) }));
    crawl.answer("/rss", Ok(unread(Some("application/rss+xml"), None)));
    crawl.answer("/xml", Ok(unread(Some("text/xml"), None)));
    crawl.answer("/pdf", Ok(unread(Some("application/pdf"), Some("gzip"))));
    crawl.answer("/p", Ok(page(&[])));
    crawl.answer("/font", Ok(unread(None, None)));
    crawl.answer(foreign, Ok(unread(Some("text/html"), Some("gzip"))));
    let unsearched = crawl.close().summary.unsearched;
    assert_eq!(unsearched, Unsearched { compressed: 3, untyped: 1, feeds: 2 });
}

fn unparsable(text: &str) -> Invalid {
    Invalid { text: text.to_string(), error: Url::parse(text).err() }
}

#[test]
fn a_link_that_cannot_be_parsed_has_a_row() {
    let invalid = |texts: &[&str]| texts.iter().map(|text| unparsable(text)).collect();
    let with = |links: &[&str], texts: &[&str]| Page {
        invalid: invalid(texts),
        ..page(links)
    };
    let exclude = vec![regex_lite::Regex::new("ignored").unwrap()];
    let mut crawl = Crawl::new(&Options { exclude, ..options(&["/"]) });
    crawl.answer("/", Ok(with(&["/b", "/a"], &["http://", "http://ignored host/"])));
    crawl.answer("/b", Ok(with(&[], &["http://", "http://x:99999/"])));
    crawl.answer("/a", Ok(with(&[], &["http://", "http://x:99999/"])));
    let report = crawl.ledger.close(CrawlEnd::Done);
    let rows: Vec<_> = report.rows.iter().map(|row| (&*row.url, row.outcome)).collect();
    let [empty, port] = [&report.rows[0], &report.rows[4]];
    assert_eq!(rows.len(), 5);
    assert_eq!(rows[0], ("http://", Outcome::InvalidUrl));
    assert_eq!(rows[4], ("http://x:99999/", Outcome::InvalidUrl));
    let pages = ["/", "/a", "/b"].map(|path| Arc::from(url(path).as_str()));
    assert_eq!((empty.depth, &empty.found_on[..]), (1, &pages[..]));
    assert_eq!((port.depth, &port.found_on[..]), (2, &pages[1..]));
    assert_eq!(empty.error.as_deref(), Some("not a URL: empty host"));
    assert_eq!((empty.attempts, empty.status), (0, None));
    assert_eq!((report.summary.urls, report.summary.failed), (5, 2));
    assert!(report.summary.complete);
}

/// Returns the report of a crawl that consists of this page.
fn report_of_page(html: &str) -> Report {
    let wire = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
    let mut parser = ResponseParser::with_limit(100_000);
    assert!(parser.feed(wire.as_bytes()).expect("a valid head").is_none());
    let response = parser.feed(b"").expect("it has an end").expect("a response");
    let mut crawl = Crawl::new(&options(&["/"]));
    crawl.answer("/", Ok(Page::from_response(&url("/"), response)));
    crawl.ledger.close(CrawlEnd::Done)
}

/// A link is resolved against the URL of its page. On an http page `http:` is a
/// relative reference; on an https page it is a URL without a host.
#[test]
fn a_link_that_cannot_be_parsed_on_its_page_alone_has_the_reason() {
    let report = report_of_page("<base href='https://other.test/'><a href='http:'>");
    let row = report.row("http:").expect("it cannot be requested");
    assert_eq!(row.error.as_deref(), Some("not a URL: empty host"));
}

#[test]
fn a_link_that_is_too_long_has_the_reason() {
    let report = report_of_page(&format!("<a href='/{}'>", "x".repeat(MAX_URL)));
    let row = report.rows.iter().find(|row| row.outcome == Outcome::InvalidUrl);
    let why = row.expect("it cannot be requested").error.as_deref();
    assert_eq!(why, Some("longer than 16384 bytes"));
}

#[test]
fn of_very_many_links_that_cannot_be_parsed_the_first_are_listed() {
    let max_known = 100_000;
    let mut crawl = Crawl::new(&Options { max_known, ..options(&["/"]) });
    let invalid =
        (1000..2000).map(|n| unparsable(&format!("http://host:{n}0/"))).collect();
    crawl.answer("/", Ok(Page { invalid, ..page(&[]) }));
    let report = crawl.close();
    let kept = report.rows.len() - 1;
    assert!((50..100).contains(&kept), "{kept}");
    assert_eq!(&*report.rows[kept - 1].url, &format!("http://host:{}0/", 999 + kept));
    let told =
        format!("too many links cannot be parsed: only the first {kept} are listed");
    assert_eq!(report.warnings[0], told);
}

#[test]
fn of_very_many_missing_fragments_the_first_are_listed_whichever_came_first() {
    let with = |links: &[&str], numbers: Range<usize>| Page {
        ids: Some(Ids::default()),
        fragments: numbers.map(|number| (url("/p"), format!("x{number}"))).collect(),
        ..page(links)
    };
    let options =
        Options { fragments: true, max_fragments: 1 << 20, ..options(&["/"]) };
    let listed = |order: [&str; 2]| {
        let mut crawl = Crawl::new(&options);
        crawl.answer("/", Ok(with(&["/a", "/b", "/p"], 0..0)));
        crawl.answer("/p", Ok(with(&[], 0..0)));
        for path in order {
            let numbers = if path == "/a" { 1_000..3_000 } else { 2_000..4_000 };
            crawl.answer(path, Ok(with(&[], numbers)));
        }
        let report = crawl.ledger.close(CrawlEnd::Done);
        let missing = report.rows.into_iter();
        let missing = missing.filter(|row| row.outcome == Outcome::MissingFragment);
        let missing = missing.inspect(|row| {
            assert_eq!(row.error.as_deref(), Some("the page has no such id"));
        });
        let missing = missing.map(|row| (row.url, row.found_on, row.depth));
        (missing.collect::<Vec<_>>(), report.warnings)
    };
    let (rows, warnings) = listed(["/a", "/b"]);
    let kept = rows.len();
    assert!((100..1_000).contains(&kept), "{kept}");
    assert_eq!(*rows[kept - 1].0, *url(&format!("/p#x{}", 999 + kept)).as_str());
    let told =
        format!("too many fragments are missing: only the first {kept} are listed");
    assert_eq!(warnings, [told]);
    assert_eq!(listed(["/b", "/a"]), (rows, warnings));
}

#[test]
fn a_root_answered_if_a_server_said_anything() {
    let answered = |answer| {
        let mut crawl = Crawl::new(&Options { max_tries: 1, ..options(&["/"]) });
        crawl.answer("/", answer);
        crawl.close().answered
    };
    assert!(answered(Ok(status(500))));
    assert!(answered(Ok(redirect("http://foreign.test/"))));
    assert!(answered(Err(HttpError::Truncated.into())));
    assert!(answered(Err(HttpError::TooLarge { limit: 1 }.into())));
    assert!(!answered(Err(HttpError::ClosedBeforeResponse.into())));
    assert!(!answered(Err(HttpError::Malformed("").into())));
    assert!(!answered(Err(refused())));
}

#[test]
fn what_a_server_said_stands_in_the_row() {
    let mut parser = ResponseParser::with_limit(1000);
    let wire =
        b"HTTP/1.1 200 OK\r\nContent-Type: Text/HTML\r\nContent-Length: 12\r\n\r\n\
                 <a href=/b>b";
    let response = parser.feed(wire).unwrap().unwrap();
    let mut crawl = Crawl::new(&options(&["/a"]));
    assert_eq!(
        crawl.answer("/a", Ok(Page::from_response(&url("/a"), response))),
        ["/b"]
    );
    let report = crawl.close();
    let row = row(&report, "/a");
    assert_eq!((row.status, row.size, row.num_links), (Some(200), Some(12), 1));
    assert_eq!(row.content_type.as_deref(), Some("text/html"));
    assert_eq!(row.encoding.as_deref(), Some("utf-8"));
}
