//! The rules of a crawl, one function each.

use crate::checks::foreign_https_is_left_out_and_told;
use crate::scripted::{Act, Server, Site, anchors, answer, html};
use crate::waits::SHORT_TIME_OUT;
use crate::{
    Crawl, Rule, comparable, crawl_from, found_on, options, paths, row, rules, run, url,
};
use shared::{Options, Outcome, Stop};
use socket2::{Domain, Socket, Type};
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// All but those with time-outs.
pub const ALL: &[(&str, Rule)] = rules![
    a_request_has_these_fields_and_no_others,
    a_fragment_is_not_sent_and_a_query_is,
    credentials_are_not_sent,
    a_link_is_fetched_once_however_often_it_stands,
    num_links_counts_foreign_links_too,
    new_links_add_up_to_the_urls_that_were_found,
    a_base_is_honoured,
    entities_in_links_are_decoded,
    links_in_comments_are_none,
    dropped_twice_and_then_answered,
    a_busy_server_is_asked_again_when_it_says,
    a_server_that_stays_busy_is_an_http_error,
    a_404_is_not_asked_again,
    a_refused_connection_is_a_network_error,
    connections_that_fail_at_once_leave_room_for_others,
    a_redirect_already_seen_is_not_fetched_twice,
    a_redirect_off_the_site_is_not_followed,
    a_larger_budget_of_redirects_queues_a_url_again,
    zero_redirects_allowed,
    max_depth_counts_links,
    a_redirect_costs_no_depth,
    max_pages_takes_the_same_each_time,
    a_failure_names_all_pages_that_link_to_it,
    a_stop_ends_the_crawl_with_what_was_done,
    a_stop_wakes_the_loop_each_time,
    a_stop_before_the_crawl_ends_it_at_once,
    a_stop_that_is_seen_before_its_wake_ends_the_crawl,
    all_addresses_of_a_host_are_tried,
    max_time_does_not_hold_up_a_crawl_that_is_done,
    bodies_beyond_the_budget_wait_and_arrive_whole,
    no_roots_no_rows,
    a_page_larger_than_one_turn_is_read_whole,
    equal_rows_at_any_number_of_tasks,
    an_unknown_host_is_a_network_error,
    a_name_that_does_not_exist_is_not_attempted_again,
    urgent_bytes_are_no_part_of_an_answer,
];

/// Those in which an attempt runs into its time-out.
pub const TIME_OUTS: &[(&str, Rule)] = rules![
    a_time_out_is_tried_again,
    the_end_of_max_time_leaves_a_report_of_what_was_done,
    a_body_that_waits_for_room_can_time_out
];

/// Rules that only Linux lets us test.
#[cfg(target_os = "linux")]
pub const LINUX: &[(&str, Rule)] = rules![
    a_connection_that_never_stands_is_a_time_out,
    an_address_that_is_silent_leaves_time_for_the_next,
];
#[cfg(not(target_os = "linux"))]
pub const LINUX: &[(&str, Rule)] = rules![];

/// Rules for crawlers that speak http only, on a connection for each request.
pub const PLAIN: &[(&str, Rule)] = rules![
    https_links_are_counted_and_not_followed,
    a_root_that_leads_to_https_gets_a_row,
    a_root_with_https_is_unsupported,
    foreign_https_is_left_out_and_told,
];

fn a_request_has_these_fields_and_no_others(crawl: Crawl) {
    let server = Site::new().page("/", &[]).serve();
    crawl_from(crawl, &server, "/");
    let request = server.seen().requests[0].clone();
    let mut lines = request.trim_end().split("\r\n");
    assert_eq!(lines.next(), Some("GET / HTTP/1.1"));
    let mut names: Vec<&str> =
        lines.filter_map(|line| line.split(": ").next()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["Accept", "Accept-Encoding", "Connection", "Host", "User-Agent"]
    );
    assert!(request.contains(&format!("\r\nHost: {}\r\n", server.address())));
    assert!(request.contains("\r\nAccept-Encoding: identity\r\n"));
}

fn a_fragment_is_not_sent_and_a_query_is(crawl: Crawl) {
    let server =
        Site::new().page("/", &["/a?x=1&amp;y=2#z", "/a?x=1&amp;y=2#w"]).serve();
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(paths(&report, &server), ["/", "/a?x=1&y=2"]);
    assert_eq!(server.count("/a?x=1&y=2"), 1);
}

