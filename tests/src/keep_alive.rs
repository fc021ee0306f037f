//! The rules of keep-alive, one function each.

use crate::scripted::{Act, Acts, Site, anchors, answer, html};
use crate::waits::SHORT_TIME_OUT;
use crate::{Crawl, Rule, crawl_from, options, row, rules, run, url};
use shared::demo_site::DemoSite;
use shared::{Options, Outcome};
use std::net::TcpListener;

/// All but those with time-outs.
pub const ALL: &[(&str, Rule)] = rules![
    a_connection_carries_one_request_after_the_other,
    idle_connections_count_among_those_at_once,
    a_connection_that_is_to_be_closed_is_not_used_again,
    an_answer_that_ends_with_its_connection_is_not_followed_by_another,
    an_answer_with_two_lengths_is_not_followed_by_another,
    an_old_server_does_not_keep_connections_unless_it_says_so,
    a_connection_that_is_dead_before_an_answer_costs_no_try,
    a_connection_that_dies_in_its_answer_costs_a_try,
    a_farewell_to_an_idle_connection_is_no_answer,
    what_is_no_answer_on_a_kept_connection_costs_no_try,
    bytes_that_were_not_asked_for_are_never_an_answer,
    bytes_behind_an_answer_are_never_an_answer,
    a_full_pool_closes_its_longest_idle_connection,
    an_answer_that_was_not_whole_is_not_followed_by_another,
];

/// Those in which an attempt runs into its time-out.
pub const TIME_OUTS: &[(&str, Rule)] = rules![
    another_try_gets_a_fresh_connection,
    a_connection_that_was_too_slow_is_not_used_again
];

/// A response, after which the server waits for the next request.
fn kept(bytes: Vec<u8>) -> Acts {
    vec![vec![Act::Send(bytes), Act::Keep]]
}

/// A page with these links, after which the server waits for the next request.
fn page(links: &[&str]) -> Acts {
    kept(html(&anchors(links)))
}

/// One task, and one attempt for each page.
fn one_task(server: &crate::scripted::Server) -> Options {
    Options { max_tasks: 1, max_tries: 1, ..options(server, "/") }
}

fn a_connection_carries_one_request_after_the_other(crawl: Crawl) {
    let links: Vec<String> = (0..50).map(|number| format!("/{number}")).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let mut site = Site::new().acts("/", page(&links));
    for path in &links {
        site = site.acts(path, page(&[]));
    }
    let server = site.serve();
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(report.summary.ok, 51);
    assert!(server.seen().requests[0].contains("\r\nConnection: keep-alive\r\n"));
    assert!(server.seen().connections <= 10, "{}", server.seen().connections);
}

fn idle_connections_count_among_those_at_once(crawl: Crawl) {
    for tasks in [1, 3] {
        let site = DemoSite::start().expect("the demo site starts");
        let mut options = Options::with_roots([url(&site.url("/"))]);
        options.max_tasks = tasks;
        let report = run(crawl, &options);
        assert!(site.most_connections_at_once() <= tasks as usize);
        assert!(site.connections() < report.rows.len(), "some are kept");
    }
}

fn a_connection_that_is_to_be_closed_is_not_used_again(crawl: Crawl) {
    for value in ["close", "Close", "foo, CLOSE ,bar", "keep-alive, close"] {
        let head =
            format!("Content-Type: text/html\r\nX: y\r\nConnection: {value}\r\n");
        let bytes = answer("200 OK", &head, anchors(&["/a"]).as_bytes());
        let server = Site::new().acts("/", kept(bytes)).acts("/a", page(&[])).serve();
        let report = run(crawl, &one_task(&server));
        assert_eq!((report.summary.ok, server.seen().connections), (2, 2), "{value}");
    }
}

fn an_answer_that_ends_with_its_connection_is_not_followed_by_another(crawl: Crawl) {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let server = Site::new()
        .raw("/", format!("{head}{}", anchors(&["/a"])).as_bytes())
        .acts("/a", page(&[]))
        .serve();
    let report = run(crawl, &one_task(&server));
    assert_eq!((report.summary.ok, server.seen().connections), (2, 2));
}

/// Crawls a page with this response, which links to `/a`. Returns how many connections
/// that took.
fn connections_with(crawl: Crawl, bytes: String) -> usize {
    let root = kept(bytes.into_bytes());
    let server = Site::new().acts("/", root).acts("/a", page(&[])).serve();
    let report = run(crawl, &one_task(&server));
    assert_eq!(report.summary.ok, 2);
    server.seen().connections
}

