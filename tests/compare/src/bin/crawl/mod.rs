//! A crawl by tasks that may move between threads: shared by the programs that measure
//! runtimes beside each other.
//!
//! Each program has chapter 30's files as its module `threads`.

use crate::threads::queue::Queue;
use compare::{crawlers, site::Site};
use shared::http::ConnectionOption;
use shared::{FetchError, Page, ResponseParser, request};
use std::collections::HashSet;
use std::error::Error;
use std::future::Future;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use url::Url;

/// The time for one page.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

const HELD: &str = "nothing panics while it holds this";

/// Builds the site, a program of its own, and starts it.
pub(crate) fn start_site() -> Result<Site, Box<dyn Error>> {
    Ok(Site::start(&crawlers::build_site()?, None)?)
}

/// What all workers share.
#[derive(Default)]
pub(crate) struct Crawl {
    pub(crate) queue: Queue<Url>,
    seen: Mutex<HashSet<Url>>,
    /// Pages that came.
    visited: Mutex<usize>,
}

impl Crawl {
    /// A crawl that begins here.
    pub(crate) fn new(root: &Url) -> Arc<Crawl> {
        let crawl = Arc::<Crawl>::default();
        crawl.add(root.clone());
        crawl
    }

    fn add(&self, link: Url) {
        if self.seen.lock().expect(HELD).insert(link.clone()) {
            self.queue.put(link);
        }
    }

    /// Checks that each of the site's pages was visited once.
    pub(crate) fn check(&self, crawler: &str, pages: usize) -> Result<(), String> {
        let visited = *self.visited.lock().expect(HELD);
        if visited == pages {
            return Ok(());
        }
        Err(format!("{crawler}: {visited} pages, and there are {pages}"))
    }
}

/// Fetches pages until it is dropped. It is `Send` if what `fetch` returns is.
pub(crate) async fn work<R>(crawl: Arc<Crawl>, fetch: impl Fn(Url) -> R)
where
    R: Future<Output = Result<Page, FetchError>>,
{
    loop {
        let url = crawl.queue.get().await;
        match fetch(url.clone()).await {
            Ok(page) => {
                *crawl.visited.lock().expect(HELD) += 1;
                let ours =
                    page.links.into_iter().filter(|link| link.origin() == url.origin());
                ours.for_each(|link| crawl.add(link));
            }
            Err(error) => eprintln!("{url}: {error}"),
        }
        crawl.queue.task_done();
    }
}

pub(crate) fn head(url: &Url) -> Vec<u8> {
    request(url, "a step of the book", ConnectionOption::Close)
}

pub(crate) fn parser() -> ResponseParser {
    ResponseParser::with_limit(1 << 20)
}

pub(crate) fn address(url: &Url) -> Result<SocketAddr, FetchError> {
    Ok(url.socket_addrs(|| None)?[0]) // a number: no look-up is needed
}

pub(crate) async fn fetch_stage3(
    url: Url,
    reactor: stage3_async::Reactor,
) -> Result<Page, FetchError> {
    let fetch = async {
        let mut stream =
            stage3_async::TcpStream::connect(address(&url)?, &reactor).await?;
        stream.write_all(&head(&url)).await?;
        let mut parser = parser();
        loop {
            if let Some(response) =
                stream.read_with(|chunk| parser.feed(chunk)).await??
            {
                return Ok(Page::from_response(&url, response));
            }
        }
    };
    let fetched = stage3_async::timeout(PATIENCE, fetch, &reactor).await;
    fetched.unwrap_or(Err(FetchError::TimedOut(PATIENCE)))
}

pub(crate) async fn fetch_tokio(url: Url) -> Result<Page, FetchError> {
    let fetch = async {
        let stream = tokio::net::TcpStream::connect(address(&url)?).await?;
        let (request, mut sent) = (head(&url), 0);
        while sent < request.len() {
            stream.writable().await?;
            sent += unless_blocked(stream.try_write(&request[sent..]))?.unwrap_or(0);
        }
        let (mut parser, mut chunk) = (parser(), vec![0; 16 * 1024]);
        loop {
            stream.readable().await?;
            let count = unless_blocked(stream.try_read(&mut chunk))?;
            let Some(count) = count else { continue };
            if let Some(response) = parser.feed(&chunk[..count])? {
                return Ok(Page::from_response(&url, response));
            }
        }
    };
    let fetched = tokio::time::timeout(PATIENCE, fetch).await;
    fetched.unwrap_or(Err(FetchError::TimedOut(PATIENCE)))
}

/// `None`: it would have blocked.
fn unless_blocked(result: io::Result<usize>) -> io::Result<Option<usize>> {
    match result {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(None),
        result => result.map(Some),
    }
}
