//! The next attempts of a frontier, driven by hand, without a network.

use shared::http::HttpError;
use shared::{
    Attempt, FetchError, Frontier, Options, Program, Response, ResponseParser, Stop,
    Url,
};
use std::io::ErrorKind;

const PROGRAM: Program = Program::http_only("a-test", "1");

fn frontier(options: &Options) -> Frontier {
    Frontier::new(options, &PROGRAM, &Stop::new())
}

fn options(max_tasks: u32) -> Options {
    let root = Url::parse("http://127.0.0.1/").expect("a URL");
    Options { max_tasks, ..Options::with_roots([root]) }
}

/// A page with this number of links.
fn page(links: usize) -> Response {
    let links: String = (1..=links).map(|n| format!("<a href=/{n}>x</a>")).collect();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    let answer = format!("{head}Content-Length: {}\r\n\r\n{links}", links.len());
    let mut parser = ResponseParser::with_limit(1_000_000);
    parser.feed(answer.as_bytes()).expect("it is HTTP").expect("it is whole")
}

fn no_port() -> Result<Response, FetchError> {
    Err(FetchError::Network(ErrorKind::AddrNotAvailable))
}

fn start_all(frontier: &mut Frontier) -> Vec<Attempt> {
    frontier.begin_attempts()
}

/// A crawl whose root is settled and links to this number of pages.
fn with_links(options: &Options, links: usize) -> Frontier {
    let mut frontier = frontier(options);
    let root = frontier.begin_attempts().remove(0);
    frontier.settle(root.id, Ok(page(links)));
    frontier
}

#[test]
fn a_try_says_what_to_send_and_by_when() {
    let mut frontier = frontier(&options(1));
    let root = frontier.begin_attempts().remove(0);
    let request = String::from_utf8(root.request).expect("ASCII");
    assert!(request.starts_with("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"), "{request}");
    assert!(request.contains("Connection: close\r\n"), "{request}");
    assert_eq!(root.url.as_str(), "http://127.0.0.1/");
    assert!(root.deadline <= std::time::Instant::now() + Options::default().timeout);
}

#[test]
fn no_more_are_in_flight_than_max_tasks() {
    let mut frontier = with_links(&options(3), 5);
    let tries = start_all(&mut frontier);
    assert_eq!(tries.len(), 3);
    frontier.settle(tries[1].id, Ok(page(0)));
    assert_eq!(start_all(&mut frontier).len(), 1, "one ended, one begins");
}

#[test]
fn after_the_stop_nothing_is_begun() {
    let stop = Stop::new();
    let mut frontier = Frontier::new(&options(3), &PROGRAM, &stop);
    stop.request();
    assert!(frontier.begin_attempts().is_empty());
    assert!(!frontier.is_done(), "and it is not done");
}

#[test]
fn a_try_that_finds_no_socket_waits_until_another_one_ends() {
    let mut frontier = with_links(&options(5), 5);
    let tries = start_all(&mut frontier);
    for full in &tries[2..] {
        frontier.settle(full.id, Err(FetchError::OutOfSockets));
    }
    assert!(frontier.begin_attempts().is_empty(), "there is room for two");
    frontier.settle(tries[0].id, Ok(page(0)));
    assert_eq!(start_all(&mut frontier).len(), 1);
    frontier.settle(tries[1].id, Ok(page(0)));
    assert_eq!(
        start_all(&mut frontier).len(),
        2,
        "it has fitted twice: one more is tried"
    );
    let report = frontier.close(|| "four attempts".to_string());
    assert!(report.rows.iter().all(|row| row.attempts == 1), "{report:?}");
    assert_eq!(report.summary.peak_tasks, 3);
}

