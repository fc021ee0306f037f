//! The crawl of chapter 23 on several threads: `Rc` is `Arc`, and `RefCell` is `Mutex`.
//!
//! `cargo run -p stage3-async --example ch30_crawl [URL]`
//! (an `http:` URL; looking up a name would block a thread)
//!
//! It does not run in a page: it uses threads.

mod threads;

use shared::demo_site::DemoSite;
use shared::http::ConnectionOption;
use shared::page::url::parse_root;
use shared::{FetchError, Page, ResponseParser, request};
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex};
use std::{env, error::Error, time::Duration};
use threads::net::{Reactor, TcpStream};
use threads::steal::Stealing;
use threads::{queue::Queue, run_on, task::spawn};
use url::Url;

const PATIENCE: Duration = Duration::from_secs(10);
const WORKERS: usize = 3;
const THREADS: usize = 2;

/// Fetches one page: the function of `ch23_workers` and `ch28_tokio`, on sockets that
/// several threads may use.
async fn fetch(url: &Url, reactor: &Reactor) -> Result<Page, FetchError> {
    let addresses = url.socket_addrs(|| None)?; // a number: no look-up is needed
    let name = url.host_str().unwrap_or_default();
    let first = addresses.first().ok_or(FetchError::NoSuchName(name.to_string()))?;
    let mut stream = TcpStream::connect(*first, reactor).await?;
    stream
        .write_all(&request(url, "a step of the book", ConnectionOption::Close))
        .await?;
    let (mut parser, mut chunk) = (ResponseParser::with_limit(1 << 20), vec![0; 4096]);
    loop {
        let count = stream.read(&mut chunk).await?;
        if let Some(response) = parser.feed(&chunk[..count])? {
            return Ok(Page::from_response(url, response));
        }
    }
}

// ANCHOR: crawl
/// What all workers share, on all threads.
struct Crawl {
    root: Url,
    queue: Queue<Url>,
    /// Every URL that was ever put into the queue.
    seen: Mutex<HashSet<Url>>,
    answers: Mutex<BTreeMap<Url, String>>,
}

impl Crawl {
    /// Puts a link that is new and below the root. From now on it counts as seen.
    fn add(&self, link: Url) {
        let is_below_root = link.origin() == self.root.origin()
            && link.path().starts_with(self.root.path());
        // Checked and marked under one lock.
        if is_below_root && self.seen.lock().expect(NOT_POISONED).insert(link.clone()) {
            self.queue.put(link);
        }
    }
    // ANCHOR_END: crawl

    // ANCHOR: work
    /// Fetches page after page, for as long as the program runs.
    async fn work(self: Arc<Self>, reactor: Reactor) {
        loop {
            let url = self.queue.get().await;
            let text = match reactor.timeout(PATIENCE, fetch(&url, &reactor)).await {
                Some(Ok(Page { status, links, .. })) => {
                    let text = format!("status {status}, {} links", links.len());
                    links.into_iter().for_each(|link| self.add(link));
                    text
                }
                Some(Err(error)) => error.to_string(),
                None => "it took too long".to_string(),
            };
            self.answers.lock().expect(NOT_POISONED).insert(url, text);
            self.queue.task_done(); // errors get here, too: none leaves with `?`
        }
    }
    // ANCHOR_END: work
}

const NOT_POISONED: &str = "nothing panics while it holds this";

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    let root = env::args().nth(1).unwrap_or(site.url("/wiki/waiting/"));
    let (root, queue) = (parse_root(&root)?, Queue::default());
    let (seen, answers) = (Mutex::default(), Mutex::default());
    let crawl = Arc::new(Crawl { root: root.clone(), queue, seen, answers });
    crawl.add(root);
    let (ready, reactor) = (Arc::new(Stealing::new(THREADS)), Reactor::start()?);
    for _ in 0..WORKERS {
        spawn(Arc::clone(&crawl).work(reactor.clone()), &ready);
    }
    run_on(&ready, THREADS, crawl.queue.join());
    for (url, text) in crawl.answers.lock().expect(NOT_POISONED).iter() {
        println!("{}: {text}", url.path());
    }
    Ok(())
}
// ANCHOR_END: main
