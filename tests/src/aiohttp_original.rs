//! The counterparts of the original crawler's own tests. Its two tests of strict and lenient
//! hosts use real names, so their counterparts are rows of the table in `scope.rs`; here the
//! same two rules are tested with an address and a single label.

use crate::scripted::{Act, Site, answer, html};
use crate::{Crawl, crawl_from, found_on, options, paths, row, run, url};
use crate::{Rule, rules};
use shared::Outcome;
use std::net::TcpListener;

/// All of them.
pub const ALL: &[(&str, Rule)] = rules![
    link,
    cycle,
    other_host,
    strict_hosts,
    lenient_hosts,
    exclude,
    several_roots,
    deep_root,
    redirect,
    redirect_limit,
    redirect_cycle,
    redirects_that_join,
    max_tasks,
    max_tries,
    encoding,
    content_type,
    non_html,
    non_http,
];

fn link(crawl: Crawl) {
    let server = Site::new().page("/", &["/foo"]).page("/foo", &[]).serve();
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(paths(&report, &server), ["/", "/foo"]);
    let root = row(&report, &server, "/");
    assert_eq!((root.outcome, root.status), (Outcome::Ok, Some(200)));
    assert_eq!((root.num_links, root.num_new_links), (1, 1));
    assert_eq!(found_on(row(&report, &server, "/foo")), [server.url("/")]);
    assert!(report.summary.complete);
}

fn cycle(crawl: Crawl) {
    let server = Site::new().page("/", &["/foo"]).page("/foo", &["/"]).serve();
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(paths(&report, &server), ["/", "/foo"]);
    assert_eq!((server.count("/"), server.count("/foo")), (1, 1));
    assert_eq!(row(&report, &server, "/foo").num_new_links, 0);
}

fn other_host(crawl: Crawl) {
    let other = Site::new().page("/", &[]).serve();
    let server = Site::new().page("/", &[&other.url("/"), "http://x.invalid/"]).serve();
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(paths(&report, &server), ["/"]);
    assert_eq!(row(&report, &server, "/").num_links, 2);
    assert_eq!(other.seen().connections, 0, "another port is another site");
}

/// `localhost` and `127.0.0.1` are two hosts, although they are one machine.
fn strict_hosts(crawl: Crawl) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let port = listener.local_addr().expect("bound").port();
    let other_name = format!("http://localhost:{port}/other");
    let server = Site::new().page("/", &[&other_name]).serve_on(listener);
    assert_eq!(paths(&crawl_from(crawl, &server, "/"), &server), ["/"]);
    assert_eq!(server.count("/other"), 0);
}

/// A single label and an address have no registrable domain: as in strict.
fn lenient_hosts(crawl: Crawl) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let port = listener.local_addr().expect("bound").port();
    let other_name = format!("http://localhost:{port}/other");
    let server = Site::new().page("/", &[&other_name]).serve_on(listener);
    let mut options = options(&server, "/");
    options.lenient = true;
    assert_eq!(paths(&run(crawl, &options), &server), ["/"]);
    assert_eq!(server.count("/other"), 0);
}

fn exclude(crawl: Crawl) {
    let server = Site::new()
        .page("/", &["/keep", "/private/a", "/x.pdf"])
        .page("/keep", &[])
        .serve();
    let mut options = options(&server, "/");
    options.exclude = ["/private/", r"\.pdf$"]
        .map(|pattern| pattern.parse().expect("a regular expression"))
        .to_vec();
    let report = run(crawl, &options);
    assert_eq!(paths(&report, &server), ["/", "/keep"]);
    assert_eq!(row(&report, &server, "/").num_links, 3);
}

fn several_roots(crawl: Crawl) {
    let one = Site::new().page("/", &["/a"]).page("/a", &[]).serve();
    let two = Site::new().page("/", &["/b", &one.url("/a")]).page("/b", &[]).serve();
    let mut options = options(&one, "/");
    options.roots.push(url(&two.url("/")));
    options.roots.push(url(&one.url("/")));
    let report = run(crawl, &options);
    assert_eq!(report.rows.len(), 4, "{report:#?}");
    assert_eq!((one.count("/"), one.count("/a")), (1, 1));
}

fn deep_root(crawl: Crawl) {
    let server = Site::new().page("/a/b/", &["../c", "d"]).page("/a/c", &["/"]).serve();
    let report = crawl_from(crawl, &server, "/a/b/");
    assert_eq!(paths(&report, &server), ["/", "/a/b/", "/a/b/d", "/a/c"]);
    assert_eq!(row(&report, &server, "/").depth, 2);
}

fn redirect(crawl: Crawl) {
    let server = Site::new().redirect("/", "/foo").page("/foo", &["/bar"]).serve();
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(paths(&report, &server), ["/", "/bar", "/foo"]);
    let root = row(&report, &server, "/");
    assert_eq!((root.outcome, root.size), (Outcome::Redirect, None));
    assert_eq!(root.next_url, Some(server.url("/foo")));
    assert_eq!(row(&report, &server, "/foo").depth, 0, "a redirect is not a link");
}