fn credentials_are_not_sent(crawl: Crawl) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("bound");
    let link = format!("http://user:secret@{address}/a");
    let server = Site::new().page("/", &[&link]).page("/a", &[]).serve_on(listener);
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(paths(&report, &server), ["/", "/a"]);
    assert!(!format!("{:?}", server.seen().requests).contains("secret"));
}

fn a_link_is_fetched_once_however_often_it_stands(crawl: Crawl) {
    let server = Site::new()
        .page("/", &["/a", "/a", "./a", "/b/../a", "/a#x", "/b"])
        .page("/a", &["/a", "/b"])
        .page("/b", &["/a"])
        .serve();
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(paths(&report, &server), ["/", "/a", "/b"]);
    assert_eq!((server.count("/a"), server.count("/b")), (1, 1));
    assert_eq!(row(&report, &server, "/").num_links, 2);
}

fn num_links_counts_foreign_links_too(crawl: Crawl) {
    let server =
        Site::new().page("/", &["http://x.invalid/", "/a"]).page("/a", &[]).serve();
    let mut options = options(&server, "/");
    options.links = true;
    let report = run(crawl, &options);
    let root = row(&report, &server, "/");
    assert_eq!((root.num_links, root.num_new_links), (2, 1));
    let links = [server.url("/a").into(), "http://x.invalid/".into()];
    assert_eq!(root.links.as_deref(), Some(&links[..]));
}

fn new_links_add_up_to_the_urls_that_were_found(crawl: Crawl) {
    let server = Site::new()
        .page("/", &["/b", "/a", "/"])
        .page("/a", &["/c", "/"])
        .page("/b", &["/c", "/d", "/a"])
        .serve();
    let report = crawl_from(crawl, &server, "/");
    let new: Vec<usize> = report.rows.iter().map(|row| row.num_new_links).collect();
    assert_eq!(paths(&report, &server), ["/", "/a", "/b", "/c", "/d"]);
    assert_eq!(new, [2, 1, 1, 0, 0], "the smallest page one link nearer found it");
}

fn a_base_is_honoured(crawl: Crawl) {
    let page = html("<base href='/b/'><a href=c>x</a><base href='/no/'>");
    let server = Site::new().raw("/", &page).serve();
    assert_eq!(paths(&crawl_from(crawl, &server, "/"), &server), ["/", "/b/c"]);
}

fn entities_in_links_are_decoded(crawl: Crawl) {
    let page = html("<a href='/a?b&#61;1&amp;c=2&copy=3'>x</a>");
    let server = Site::new().raw("/", &page).serve();
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(paths(&report, &server), ["/", "/a?b=1&c=2&copy=3"]);
}

fn links_in_comments_are_none(crawl: Crawl) {
    let page = html("<!-- <a href=/no> --><script>'<a href=/no>'</script><a href=/a>");
    let server = Site::new().raw("/", &page).serve();
    assert_eq!(paths(&crawl_from(crawl, &server, "/"), &server), ["/", "/a"]);
}

fn dropped_twice_and_then_answered(crawl: Crawl) {
    let acts = vec![vec![], vec![Act::Reset], vec![Act::Send(html(""))]];
    let server = Site::new().page("/", &["/flaky"]).acts("/flaky", acts).serve();
    let report = crawl_from(crawl, &server, "/");
    let flaky = row(&report, &server, "/flaky");
    assert_eq!((flaky.outcome, flaky.attempts), (Outcome::Ok, 3));
    assert_eq!(server.count("/flaky"), 3);
}

fn a_busy_server_is_asked_again_when_it_says(crawl: Crawl) {
    let busy = answer("503 Busy", "Retry-After: 0\r\n", b"");
    let limited =
        answer("429 Slow down", "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n", b"");
    let acts = vec![
        vec![Act::Send(busy)],
        vec![Act::Send(limited)],
        vec![Act::Send(html(""))],
    ];
    let server = Site::new().acts("/", acts).serve();
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(row(&report, &server, "/").outcome, Outcome::Ok);
    assert_eq!(server.count("/"), 3);
}

