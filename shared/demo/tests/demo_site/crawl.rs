//! The same crawl gives the same report, for any number of connections.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::{Condvar, Mutex};
use std::thread;

use demo_site_tls::DemoSite;
use url::Url;

use crate::client::{Answer, get_bytes};
use crate::program::sockets_are_not_copied;

/// The result of each address: the status, the redirect target, the length of the
/// body.
type Report = BTreeMap<String, (u16, Option<String>, usize)>;

/// A crawler in a few lines: threads that take addresses from a queue.
#[derive(Default)]
struct Crawl {
    queue: VecDeque<(Url, usize)>,
    seen: HashSet<Url>,
    unfinished: usize,
    report: Report,
}

impl Crawl {
    fn found(&mut self, mut url: Url, root: &Url) {
        url.set_fragment(None);
        if url.origin() == root.origin() && self.seen.insert(url.clone()) {
            self.unfinished += 1;
            self.queue.push_back((url, 1));
        }
    }

    fn settle(&mut self, url: Url, tries: usize, answer: Option<Answer>, root: &Url) {
        let Some(answer) = answer.filter(|answer| answer.status != 503) else {
            assert!(tries < 4, "{url} never answered");
            return self.queue.push_back((url, tries + 1));
        };
        let location = answer.field("location").map(str::to_owned);
        let links = links(&url, &answer).into_iter();
        let next = location.iter().filter_map(|location| url.join(location).ok());
        next.chain(links).for_each(|link| self.found(link, root));
        self.unfinished -= 1;
        self.report
            .insert(url.to_string(), (answer.status, location, answer.body.len()));
    }
}

/// Returns the addresses in a page, as far as this site needs it.
fn links(url: &Url, answer: &Answer) -> Vec<Url> {
    let content_type = answer.field("content-type").unwrap_or("");
    if answer.status != 200
        || !["text/html", "application/xml"]
            .iter()
            .any(|known| content_type.starts_with(known))
    {
        return Vec::new();
    }
    // UTF-16 without its zero bytes is close enough to ASCII for addresses.
    let bytes =
        answer.body.iter().copied().filter(|byte| *byte != 0).collect::<Vec<u8>>();
    let text = String::from_utf8_lossy(&bytes).replace("&amp;", "&");
    let base =
        text.split_once("<base href=\"").and_then(|(_, rest)| rest.split('"').next());
    let base = base.map_or(url.clone(), |base| url.join(base).expect("a good base"));
    let hrefs =
        text.split("<a href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    hrefs.map(|href| base.join(href).expect("a good link")).collect()
}

fn crawl(site: &DemoSite, connections: usize) -> Report {
    let root = Url::parse(&site.url("/")).expect("a good address");
    let mut crawl = Crawl::default();
    crawl.found(root.clone(), &root);
    let (crawl, news) = (Mutex::new(crawl), Condvar::new());
    thread::scope(|scope| {
        for _ in 0..connections {
            scope.spawn(|| work(site, &crawl, &news, &root));
        }
    });
    crawl.into_inner().expect("no worker panicked").report
}

fn work(site: &DemoSite, crawl: &Mutex<Crawl>, news: &Condvar, root: &Url) {
    loop {
        let waiting = crawl.lock().expect("no worker panicked");
        let idle = |crawl: &mut Crawl| crawl.queue.is_empty() && crawl.unfinished > 0;
        let mut ready = news.wait_while(waiting, idle).expect("no worker panicked");
        let Some((url, tries)) = ready.queue.pop_front() else { return };
        drop(ready);
        let path = &url[url::Position::BeforePath..];
        let bytes = get_bytes(site, path).expect("an end, not a reset");
        let answer = (!bytes.is_empty()).then(|| Answer::parse(&bytes));
        crawl.lock().expect("no worker panicked").settle(url, tries, answer, root);
        news.notify_all();
    }
}

#[test]
fn one_ten_and_a_hundred_connections_give_the_same_report_on_one_site() {
    let site = DemoSite::start().expect("a socket");
    let reports = [1, 10, 100, 1].map(|connections| crawl(&site, connections));
    for report in &reports[1..] {
        assert_eq!(report, &reports[0]);
    }
    let failed: Vec<_> = reports[0].iter().filter(|(_, row)| row.0 >= 400).collect();
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert_eq!(failed[0].0, &site.url("/missing"));
    for (path, times) in
        [("/", 4), ("/baz", 4), ("/flaky", 12), ("/busy", 8), ("/turn/5", 4)]
    {
        assert_eq!(site.requests(path), times, "{path}");
    }
    assert_eq!(site.requests("/feed/entry"), 4, "a link in XML is a link");
    assert_eq!(site.requests("/not-a-link"), 0, "a link in plain text is none");
}

#[test]
fn a_crawl_never_has_more_connections_than_it_may() {
    let _counted = sockets_are_not_copied();
    let site = DemoSite::start().expect("a socket");
    crawl(&site, 10);
    assert!(
        site.most_connections_at_once() <= 10,
        "{}",
        site.most_connections_at_once()
    );
}
