//! Crawls over the simulated system: the time they take there, and what they report.

use checks::{ROOT, STAGES, crawl, options, rows};
use simulated_os::{Happened, Order, Then, What};
use sites::Script;
use std::time::Duration;

/// Five pages, each of which takes a second.
const FIVE: &str = "/ 10ms 200 links=/1,/2,/3,/4,/5\n* 1s 200";

fn five() -> Script {
    Script::parse(FIVE).expect("a script")
}

#[test]
fn five_pages_of_a_second_take_five_seconds_one_by_one_and_one_second_at_once() {
    for (stage, crawler) in STAGES {
        for (tasks, seconds) in [(1, 5), (5, 1)] {
            let (report, took) = crawl(crawler, &options(tasks), five(), Order::InTime);
            assert_eq!(report.rows.len(), 6, "{stage}");
            let least = Duration::from_secs(seconds);
            let most = least + Duration::from_millis(50);
            assert!((least..most).contains(&took), "{stage}, {tasks}: {took:?}");
        }
    }
}

#[test]
fn the_same_crawl_is_the_same_to_the_microsecond() {
    for (stage, crawler) in STAGES {
        let run = || {
            let (report, took) = crawl(crawler, &options(3), five(), Order::InTime);
            // When a timer would be due depends on the machine's clock.
            let is_timer = |it: &Happened| matches!(it.what, What::Sleeps(_));
            let log = simulated_os::log().into_iter().filter(|it| !is_timer(it));
            (rows(&report), took, log.collect::<Vec<_>>())
        };
        assert_eq!(run(), run(), "{stage}");
    }
}

#[test]
fn what_a_server_does_is_reported_as_from_a_real_one() {
    let script = "
        connect 1ms
        / 1ms 200 links=/pieces,/none,/cut,/moved,/gone
        /pieces 1ms 200 links=/last pieces=9 every=1ms close
        /none 1ms close
        /cut 1ms reset
        /moved 1ms 301 location=/last
        /last 0ms 200
        * 1ms 404";
    for (stage, crawler) in STAGES {
        let script = Script::parse(script).expect("a script");
        let options = shared::Options { max_tries: 1, ..options(2) };
        let (report, _) = crawl(crawler, &options, script, Order::InTime);
        let paths: Vec<String> =
            rows(&report).iter().map(|row| row.replace(ROOT, "/")).collect();
        assert_eq!(
            paths,
            [
                "/ ok 200",
                "/cut network-error ",
                "/gone http-error 404",
                "/last ok 200",
                "/moved redirect 301",
                "/none truncated ",
                "/pieces ok 200",
            ],
            "{stage}"
        );
    }
}

#[test]
fn a_connection_that_is_refused_is_no_way_to_a_page() {
    for (stage, crawler) in STAGES {
        let script = Script::parse("refuse 127.0.0.1:8000").expect("a script");
        let options = shared::Options { max_tries: 1, ..options(2) };
        let (report, took) = crawl(crawler, &options, script, Order::InTime);
        let why = report.rows[0].error.as_deref();
        assert_eq!(why, Some("connection refused"), "{stage}");
        assert_eq!(took, Duration::from_millis(5), "{stage}");
    }
}

#[test]
fn ctrl_c_after_the_last_choice_ends_the_crawl() {
    for (stage, crawler) in STAGES {
        // The connection to the root, its page, and then nothing more.
        let order = Order::Chosen(vec![0.into(), 0.into()], Then::Interrupt);
        let (report, _) = crawl(crawler, &options(5), five(), order);
        assert!(report.interrupted, "{stage}");
        assert_eq!(report.rows.len(), 1, "{stage}");
        let log = simulated_os::log();
        let asked = |what: &What| match what {
            What::Asked(choices, None) => Some(choices.len()),
            _ => None,
        };
        let choices: Vec<usize> = log.iter().filter_map(|it| asked(&it.what)).collect();
        // Five connections, and the next time-out.
        assert_eq!(choices.last(), Some(&6), "{stage}");
    }
}