fn a_server_that_stays_busy_is_an_http_error(crawl: Crawl) {
    let busy = answer("503 Busy", "Retry-After: 0\r\n", b"later");
    let server = Site::new().raw("/", &busy).serve();
    let report = crawl_from(crawl, &server, "/");
    let root = row(&report, &server, "/");
    assert_eq!(
        (root.outcome, root.status, root.attempts),
        (Outcome::HttpError, Some(503), 4)
    );
    assert_eq!(server.count("/"), 4);
}

fn a_404_is_not_asked_again(crawl: Crawl) {
    let server = Site::new().page("/", &["/missing"]).serve();
    let report = crawl_from(crawl, &server, "/");
    let missing = row(&report, &server, "/missing");
    assert_eq!((missing.outcome, missing.attempts), (Outcome::HttpError, 1));
    assert_eq!(server.count("/missing"), 1);
}

fn a_time_out_is_tried_again(crawl: Crawl) {
    let acts = vec![vec![Act::Stall], vec![Act::Send(html(""))]];
    let server = Site::new().acts("/", acts).serve();
    let mut options = options(&server, "/");
    options.timeout = SHORT_TIME_OUT;
    let report = run(crawl, &options);
    let root = row(&report, &server, "/");
    assert_eq!((root.outcome, root.attempts), (Outcome::Ok, 2));
}

fn a_refused_connection_is_a_network_error(crawl: Crawl) {
    let (_taken, address) = silent_port().expect("loopback has a free port");
    let report = run(crawl, &Options::with_roots([url(&format!("http://{address}/"))]));
    assert_eq!(report.rows[0].outcome, Outcome::NetworkError);
    assert_eq!(report.rows[0].error.as_deref(), Some("connection refused"));
    assert_eq!(report.rows[0].attempts, 4, "a server that refuses now may listen soon");
    assert!(!report.answered);
}

/// The system refuses such a connection at once: there is no event to wait for.
fn connections_that_fail_at_once_leave_room_for_others(crawl: Crawl) {
    let server = Site::new().page("/", &["/a"]).page("/a", &[]).serve();
    for tasks in [1, 2] {
        let bad = (1..=5).map(|n| url(&format!("http://255.255.255.255/{n}")));
        let mut options = Options::with_roots(bad.chain([url(&server.url("/"))]));
        (options.max_tasks, options.max_tries) = (tasks, 2);
        let report = run(crawl, &options);
        assert_eq!((report.summary.ok, report.summary.failed), (2, 5), "{report:#?}");
        let bad = report.rows.iter().filter(|row| row.outcome != Outcome::Ok);
        assert!(bad.clone().all(|row| row.outcome == Outcome::NetworkError));
        assert!(bad.clone().all(|row| row.attempts == 2));
    }
}

fn a_redirect_already_seen_is_not_fetched_twice(crawl: Crawl) {
    let server = Site::new()
        .page("/", &["/a", "/moved"])
        .redirect("/moved", "/a")
        .page("/a", &["/moved"])
        .serve();
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(paths(&report, &server), ["/", "/a", "/moved"]);
    assert_eq!(server.seen().requests.len(), 3);
}

fn a_redirect_off_the_site_is_not_followed(crawl: Crawl) {
    let other = Site::new().page("/", &[]).serve();
    let server = Site::new().redirect("/", &other.url("/")).serve();
    let mut options = options(&server, "/");
    options.max_redirect = 0;
    let report = run(crawl, &options);
    let root = row(&report, &server, "/");
    assert_eq!(
        (root.outcome, root.next_url.clone()),
        (Outcome::Redirect, Some(other.url("/")))
    );
    assert_eq!(report.rows.len(), 1);
    assert_eq!(other.seen().connections, 0);
}

/// `/3` is discovered first at the end of a chain, where its budget is used up, and later as
/// a link. The report is the same in either order.
fn a_larger_budget_of_redirects_queues_a_url_again(crawl: Crawl) {
    let server = Site::new()
        .page("/", &["/1", "/late"])
        .redirect("/1", "/2")
        .redirect("/2", "/3")
        .redirect("/3", "/end")
        .page("/late", &["/later"])
        .page("/later", &["/latest"])
        .page("/latest", &["/3"])
        .page("/end", &[])
        .serve();
    let mut options = options(&server, "/");
    options.max_redirect = 2;
    options.max_tasks = 1;
    let report = run(crawl, &options);
    assert_eq!(row(&report, &server, "/3").outcome, Outcome::Redirect);
    assert_eq!(row(&report, &server, "/end").outcome, Outcome::Ok);
    assert_eq!(server.count("/3"), 2, "queued again");
    assert_eq!(server.count("/end"), 1);
}