fn redirect_limit(crawl: Crawl) {
    let server = Site::new()
        .redirect("/", "/1")
        .redirect("/1", "/2")
        .redirect("/2", "/3")
        .page("/3", &[])
        .serve();
    let mut options = options(&server, "/");
    options.max_redirect = 2;
    let report = run(crawl, &options);
    assert_eq!(paths(&report, &server), ["/", "/1", "/2"]);
    assert_eq!(row(&report, &server, "/1").outcome, Outcome::Redirect);
    let last = row(&report, &server, "/2");
    assert_eq!(last.outcome, Outcome::TooManyRedirects);
    assert_eq!(last.next_url, Some(server.url("/3")));
    assert_eq!(server.count("/3"), 0);
}

fn redirect_cycle(crawl: Crawl) {
    let server = Site::new()
        .redirect("/", "/1")
        .redirect("/1", "/2")
        .redirect("/2", "/1")
        .serve();
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(paths(&report, &server), ["/", "/1", "/2"]);
    assert_eq!(server.seen().requests.len(), 3, "the seen-set ends the loop");
}

fn redirects_that_join(crawl: Crawl) {
    let server = Site::new()
        .page("/", &["/foo", "/bar"])
        .redirect("/foo", "/baz")
        .redirect("/bar", "/baz")
        .page("/baz", &[])
        .serve();
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(paths(&report, &server), ["/", "/bar", "/baz", "/foo"]);
    assert_eq!(server.count("/baz"), 1);
    assert_eq!(found_on(row(&report, &server, "/baz")), [server.url("/bar")]);
}

/// There are no more connections than allowed, and that many if there is enough to do:
/// the server answers no page before three have been requested.
fn max_tasks(crawl: Crawl) {
    let links: Vec<String> = (0..12).map(|page| format!("/{page}")).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let mut site = Site::new().page("/", &links);
    for link in &links {
        site = site.acts(link, vec![vec![Act::Meet(3), Act::Send(html(""))]]);
    }
    let server = site.serve();
    let mut options = options(&server, "/");
    options.max_tasks = 3;
    let report = run(crawl, &options);
    assert_eq!(report.summary.ok, 13);
    assert_eq!(report.summary.peak_tasks, 3);
    assert!(server.seen().most_at_once <= 3, "{}", server.seen().most_at_once);
}

fn max_tries(crawl: Crawl) {
    let server = Site::new().page("/", &["/bad"]).acts("/bad", vec![vec![]]).serve();
    let mut options = options(&server, "/");
    options.max_tries = 3;
    let report = run(crawl, &options);
    let bad = row(&report, &server, "/bad");
    assert_eq!((bad.outcome, bad.attempts), (Outcome::Truncated, 3));
    assert_eq!(server.count("/bad"), 3);
}

fn encoding(crawl: Crawl) {
    let body = b"<a href=\"/caf\xe9\">link</a>";
    let headers = "Content-Type: text/html; charset=ISO-8859-1\r\n";
    let server = Site::new().raw("/", &answer("200 OK", headers, body)).serve();
    let report = crawl_from(crawl, &server, "/");
    let root = row(&report, &server, "/");
    assert_eq!(root.encoding.as_deref(), Some("windows-1252"));
    assert_eq!(paths(&report, &server), ["/", "/caf%C3%A9"]);
}

fn content_type(crawl: Crawl) {
    let body = b"<a href=/found>x</a>";
    let headers = "Content-Type: Application/XHTML+xml; charset=\"utf-8\"\r\n";
    let server = Site::new().raw("/", &answer("200 OK", headers, body)).serve();
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(paths(&report, &server), ["/", "/found"]);
    let kind = row(&report, &server, "/").content_type.clone();
    assert_eq!(kind.as_deref(), Some("application/xhtml+xml"));
}

/// XML is searched, images are not.
fn non_html(crawl: Crawl) {
    let body = b"<a href='/found'>x</a>";
    let server = Site::new()
        .page("/", &["/feed", "/image"])
        .raw("/feed", &answer("200 OK", "Content-Type: application/xml\r\n", body))
        .raw(
            "/image",
            &answer("200 OK", "Content-Type: image/png\r\n", b"<a href='/no'>"),
        )
        .page("/found", &[])
        .serve();
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(paths(&report, &server), ["/", "/feed", "/found", "/image"]);
    let image = row(&report, &server, "/image");
    assert_eq!((image.num_links, image.size), (0, Some(14)));
    assert_eq!(image.encoding, None);
}

fn non_http(crawl: Crawl) {
    let links =
        ["mailto:a@b.example", "javascript:void(0)", "ftp://x/", "data:,x", "tel:1"];
    let server = Site::new().page("/", &links).serve();
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(paths(&report, &server), ["/"]);
    assert_eq!(row(&report, &server, "/").num_links, 0);
}