/// Chunks override a length, but another reader on the way may have obeyed the length
/// (RFC 9112 §6.1).
fn an_answer_with_two_lengths_is_not_followed_by_another(crawl: Crawl) {
    let body = anchors(&["/a"]);
    let chunks = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    for (length, connections) in [("", 1), ("Content-Length: 3\r\n", 2)] {
        let fields =
            format!("Content-Type: text/html\r\n{length}Transfer-Encoding: chunked");
        let bytes = format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n{chunks}");
        assert_eq!(connections_with(crawl, bytes), connections, "{length}");
    }
}

fn an_old_server_does_not_keep_connections_unless_it_says_so(crawl: Crawl) {
    for (line, connections) in [("X: y", 2), ("Connection: Keep-Alive", 1)] {
        let body = anchors(&["/a"]);
        let length = body.len();
        let head = format!("Content-Type: text/html\r\nContent-Length: {length}");
        let bytes = format!("HTTP/1.0 200 OK\r\n{head}\r\n{line}\r\n\r\n{body}");
        assert_eq!(connections_with(crawl, bytes), connections, "{line}");
    }
}

fn a_connection_that_is_dead_before_an_answer_costs_no_try(crawl: Crawl) {
    for death in [vec![], vec![Act::Reset]] {
        let answered = vec![Act::Send(html("")), Act::Keep];
        let server = Site::new()
            .acts("/", page(&["/a"]))
            .acts("/a", vec![death, answered])
            .serve();
        let report = run(crawl, &one_task(&server));
        assert_eq!(row(&report, &server, "/a").outcome, Outcome::Ok);
        assert_eq!(row(&report, &server, "/a").attempts, 1);
        assert_eq!((server.count("/a"), server.seen().connections), (2, 2));
    }
}

fn a_connection_that_dies_in_its_answer_costs_a_try(crawl: Crawl) {
    let half = vec![Act::Send(b"HTTP/1.1 200 OK\r\nContent-".to_vec())];
    let answered = vec![Act::Send(html("")), Act::Keep];
    let server =
        Site::new().acts("/", page(&["/a"])).acts("/a", vec![half, answered]).serve();
    let report = run(crawl, &Options { max_tries: 2, ..one_task(&server) });
    assert_eq!(row(&report, &server, "/a").outcome, Outcome::Ok);
    assert_eq!(row(&report, &server, "/a").attempts, 2);
}

/// The server had sent it before the request arrived.
fn a_farewell_to_an_idle_connection_is_no_answer(crawl: Crawl) {
    let farewell = answer("408 Request Timeout", "Connection: close\r\n", b"");
    let acts = vec![vec![Act::Send(farewell)], vec![Act::Send(html("")), Act::Keep]];
    let server = Site::new().acts("/", page(&["/a"])).acts("/a", acts).serve();
    let report = run(crawl, &one_task(&server));
    assert_eq!(row(&report, &server, "/a").outcome, Outcome::Ok);
    assert_eq!((server.count("/a"), server.seen().connections), (2, 2));
    let fresh = answer("408 Request Timeout", "", b"");
    let server = Site::new().raw("/", &fresh).serve();
    let report = run(crawl, &one_task(&server));
    assert_eq!(
        row(&report, &server, "/").status,
        Some(408),
        "the connection was never idle"
    );
}

/// Mostly it is the rest of the response before it: a body where none may be.
fn what_is_no_answer_on_a_kept_connection_costs_no_try(crawl: Crawl) {
    let rest = vec![Act::Send(b"<html>a body of 204</html>".to_vec())];
    let acts = vec![rest, vec![Act::Send(html("")), Act::Keep]];
    let server = Site::new().acts("/", page(&["/a"])).acts("/a", acts).serve();
    let report = run(crawl, &one_task(&server));
    assert_eq!(row(&report, &server, "/a").outcome, Outcome::Ok);
    assert_eq!(row(&report, &server, "/a").attempts, 1);
}

/// Ten connections are kept, and all of them are silent from then on.
fn another_try_gets_a_fresh_connection(crawl: Crawl) {
    let links: Vec<String> = (0..10).map(|number| format!("/{number}")).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let mut site = Site::new().acts("/", page(&links));
    for path in &links {
        let meets =
            vec![Act::Meet(10), Act::Send(html(&anchors(&["/last"]))), Act::Keep];
        site = site.acts(path, vec![meets]);
    }
    let stalled = vec![Act::Stall];
    let server =
        site.acts("/last", vec![stalled, vec![Act::Send(html("")), Act::Keep]]).serve();
    let mut options = options(&server, "/");
    options.timeout = SHORT_TIME_OUT;
    options.max_tries = 2;
    let report = run(crawl, &options);
    assert_eq!(row(&report, &server, "/last").outcome, Outcome::Ok);
    assert_eq!(row(&report, &server, "/last").attempts, 2);
    assert_eq!(server.seen().connections, 11, "ten, and a fresh one");
}