fn zero_redirects_allowed(crawl: Crawl) {
    let server = Site::new().redirect("/", "/a").page("/a", &[]).serve();
    let mut options = options(&server, "/");
    options.max_redirect = 0;
    let report = run(crawl, &options);
    assert_eq!(row(&report, &server, "/").outcome, Outcome::TooManyRedirects);
    assert_eq!(paths(&report, &server), ["/"]);
    assert_eq!(report.summary.failed, 1);
}

fn max_depth_counts_links(crawl: Crawl) {
    let server = Site::new()
        .page("/", &["/1"])
        .page("/1", &["/2", "/1"])
        .page("/2", &["/3"])
        .serve();
    for (depth, expected) in [(0, 1), (1, 2), (2, 3), (9, 4)] {
        let mut options = options(&server, "/");
        options.max_depth = Some(depth);
        let report = run(crawl, &options);
        assert_eq!(report.rows.len(), expected);
        assert_eq!(report.summary.complete, depth == 9);
        assert_eq!(report.summary.left, usize::from(depth != 9));
    }
}

fn a_redirect_costs_no_depth(crawl: Crawl) {
    let server = Site::new()
        .redirect("/", "/home")
        .page("/home", &["/moved"])
        .redirect("/moved", "/page")
        .page("/page", &["/too/deep"])
        .serve();
    let mut options = options(&server, "/");
    options.max_depth = Some(1);
    let report = run(crawl, &options);
    assert_eq!(paths(&report, &server), ["/", "/home", "/moved", "/page"]);
    assert_eq!(row(&report, &server, "/page").depth, 1);
}

fn max_pages_takes_the_same_each_time(crawl: Crawl) {
    let server = Site::new()
        .page("/", &["/c", "/a", "/b", "/d"])
        .page("/a", &["/a1"])
        .page("/b", &[])
        .page("/c", &[])
        .serve();
    for tasks in [1, 2, 10] {
        let mut options = options(&server, "/");
        options.max_pages = Some(4);
        options.max_tasks = tasks;
        let report = run(crawl, &options);
        assert_eq!(paths(&report, &server), ["/", "/a", "/b", "/c"]);
        assert!(!report.summary.complete);
        assert_eq!(report.summary.left, 2, "/d and /a1 are known");
    }
}

fn a_failure_names_all_pages_that_link_to_it(crawl: Crawl) {
    let server = Site::new()
        .page("/", &["/a", "/missing"])
        .page("/a", &["/missing", "/moved"])
        .page("/b", &["/moved"])
        .redirect("/moved", "/missing")
        .serve();
    let mut options = options(&server, "/");
    options.roots.push(url(&server.url("/b")));
    let report = run(crawl, &options);
    let pages = ["/", "/a", "/b"].map(|path| server.url(path));
    assert_eq!(found_on(row(&report, &server, "/missing")), pages);
}

fn https_links_are_counted_and_not_followed(crawl: Crawl) {
    let server =
        Site::new().page("/", &["https://127.0.0.1/", "/a"]).page("/a", &[]).serve();
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(paths(&report, &server), ["/", "/a"]);
    assert_eq!(row(&report, &server, "/").num_links, 2);
}

fn a_root_that_leads_to_https_gets_a_row(crawl: Crawl) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let target = format!("https://{}/", listener.local_addr().expect("bound"));
    let server =
        Site::new().redirect("/", "/x").redirect("/x", &target).serve_on(listener);
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(row(&report, &server, "/x").next_url.as_ref(), Some(&target));
    let secure = report.row(&target).expect("a row with a hint");
    assert_eq!(secure.outcome, Outcome::Unsupported);
    assert!(secure.error.as_ref().is_some_and(|error| error.contains("stage 3")));
    assert!(report.answered);
}

fn a_root_with_https_is_unsupported(crawl: Crawl) {
    let report = run(crawl, &Options::with_roots([url("https://127.0.0.1:1/")]));
    assert_eq!(report.rows[0].outcome, Outcome::Unsupported);
    assert_eq!(report.rows[0].attempts, 0);
    assert!(!report.answered);
}