/// A machine without IPv6 never has an address for one of the roots.
#[test]
fn no_local_address_is_waited_for_a_few_times_and_delays_no_other_job() {
    let mut options = Options { max_tries: 1, ..options(3) };
    options.roots.push(Url::parse("http://[::1]/").expect("a URL"));
    let mut frontier = frontier(&options);
    let mut tries = frontier.begin_attempts();
    frontier.settle(tries.remove(0).id, Ok(page(9)));
    let (unlucky, mut begun, mut others) = (tries[0].id, 0, 9);
    tries.extend(frontier.begin_attempts());
    while !frontier.is_done() {
        let next = tries.remove(0);
        begun += usize::from(next.id == unlucky);
        others -= usize::from(next.id != unlucky);
        frontier
            .settle(next.id, if next.id == unlucky { no_port() } else { Ok(page(0)) });
        tries.extend(frontier.begin_attempts());
        assert!(tries.len() <= 3);
        let under_way = tries.iter().filter(|next| next.id != unlucky).count();
        let left = others - under_way;
        assert!(tries.len() == 3 || left == 0, "all room is used: {left} are left");
    }
    assert!((2..=4).contains(&begun), "{begun} times");
    let report = frontier.close(|| unreachable!("it is done"));
    assert_eq!((report.summary.failed, report.summary.ok), (1, 10));
}

/// A host that was reached before can be reached again when a port is free.
#[test]
fn no_port_for_a_host_that_has_answered_is_waited_for_as_long_as_others_end() {
    const ROUNDS: usize = 7;
    let mut frontier = with_links(&Options { max_tries: 1, ..options(3) }, ROUNDS + 1);
    let mut tries = frontier.begin_attempts();
    let unlucky = tries[0].id;
    for _ in 0..ROUNDS {
        let place = tries.iter().position(|next| next.id == unlucky);
        frontier.settle(tries.remove(place.expect("it is tried again")).id, no_port());
        assert!(
            frontier.begin_attempts().is_empty(),
            "there is room for those in flight"
        );
        frontier.settle(tries.remove(0).id, Ok(page(0)));
        tries.extend(frontier.begin_attempts());
    }
    frontier.settle(tries.remove(0).id, Ok(page(0)));
    let report = frontier.close(|| unreachable!("it is done"));
    assert_eq!((report.summary.ok, report.summary.failed), (ROUNDS + 2, 0));
    assert!(report.rows.iter().all(|row| row.attempts == 1), "{report:?}");
}

/// Its address disappears in the middle of a crawl. The crawl ends nevertheless.
#[test]
fn a_host_that_was_reached_and_is_gone_is_given_up() {
    let mut options = Options { max_tries: 1, ..options(4) };
    options.roots.push(Url::parse("http://[::1]/").expect("a URL"));
    let mut frontier = frontier(&options);
    for root in frontier.begin_attempts() {
        frontier.settle(root.id, Ok(page(40)));
    }
    let mut tries = frontier.begin_attempts();
    while !frontier.is_done() {
        let next = tries.remove(0);
        let is_gone = next.url.host_str() == Some("[::1]");
        frontier.settle(next.id, if is_gone { no_port() } else { Ok(page(0)) });
        tries.extend(frontier.begin_attempts());
    }
    let report = frontier.close(|| unreachable!("it is done"));
    assert_eq!((report.summary.ok, report.summary.failed), (2 + 40, 40));
}

#[test]
fn out_of_sockets_with_nothing_in_flight_is_an_answer() {
    let mut frontier = frontier(&Options { max_tries: 1, ..options(5) });
    let root = frontier.begin_attempts().remove(0);
    frontier.settle(root.id, Err(FetchError::OutOfSockets));
    assert!(frontier.is_done());
}

#[test]
fn what_failed_by_chance_pauses_and_the_pause_is_told_once() {
    let mut frontier = frontier(&options(5));
    let root = frontier.begin_attempts().remove(0);
    let before = std::time::Instant::now();
    frontier.settle(root.id, Err(HttpError::Truncated.into()));
    let [when] = frontier.take_wakeups()[..] else { panic!("one pause began") };
    assert!(when > before);
    assert!(frontier.take_wakeups().is_empty());
    assert!(!frontier.is_done());
    assert!(frontier.begin_attempts().is_empty() || std::time::Instant::now() >= when);
}

#[test]
fn a_stuck_crawl_lists_what_is_queued() {
    let report = |who_waits: &str| {
        let frontier = with_links(&options(1), 2);
        frontier.close(|| who_waits.to_string()).stuck.expect("it is stuck")
    };
    let queued = "http://127.0.0.1/1: queued, and nothing starts it\n\
                  http://127.0.0.1/2: queued, and nothing starts it";
    assert_eq!(report(""), queued);
    assert_eq!(report("a task waits"), format!("a task waits\n{queued}"));
}
