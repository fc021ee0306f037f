//! The crawl of `ch23_workers` on Tokio, with our queue: it needs nothing but a waker.
//!
//! `cargo run -p stage3-async --example ch28_tokio [URL]`
//! (an `http:` URL; looking up a name would block all workers)
//!
//! It does not run in a page: it uses Tokio's sockets.

use shared::demo_site::DemoSite;
use shared::http::ConnectionOption;
use shared::page::url::parse_root;
use shared::{FetchError, Page, ResponseParser, request};
use stage3_async::Queue;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;
use std::{env, error::Error, time::Duration};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::task::LocalSet;
use tokio::time::timeout;
use url::Url;

const PATIENCE: Duration = Duration::from_secs(10);
const WORKERS: usize = 3;

// Compare `fetch` in `ch23_workers`, `ch28_tokio`, and `ch30_crawl`: the same function
// on three kinds of sockets. Other steps use the one in `fetch/mod.rs`.
// ANCHOR: fetch
/// Fetches one page. Tokio's sockets find their reactor in a thread-local. The reader
/// supplies the buffer, and keeps it while it waits.
async fn fetch(url: &Url) -> Result<Page, FetchError> {
    let addresses = url.socket_addrs(|| None)?; // a number: no look-up is needed
    let name = url.host_str().unwrap_or_default();
    let first = addresses.first().ok_or(FetchError::NoSuchName(name.to_string()))?;
    let mut stream = TcpStream::connect(*first).await?;
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
// ANCHOR_END: fetch

// ANCHOR: crawl
/// What all workers share: they run on one thread, so nothing is locked.
struct Crawl {
    root: Url,
    queue: Queue<Url>,
    /// Every URL that was ever put into the queue.
    seen: RefCell<HashSet<Url>>,
    answers: RefCell<BTreeMap<Url, String>>,
}

impl Crawl {
    /// Puts a link that is new and below the root. From now on it counts as seen.
    fn add(&self, link: Url) {
        let is_below_root = link.origin() == self.root.origin()
            && link.path().starts_with(self.root.path());
        if is_below_root && self.seen.borrow_mut().insert(link.clone()) {
            self.queue.put(link);
        }
    }
    // ANCHOR_END: crawl

    // ANCHOR: work
    /// Fetches page after page, until it is dropped while it waits for the next one.
    async fn work(self: Rc<Self>) {
        loop {
            let url = self.queue.get().await;
            let text = match timeout(PATIENCE, fetch(&url)).await {
                Ok(Ok(Page { status, links, .. })) => {
                    let text = format!("status {status}, {} links", links.len());
                    links.into_iter().for_each(|link| self.add(link));
                    text
                }
                Ok(Err(error)) => error.to_string(),
                Err(elapsed) => elapsed.to_string(),
            };
            self.answers.borrow_mut().insert(url, text);
            self.queue.task_done(); // errors get here, too: none leaves with `?`
        }
    }
    // ANCHOR_END: work
}

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    let root = env::args().nth(1).unwrap_or(site.url("/wiki/waiting/"));
    let (root, queue) = (parse_root(&root)?, Queue::default());
    let (seen, answers) = (RefCell::default(), RefCell::default());
    let crawl = Rc::new(Crawl { root: root.clone(), queue, seen, answers });
    crawl.add(root);
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let tasks = LocalSet::new(); // of futures that are not `Send`
    for _ in 0..WORKERS {
        drop(tasks.spawn_local(Rc::clone(&crawl).work()));
    }
    // Our executor would report that it is stuck. Tokio would wait forever.
    let joined = async { timeout(6 * PATIENCE, crawl.queue.join()).await };
    tasks.block_on(&runtime, joined)?;
    for (url, text) in crawl.answers.borrow().iter() {
        println!("{}: {text}", url.path());
    }
    Ok(())
}
// ANCHOR_END: main