fn a_stop_ends_the_crawl_with_what_was_done(crawl: Crawl) {
    let server = Site::new()
        .page("/", &["/slow", "/other"])
        .acts("/slow", vec![vec![Act::Stall]])
        .acts("/other", vec![vec![Act::Stall]])
        .serve();
    let mut options = options(&server, "/");
    options.max_tasks = 1;
    let stop = Stop::new();
    let report = std::thread::scope(|scope| {
        let crawler =
            scope.spawn(|| crawl(&options, &stop).expect("the loop itself works"));
        server.wait_for_requests(2);
        stop.request();
        crawler.join().expect("the crawler does not panic")
    });
    assert!(report.interrupted && !report.summary.complete);
    assert_eq!(paths(&report, &server), ["/"], "what was in flight gets no row");
    assert_eq!(report.summary.left, 2);
}

/// When the stop comes the loop sleeps, or is about to, or is awake.
fn a_stop_wakes_the_loop_each_time(crawl: Crawl) {
    let server = Site::new().acts("/", vec![vec![Act::Stall]]).serve();
    let options = options(&server, "/");
    for crawls in 1..=50 {
        let stop = Stop::new();
        std::thread::scope(|scope| {
            let crawler = scope.spawn(|| crawl(&options, &stop));
            server.wait_for_requests(crawls);
            let pulled = Instant::now();
            stop.request();
            let report = crawler.join().expect("the crawler does not panic");
            assert!(report.expect("the loop itself works").interrupted);
            let took = pulled.elapsed();
            // A loop that is not woken sleeps until the time-out.
            assert!(took < options.timeout / 2, "crawl {crawls} took {took:?}");
        });
    }
}

fn a_stop_before_the_crawl_ends_it_at_once(crawl: Crawl) {
    let server = Site::new().acts("/", vec![vec![Act::Stall]]).serve();
    let stop = Stop::new();
    stop.request();
    let report = crawl(&options(&server, "/"), &stop).expect("the loop itself works");
    assert!(report.interrupted);
    assert_eq!(report.rows.len(), 0);
}

/// A request to stop sets the flag, and then calls the callbacks, one after the other: a
/// crawler may see the flag long before it is woken. Here an earlier callback blocks until
/// the crawl is over.
fn a_stop_that_is_seen_before_its_wake_ends_the_crawl(crawl: Crawl) {
    const LONGEST_WAIT: Duration = Duration::from_secs(60);
    let stop = Stop::new();
    let (is_raised, raised) = mpsc::sync_channel(1);
    let (is_over, over) = mpsc::channel::<()>();
    let (raised, over) = (Mutex::new(raised), Mutex::new(over));
    let _earlier = stop.on_stop(move || {
        is_raised.send(()).expect("it is called once");
        let over = over.lock().expect("it is called once");
        let waited = over.recv_timeout(LONGEST_WAIT);
        assert_eq!(waited, Ok(()), "the crawl waits for its wake");
    });
    let raise = stop.clone();
    let server = Server::strict(move |asked| {
        if asked.target == "/" {
            let raise = raise.clone();
            thread::spawn(move || raise.request());
            let raised = raised.lock().expect("it is asked for once");
            raised.recv_timeout(LONGEST_WAIT).expect("the flag is raised");
        }
        vec![Act::Send(html(&anchors(&["/next"])))]
    });
    let mut options = options(&server, "/");
    options.max_tasks = 1;
    let report = crawl(&options, &stop).expect("the loop itself works");
    is_over.send(()).expect("the callback waits for it");
    assert_eq!(report.stuck, None);
    assert!(report.interrupted);
    assert_eq!(paths(&report, &server), [""; 0], "it came after the stop");
    assert_eq!((report.summary.left, server.count("/next")), (1, 0));
}

/// The first address is refused, or this machine has no such network.
fn all_addresses_of_a_host_are_tried(crawl: Crawl) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = listener.local_addr().expect("bound").port();
    let server = Site::new().page("/", &[]).serve_on(listener);
    let root = format!("http://site.test:{port}/");
    let mut options = Options::with_roots([url(&root)]);
    let addresses = vec![Ipv6Addr::LOCALHOST.into(), Ipv4Addr::LOCALHOST.into()];
    options.hosts = vec![("site.test".to_string(), addresses)];
    options.max_tries = 1;
    let report = run(crawl, &options);
    assert_eq!(report.row(&root).map(|row| row.outcome), Some(Outcome::Ok));
    assert_eq!(server.count("/"), 1);
}

