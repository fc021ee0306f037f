//! What belongs to a crawl, and what is foreign: a table, one line each. All names here
//! lead to one server, which would answer for a foreign name, too.

use crate::scripted::{Site, anchors, html};
use crate::{Crawl, Rule, rules, run, url};
use shared::Options;
use std::net::{Ipv4Addr, TcpListener};

/// A crawl from one host, and another host that it meets.
pub struct Case {
    /// The rule that it is about.
    pub name: &'static str,
    root: &'static str,
    other: &'static str,
    lenient: bool,
    is_ours: bool,
}

/// The names that lead to the server.
const HOSTS: &[&str] = &[
    "example.com",
    "www.example.com",
    "www.www.example.com",
    "docs.example.com",
    "wwwexample.com",
    "notexample.com",
    "example.com.evil.test",
    "example.org",
    "one.co.uk",
    "two.co.uk",
    "www.one.co.uk",
    "one.github.io",
    "two.github.io",
    "intranet",
    "www.intranet",
    "xn--bcher-kva.example",
];

impl Case {
    /// Links and redirects to the other host, and panics if that is followed wrongly.
    pub fn check(&self, crawl: Crawl) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        let other = |path: &str| format!("http://{}:{port}{path}", self.other);
        let server = Site::new()
            .page("/", &[&other("/linked"), "/good", "/moved"])
            .redirect("/moved", &other("/target"))
            .raw("/good", &html(&anchors(&["/"])))
            .page("/linked", &[])
            .page("/target", &[])
            .serve_on(listener);
        let root = format!("http://{}:{port}/", self.root);
        let mut options = Options::with_roots([url(&root)]);
        let here = vec![Ipv4Addr::LOCALHOST.into()];
        options.hosts =
            HOSTS.iter().map(|host| (host.to_string(), here.clone())).collect();
        options.lenient = self.lenient;
        let report = run(crawl, &options);
        let theirs = usize::from(self.is_ours);
        assert_eq!(server.count("/linked"), theirs, "as a link");
        assert_eq!(server.count("/target"), theirs, "as the target of a redirect");
        assert_eq!(server.count("/good"), 1);
        let found = report.row(options.roots[0].as_str()).expect("the root has a row");
        assert_eq!(found.num_links, 3, "a foreign link counts");
        assert_eq!(report.rows.len(), 3 + 2 * theirs, "{report:#?}");
    }
}

/// The whole table.
#[rustfmt::skip]
pub fn cases() -> Vec<Case> {
    let case = |lenient, is_ours| {
        move |name, root, other| Case { name, root, other, lenient, is_ours }
    };
    let (ours, foreign) = (case(false, true), case(false, false));
    let (lenient, foreign_too) = (case(true, true), case(true, false));
    vec![
        ours("the same host", "example.com", "example.com"),
        ours("capitals", "example.com", "EXAMPLE.Com"),
        ours("www and bare", "example.com", "www.example.com"),
        ours("bare and www", "www.example.com", "example.com"),
        ours("letters and their code", "bücher.example", "xn--bcher-kva.example"),
        foreign("www twice", "example.com", "www.www.example.com"),
        foreign("a host below", "example.com", "docs.example.com"),
        foreign("a host above", "docs.example.com", "example.com"),
        foreign("a name that ends alike", "example.com", "notexample.com"),
        foreign("www without its dot", "example.com", "wwwexample.com"),
        foreign("a name that begins alike", "example.com", "example.com.evil.test"),
        foreign("another ending", "example.com", "example.org"),
        foreign("an address and its name", "127.0.0.1", "intranet"),
        foreign("a name and its address", "intranet", "127.0.0.1"),
        ours("an address in another spelling", "127.0.0.1", "0x7f.1"),
        ours("www and one label", "intranet", "www.intranet"),
        lenient("lenient: a host below", "example.com", "docs.example.com"),
        lenient("lenient: a host beside", "docs.example.com", "www.example.com"),
        lenient("lenient: below a suffix of two", "www.one.co.uk", "one.co.uk"),
        foreign_too("lenient: beside, below a suffix of two", "one.co.uk", "two.co.uk"),
        foreign_too("lenient: beside, where neighbours are strangers", "one.github.io", "two.github.io"),
        foreign_too("lenient: another ending", "example.com", "example.org"),
        foreign_too("lenient: a name that ends alike", "example.com", "notexample.com"),
        foreign_too("lenient: a name that begins alike", "example.com", "example.com.evil.test"),
        foreign_too("lenient: one label", "intranet", "example.com"),
        foreign_too("lenient: an address", "127.0.0.1", "intranet"),
    ]
}

/// What does not fit the table.
pub const ALL: &[(&str, Rule)] =
    rules![a_foreign_name_gets_no_row, another_port_is_another_site];

fn a_foreign_name_gets_no_row(crawl: Crawl) {
    let foreign = ["http://no-such-name.invalid/", "http://[2001:db8::1]/"];
    let server = Site::new()
        .page("/", &["/moved", foreign[0], foreign[1]])
        .redirect("/moved", foreign[0])
        .serve();
    let report = crate::crawl_from(crawl, &server, "/");
    assert_eq!(crate::paths(&report, &server), ["/", "/moved"]);
    assert_eq!(server.seen().requests.len(), 2);
}

fn another_port_is_another_site(crawl: Crawl) {
    let other = Site::new().page("/", &[]).serve();
    for lenient in [false, true] {
        let server = Site::new().page("/", &[&other.url("/")]).serve();
        let mut options = crate::options(&server, "/");
        options.lenient = lenient;
        assert_eq!(crate::paths(&run(crawl, &options), &server), ["/"]);
    }
    assert_eq!(other.seen().connections, 0);
}
