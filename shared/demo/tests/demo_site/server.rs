//! The whole server: its connections, its counters, its end.

use std::io::{ErrorKind, Read, Write};

use demo_site_tls::DemoSite;

use crate::client::{connect, get, get_and_keep};
use crate::program::sockets_are_not_copied;

#[test]
fn a_connection_is_kept_for_the_next_request() {
    let site = DemoSite::start().expect("a socket");
    let mut stream = connect(site.address());
    for path in ["/", "/wiki/", "/missing", "/foo"] {
        get_and_keep(&mut stream, path);
    }
    assert_eq!(site.connections(), 1);
}

#[test]
fn requests_are_counted_by_path_whatever_their_query() {
    let site = DemoSite::start().expect("a socket");
    get(&site, "/slow/1?ms=1");
    get(&site, "/slow/1?ms=2");
    get(&site, "/nowhere");
    assert_eq!(site.requests("/slow/1"), 2);
    assert_eq!(site.requests("/nowhere"), 1);
    assert_eq!(site.requests("/"), 0);
}

#[test]
fn connections_are_counted_in_all_and_at_once() {
    let site = DemoSite::start().expect("a socket");
    let mut at_once: Vec<_> = (0..7).map(|_| connect(site.address())).collect();
    for stream in &mut at_once {
        get_and_keep(stream, "/wiki/");
    }
    assert_eq!((site.connections(), site.most_connections_at_once()), (7, 7));
    drop(at_once);
    for _ in 0..20 {
        get(&site, "/wiki/");
    }
    assert_eq!(site.connections(), 27);
    assert_eq!(site.most_connections_at_once(), 7);
}

#[test]
fn one_connection_after_another_is_one_at_once() {
    let _counted = sockets_are_not_copied();
    let site = DemoSite::start().expect("a socket");
    for _ in 0..50 {
        get_and_keep(&mut connect(site.address()), "/wiki/");
        get(&site, "/wiki/");
    }
    assert_eq!((site.connections(), site.most_connections_at_once()), (100, 1));
}

#[test]
fn a_url_begins_with_where_the_site_listens() {
    let site = DemoSite::start().expect("a socket");
    let port = site.address().port();
    assert!(site.address().ip().is_loopback());
    assert_eq!(site.url("/a?b"), format!("http://127.0.0.1:{port}/a?b"));
}

#[test]
fn dropping_the_site_ends_a_connection_that_still_waits() {
    let site = DemoSite::start().expect("a socket");
    let mut stream = connect(site.address());
    get_and_keep(&mut stream, "/wiki/");
    write!(stream, "GET /slow/1?ms=60000 HTTP/1.1\r\nHost: demo\r\n\r\n")
        .expect("it reads");
    drop(site);
    let end = stream.read(&mut [0; 10]);
    let timed_out = |kind| matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut);
    assert!(!end.as_ref().is_err_and(|error| timed_out(error.kind())), "{end:?}");
    assert_eq!(end.unwrap_or(0), 0);
}

#[test]
fn a_site_that_was_dropped_can_start_again_where_it_was() {
    let site = DemoSite::start().expect("a socket");
    let address = site.address();
    get(&site, "/turn/1");
    get(&site, "/flaky-not");
    drop(site);
    let again = DemoSite::start_on(address).expect("the port is free again");
    assert_eq!(again.address(), address);
    assert_eq!(get(&again, "/").status, 200);
    assert_eq!(again.connections(), 1, "a new site begins to count anew");
}

#[test]
fn a_taken_port_is_an_error_at_the_start() {
    let site = DemoSite::start().expect("a socket");
    let error = DemoSite::start_on(site.address()).err().expect("the port is taken");
    assert_eq!(error.kind(), ErrorKind::AddrInUse);
}

#[test]
fn two_sites_do_not_know_of_each_other() {
    let (one, other) =
        (DemoSite::start().expect("a socket"), DemoSite::start().expect("two"));
    get(&one, "/busy");
    assert_eq!(get(&other, "/busy").status, 503);
    assert_eq!(one.requests("/busy"), 1);
}