fn no_roots_no_rows(crawl: Crawl) {
    let report = run(crawl, &Options::default());
    assert_eq!(report.rows.len(), 0);
    assert!(report.summary.complete);
}

fn a_page_larger_than_one_turn_is_read_whole(crawl: Crawl) {
    let body = format!("{}{}", " ".repeat(5_000_000), anchors(&["/end"]));
    let server = Site::new().raw("/", &html(&body)).page("/end", &[]).serve();
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(row(&report, &server, "/").size, Some(body.len() as u64));
    assert_eq!(row(&report, &server, "/end").outcome, Outcome::Ok);
}

fn equal_rows_at_any_number_of_tasks(crawl: Crawl) {
    let site = shared::demo_site::DemoSite::start().expect("the demo site starts");
    let mut rows = Vec::new();
    for tasks in [1, 10, 100] {
        let mut options = Options::with_roots([url(&site.url("/"))]);
        options.max_tasks = tasks;
        rows.push(comparable(run(crawl, &options)));
    }
    assert_eq!(rows[0], rows[1]);
    assert_eq!(rows[0], rows[2]);
}

fn an_unknown_host_is_a_network_error(crawl: Crawl) {
    let mut options = Options::with_roots([url("http://no-such-name.invalid/")]);
    options.max_tries = 1;
    let report = run(crawl, &options);
    let outcome = report.rows[0].outcome;
    // Without a network a resolver may refuse, or never answer.
    assert!(matches!(outcome, Outcome::NetworkError | Outcome::Timeout), "{outcome:?}");
}

/// Another attempt would hear the same.
fn a_name_that_does_not_exist_is_not_attempted_again(crawl: Crawl) {
    let root = "http://no-such-name.invalid/";
    let mut options = Options::with_roots([url(root)]);
    options.hosts = vec![("no-such-name.invalid".to_string(), Vec::new())];
    let report = run(crawl, &options);
    let row = report.row(root).expect("a row");
    assert_eq!((row.outcome, row.attempts), (Outcome::NetworkError, 1));
    let why = "no address found for the name no-such-name.invalid";
    assert_eq!(row.error.as_deref(), Some(why));
}

