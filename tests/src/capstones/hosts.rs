//! The capstone `hosts`: at most two requests at a time for one server, a host and a port.
//! Jobs that have to wait are held by the crawl, and a worker never waits for a server.

use crate::rules::silent_port;
use crate::scripted::{Act, Asked, Server, Site, anchors, answer, html};
use crate::{Crawl, Rule, options, rules, run, url, watchdog};
use shared::{Options, Outcome, Stop};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

/// All of them.
pub const ALL: &[(&str, Rule)] = rules![
    no_server_has_more_than_two_requests_at_a_time,
    ten_workers_serve_five_servers_at_once,
    the_crawl_ends_after_all_jobs_that_were_held,
    a_server_that_is_silent_holds_up_no_other,
    an_attempt_that_fails_gives_its_place_back,
    a_page_that_pauses_keeps_no_place,
];

/// Cases of the suite, by part and name, in which one server is asked for more than two
/// pages at once, and answers only then. This capstone promises the opposite.
pub const CONTRADICTS: &[(&str, &str)] = &[
    ("aiohttp_original", "max_tasks"),
    ("checks", "a_look_up_that_hangs_makes_no_other_page_late"),
    ("keep_alive", "another_try_gets_a_fresh_connection"),
];

/// The most requests that one server may have at a time.
const PLACES: usize = 2;
const SERVERS: usize = 5;
/// Links on the first page of each server.
const PAGES: usize = 4;

/// Counts the requests that were received and not answered. It holds the answers back until
/// as many have come as may be there at once, or until a server has one too many.
#[derive(Default)]
struct Gate {
    now: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    /// Of each server.
    here: [usize; SERVERS],
    /// The most that were here at once, of each server and of all together.
    most: [usize; SERVERS],
    most_of_all: usize,
    is_open: bool,
}

impl Gate {
    /// Counts a request to this server, and returns when it may be answered.
    fn pass(&self, server: usize) {
        let mut now = self.now.lock().expect("no thread panics with the lock");
        now.here[server] += 1;
        now.most[server] = now.most[server].max(now.here[server]);
        now.most_of_all = now.most_of_all.max(now.here.iter().sum());
        now.is_open |= now.here[server] > PLACES || now.most_of_all == PLACES * SERVERS;
        self.changed.notify_all();
        // Only a crawler that breaks the promise has to wait so long.
        let is_closed = |now: &mut Waiting| !now.is_open;
        let waited =
            self.changed.wait_timeout_while(now, watchdog::limit() / 2, is_closed);
        let (mut now, _) = waited.expect("no thread panics with the lock");
        now.is_open = true;
        now.here[server] -= 1;
        self.changed.notify_all();
    }
}

/// Crawls five servers with ten workers. Returns how many requests there were at once, of
/// each server and of all.
fn at_once(crawl: Crawl) -> ([usize; SERVERS], usize) {
    let gate = Arc::new(Gate::default());
    let servers: Vec<Server> = (0..SERVERS).map(|it| gated(&gate, it)).collect();
    let roots = servers.iter().map(|server| url(&server.url("/")));
    let options = Options { timeout: watchdog::limit(), ..Options::with_roots(roots) };
    let report = run(crawl, &Options { max_tasks: 10, ..options });
    assert_eq!(report.summary.ok, SERVERS * (1 + PAGES), "pages of {report:#?}");
    let now = gate.now.lock().expect("no thread panics with the lock");
    (now.most, now.most_of_all)
}

/// A server whose pages wait at the gate.
fn gated(gate: &Arc<Gate>, server: usize) -> Server {
    let gate = Arc::clone(gate);
    let links = ["/1", "/2", "/3", "/4"];
    Server::strict(move |asked: &Asked| {
        let body = if asked.target == "/" { anchors(&links) } else { String::new() };
        if asked.target != "/" {
            gate.pass(server);
        }
        let close = "Content-Type: text/html\r\nConnection: close\r\n";
        vec![Act::Send(answer("200 OK", close, body.as_bytes()))]
    })
}

fn no_server_has_more_than_two_requests_at_a_time(crawl: Crawl) {
    let (most, _) = at_once(crawl);
    let is_held = most.iter().all(|most| *most <= PLACES);
    assert!(is_held, "requests at once, by server: {most:?}");
}