/// A page that was not requested, and that would lead the crawl astray.
fn forged() -> Vec<u8> {
    html(&anchors(&["/forged"]))
}

/// The server sends on a connection while it is idle. Then another response has a link,
/// which could be requested on that connection.
fn bytes_that_were_not_asked_for_are_never_an_answer(crawl: Crawl) {
    let head = "Content-Type: text/html\r\nConnection: close\r\n";
    let last = answer("200 OK", head, anchors(&["/next"]).as_bytes());
    let first = Act::Send(html(""));
    let (met, sent) = (Act::Meet(2), Act::Meet(4));
    let forger = vec![first, met.clone(), Act::Send(forged()), sent.clone(), Act::Keep];
    let server = Site::new()
        .acts("/", kept(answer("200 OK", head, anchors(&["/a", "/b"]).as_bytes())))
        .acts("/a", vec![forger])
        .acts("/b", vec![vec![met, sent, Act::Send(last)]])
        .acts("/next", page(&[]))
        .serve();
    let report = run(crawl, &Options { max_tasks: 2, ..options(&server, "/") });
    assert_eq!(row(&report, &server, "/next").num_links, 0);
    assert_eq!((report.rows.len(), report.summary.ok), (4, 4));
    assert_eq!(server.count("/forged"), 0);
}

fn bytes_behind_an_answer_are_never_an_answer(crawl: Crawl) {
    let bytes = [html(&anchors(&["/next"])), forged()].concat();
    let server = Site::new().acts("/", kept(bytes)).acts("/next", page(&[])).serve();
    let report = run(crawl, &one_task(&server));
    assert_eq!((report.rows.len(), report.summary.ok), (2, 2));
    assert_eq!((server.count("/forged"), server.seen().connections), (0, 2));
}

/// A chain of pages on three hosts, one request at a time, with two connections. When
/// host c needs one, that of b has been idle for longer than that of a, although a's is
/// older. So b's is closed, and a needs no new one after that.
fn a_full_pool_closes_its_longest_idle_connection(crawl: Crawl) {
    let chain = ["a", "b", "a", "c", "a"].map(|host| format!("{host}.example.com"));
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("bound");
    let links = chain.iter().zip(0..);
    let links: Vec<String> = links
        .map(|(host, number)| format!("http://{host}:{}/{number}", address.port()))
        .collect();
    let mut site = Site::new();
    for number in 0..links.len() {
        let next = links.get(number + 1).map(String::as_str);
        site = site.acts(&format!("/{number}"), page(next.as_slice()));
    }
    let server = site.serve_on(listener);
    let mut options = Options::with_roots([url(&links[0])]);
    // To the crawl they are one site, to the pool three servers.
    (options.lenient, options.max_tasks) = (true, 2);
    options.hosts = chain.map(|host| (host, vec![address.ip()])).to_vec();
    let report = run(crawl, &options);
    assert_eq!(report.summary.ok, links.len());
    assert_eq!(server.seen().connections, 3, "one for each host");
    assert!(server.seen().most_at_once <= 2);
}

fn a_connection_that_was_too_slow_is_not_used_again(crawl: Crawl) {
    let server = Site::new()
        .acts("/", page(&["/stall", "/z"]))
        .acts("/stall", vec![vec![Act::Stall]])
        .acts("/z", page(&[]))
        .serve();
    let mut options = one_task(&server);
    options.timeout = SHORT_TIME_OUT;
    let report = run(crawl, &options);
    assert_eq!(row(&report, &server, "/stall").outcome, Outcome::Timeout);
    assert_eq!(row(&report, &server, "/z").outcome, Outcome::Ok);
    assert_eq!(server.seen().connections, 2, "/ and /stall, then /z");
}

fn an_answer_that_was_not_whole_is_not_followed_by_another(crawl: Crawl) {
    let large = answer("200 OK", "Content-Type: text/html\r\n", &[b'x'; 5000]);
    let server = Site::new()
        .acts("/", page(&["/large", "/z"]))
        .acts("/large", kept(large))
        .acts("/z", page(&[]))
        .serve();
    let report = run(crawl, &Options { max_body: 1000, ..one_task(&server) });
    assert_eq!(row(&report, &server, "/large").outcome, Outcome::TooLarge);
    assert_eq!(row(&report, &server, "/z").outcome, Outcome::Ok);
    assert_eq!(server.seen().connections, 2);
}