fn urgent_bytes_are_no_part_of_an_answer(crawl: Crawl) {
    let page = html(&" ".repeat(50_000));
    let (begin, end) = page.split_at(20_000);
    let (begin, end) = (Act::Send(begin.to_vec()), Act::Send(end.to_vec()));
    let paths: Vec<String> = (0..20).map(|number| format!("/{number}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let mut site = Site::new().page("/", &paths);
    for path in &paths {
        site = site.acts(path, vec![vec![begin.clone(), Act::Urgent, end.clone()]]);
    }
    let server = site.serve();
    let mut options = options(&server, "/");
    options.max_tries = 1;
    let report = run(crawl, &options);
    assert_eq!(report.summary.ok, 21, "{report:#?}");
}

/// The connection is neither established nor refused. Other pages are not held up.
#[cfg(target_os = "linux")]
fn a_connection_that_never_stands_is_a_time_out(crawl: Crawl) {
    let (_full, address) = full_port().expect("loopback has a free port");
    let server = Site::new().page("/", &["/a"]).page("/a", &[]).serve();
    let mut options = options(&server, "/");
    options.roots.push(url(&format!("http://{address}/")));
    (options.max_tries, options.timeout) = (1, SHORT_TIME_OUT);
    let report = run(crawl, &options);
    let row = report.row(&format!("http://{address}/")).expect("a row");
    assert_eq!((row.outcome, row.attempts), (Outcome::Timeout, 1));
    assert_eq!(report.summary.ok, 2);
}

/// The first address of a host never answers, the second one does: in one attempt.
#[cfg(target_os = "linux")]
fn an_address_that_is_silent_leaves_time_for_the_next(crawl: Crawl) {
    let (_full, silent) = full_port().expect("loopback has a free port");
    let address = SocketAddr::from((Ipv4Addr::new(127, 0, 0, 2), silent.port()));
    let listener = TcpListener::bind(address).expect("its port is free there, too");
    let server = Site::new().page("/", &[]).serve_on(listener);
    let root = format!("http://site.test:{}/", silent.port());
    let mut options = Options::with_roots([url(&root)]);
    let addresses = vec![silent.ip(), server.address().ip()];
    options.hosts = vec![("site.test".to_string(), addresses)];
    options.max_tries = 1;
    let report = run(crawl, &options);
    let row = report.row(&root).expect("a row");
    assert_eq!((row.outcome, row.attempts), (Outcome::Ok, 1), "{row:?}");
}

/// A port whose queue is full: Linux answers nothing there. Also returns the sockets
/// that fill it.
#[cfg(target_os = "linux")]
pub(crate) fn full_port() -> io::Result<(Vec<Socket>, SocketAddr)> {
    let (listener, address) = silent_port()?;
    listener.listen(1)?;
    let mut kept = vec![listener];
    while kept.len() < 10 {
        let next = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        match next.connect_timeout(&address.into(), Duration::from_millis(200)) {
            Ok(()) => kept.push(next),
            Err(_) => return Ok((kept, address)),
        }
    }
    Err(io::Error::other("its queue has no end"))
}

fn the_end_of_max_time_leaves_a_report_of_what_was_done(crawl: Crawl) {
    let server = Site::new()
        .page("/", &["/stall"])
        .acts("/stall", vec![vec![Act::Stall]])
        .serve();
    let mut options = options(&server, "/");
    options.max_time = Some(SHORT_TIME_OUT);
    let report = run(crawl, &options);
    assert!(report.out_of_time && !report.interrupted && !report.summary.complete);
    assert_eq!(paths(&report, &server), ["/"]);
    assert_eq!(report.summary.left, 1);
}

/// The limit is an hour: the test would not end.
fn max_time_does_not_hold_up_a_crawl_that_is_done(crawl: Crawl) {
    let server = Site::new().page("/", &["/a"]).page("/a", &[]).serve();
    let mut options = options(&server, "/");
    options.max_time = Some(Duration::from_secs(3600));
    let report = run(crawl, &options);
    assert!(!report.out_of_time && report.summary.complete);
    assert_eq!(report.rows.len(), 2);
}

/// The budget is a byte. The oldest body has used it up, and its end drips in. The other
/// one has arrived meanwhile, and waits to be read: no event will report it again.
fn bodies_beyond_the_budget_wait_and_arrive_whole(crawl: Crawl) {
    const SIZE: usize = 300_000;
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {SIZE}\r\n\r\n");
    let part = [head.as_bytes(), &vec![b' '; SIZE - 100]].concat();
    let drip = Act::Drip(vec![b' '; 100], Duration::from_millis(5));
    let server = Site::new()
        .page("/", &["/1", "/2"])
        .acts("/1", vec![vec![Act::Send(part), drip]])
        .raw("/2", &html(&" ".repeat(SIZE)))
        .serve();
    let mut options = options(&server, "/");
    options.max_bodies = 1;
    options.max_tries = 1;
    let report = run(crawl, &options);
    assert_eq!(report.summary.ok, 3);
    assert!(report.summary.bytes as usize >= 2 * SIZE, "all of each body");
}

/// The oldest body stalls after it has used up the budget, so the other one waits.
fn a_body_that_waits_for_room_can_time_out(crawl: Crawl) {
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n";
    let part = [&head[..], &[b' '; 100_000]].concat();
    let stalls = vec![vec![Act::Send(part), Act::Stall]];
    let server = Site::new()
        .page("/", &["/1", "/2", "/short"])
        .acts("/1", stalls.clone())
        .acts("/2", stalls)
        .page("/short", &[])
        .serve();
    let mut options = options(&server, "/");
    options.max_bodies = 1;
    options.max_tries = 1;
    options.timeout = SHORT_TIME_OUT;
    let report = run(crawl, &options);
    assert_eq!(row(&report, &server, "/1").outcome, Outcome::Timeout);
    assert_eq!(row(&report, &server, "/2").outcome, Outcome::Timeout);
    assert_eq!(row(&report, &server, "/short").outcome, Outcome::Ok);
}

/// A port without a listener: a socket that does not listen is bound to it.
pub(crate) fn silent_port() -> io::Result<(Socket, SocketAddr)> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    socket.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into())?;
    let address = socket.local_addr()?.as_socket().ok_or(io::ErrorKind::InvalidData)?;
    Ok((socket, address))
}