/// Two for each server are ten, if no worker waits for a server.
fn ten_workers_serve_five_servers_at_once(crawl: Crawl) {
    let (most, most_of_all) = at_once(crawl);
    let all = PLACES * SERVERS;
    assert_eq!(most_of_all, all, "requests at once, by server: {most:?}");
}

/// Two of ten pages are requested, and eight are held.
fn the_crawl_ends_after_all_jobs_that_were_held(crawl: Crawl) {
    let links: Vec<String> = (0..10).map(|number| format!("/{number}")).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let site = links.iter().fold(Site::new(), |site, link| site.page(link, &[]));
    let server = site.page("/", &links).serve();
    let report = run(crawl, &options(&server, "/"));
    assert_eq!(
        (report.summary.ok, report.summary.left),
        (11, 0),
        "(pages, left) of {report:#?}"
    );
    assert!(report.summary.complete, "the report is complete");
    assert_eq!(server.seen().requests.len(), 11, "each page once");
}

/// Ends a crawl when this is dropped, so that a test that fails does not wait for it.
struct Ends<'a>(&'a Stop);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.request();
    }
}

/// Three workers: two have a request to the silent server, and six other pages of it come
/// before those of the other server in the queue.
fn a_server_that_is_silent_holds_up_no_other(crawl: Crawl) {
    let paths = ["/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"];
    let mut silent = Site::new();
    for path in paths {
        silent = silent.acts(path, vec![vec![Act::Stall]]);
    }
    let silent = silent.serve();
    let other = Site::new().page("/", &["/a", "/b"]).page("/a", &[]).serve();
    let all = paths.map(|path| silent.url(path)).into_iter().chain([other.url("/")]);
    let roots = Options::with_roots(all.map(|root| url(&root)));
    let options = Options { max_tasks: 3, timeout: watchdog::limit(), ..roots };
    let stop = Stop::new();
    let report = thread::scope(|scope| {
        let crawler =
            scope.spawn(|| crawl(&options, &stop).expect("the loop itself works"));
        let ends = Ends(&stop);
        silent.wait_for_requests(PLACES);
        other.wait_for_requests(3);
        drop(ends);
        crawler.join().expect("the crawler does not panic")
    });
    assert!(
        report.interrupted && report.stuck.is_none(),
        "the crawl was stopped, and was not stuck"
    );
    assert_eq!(silent.seen().requests.len(), PLACES, "requests to the silent server");
}

/// All pages of a server that refuses each connection, and each of them twice.
fn an_attempt_that_fails_gives_its_place_back(crawl: Crawl) {
    let (_taken, refuses) = silent_port().expect("loopback has a free port");
    let roots = (0..5).map(|number| url(&format!("http://{refuses}/{number}")));
    let options = Options { max_tries: 2, ..Options::with_roots(roots) };
    let report = run(crawl, &options);
    assert_eq!(report.rows.len(), 5, "rows of the report");
    for row in &report.rows {
        assert_eq!(
            (row.outcome, row.attempts),
            (Outcome::NetworkError, 2),
            "the end of {row:#?}"
        );
    }
}

/// Two pages ask for the longest pause there is, and `/a` is answered after they have been
/// requested: one after the other, as it has a place itself. The crawl is stopped before
/// the pauses are over.
fn a_page_that_pauses_keeps_no_place(crawl: Crawl) {
    let busy = || {
        let busy = Act::Send(answer("503 Busy", "Retry-After: 30\r\n", b""));
        vec![vec![Act::Meet(1), busy], vec![Act::Send(html(""))]]
    };
    let last = vec![Act::Meet(3), Act::Send(html(&anchors(&["/d"])))];
    let server = Site::new()
        .page("/", &["/a", "/busy/1", "/busy/2"])
        .acts("/busy/1", busy())
        .acts("/busy/2", busy())
        .acts("/a", vec![last])
        .page("/d", &[])
        .serve();
    let options = Options { timeout: watchdog::limit(), ..options(&server, "/") };
    let stop = Stop::new();
    thread::scope(|scope| {
        let crawler =
            scope.spawn(|| crawl(&options, &stop).expect("the loop itself works"));
        let ends = Ends(&stop);
        server.wait_for_requests(5);
        drop(ends);
        crawler.join().expect("the crawler does not panic");
    });
    assert_eq!(server.count("/d"), 1, "requests of /d");
    let busy = (server.count("/busy/1"), server.count("/busy/2"));
    assert_eq!(busy, (1, 1), "the pauses are not over");
}
