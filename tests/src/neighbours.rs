//! One bad page among good ones, and a stranger that no crawler may contact.

use crate::scripted::{Acts, Server, Site};
use crate::{Crawl, options, row, run};
use shared::report::{Report, Row};
use shared::{Options, Outcome};
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};

/// Where the bad page is.
pub const BAD: &str = "/bad";
const GOOD: [&str; 3] = ["/good/1", "/good/2", "/good/3"];

/// A server that pages link to and that is not part of the site: on the same host, at
/// another port.
pub struct Stranger(TcpListener);

/// The result of a crawl of one bad page among good ones.
pub struct Done {
    /// What the crawler reports.
    pub report: Report,
    /// The server, which knows what it was asked for.
    pub server: Server,
}

impl Stranger {
    /// Listens, and never answers.
    pub fn new() -> Stranger {
        let listener =
            TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        listener.set_nonblocking(true).expect("a fresh socket");
        Stranger(listener)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.0.local_addr().expect("a bound listener has an address")
    }

    /// Panics if a connection has been made.
    pub fn was_left_alone(&self) {
        let accepted = self.0.accept().map(|(_, from)| from);
        let error = accepted.expect_err("a foreign site is not contacted").kind();
        assert_eq!(error, ErrorKind::WouldBlock);
    }
}

impl Default for Stranger {
    fn default() -> Self {
        Stranger::new()
    }
}

impl Done {
    /// The row of the bad page.
    pub fn bad(&self) -> &Row {
        row(&self.report, &self.server, BAD)
    }
}

/// Crawls a site with this page on it, with one attempt for each page and two
/// connections at once. Panics if a good page is not fetched exactly once, or if the
/// foreign site is contacted.
pub fn crawl_around(
    crawl: Crawl,
    stranger: &Stranger,
    bad: Acts,
    set: impl FnOnce(&mut Options),
) -> Done {
    let foreign = format!("http://{}/", stranger.address());
    let mut site = Site::new()
        .page("/", &[GOOD[0], BAD, GOOD[1], &foreign])
        .acts(BAD, bad)
        .page(GOOD[1], &[GOOD[2], &foreign]);
    for good in [GOOD[0], GOOD[2]] {
        site = site.page(good, &[BAD]);
    }
    let server = site.serve();
    let mut options = options(&server, "/");
    (options.max_tries, options.max_tasks) = (1, 2);
    set(&mut options);
    let report = run(crawl, &options);
    for good in GOOD {
        assert_eq!(row(&report, &server, good).outcome, Outcome::Ok);
        assert_eq!(server.count(good), 1, "{good} is fetched once");
    }
    assert!(server.seen().most_at_once <= options.max_tasks as usize);
    stranger.was_left_alone();
    Done { report, server }
}
