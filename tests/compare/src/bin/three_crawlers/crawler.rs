//! One of the crawlers: stage 3's executor and sockets, and a ledger somewhere else.

use crate::ledger::{Ledger, Shared};
use crate::redis::Redis;
use shared::http::ConnectionOption;
use shared::{FetchError, Page, ResponseParser, request};
use stage3_async::{Executor, Reactor, TcpStream, timeout};
use std::collections::HashMap;
use std::error::Error;
use std::time::{Duration, Instant};
use url::Url;

/// The name of a crawler, before its number.
pub(crate) const AGENT: &str = "crawler ";

/// How long a page may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a crawler waits between two requests to one host.
const DELAY: Duration = Duration::from_millis(50);
/// How long it waits when there is nothing to fetch.
const NAP: Duration = Duration::from_millis(50);

/// Crawls with the ledger in the Redis on this port, until the crawl is over.
pub(crate) fn run(port: u16, me: u32, root: &Url) -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    let reactor = executor.reactor().clone();
    executor.block_on(async {
        let redis = Redis::connect(port, &reactor).await?;
        crawl(me, &mut Shared::join(me, redis, root).await?, &reactor).await
    })?
}

/// As in chapter 37: it crawls until the ledger says that the crawl is over.
async fn crawl(
    me: u32,
    ledger: &mut impl Ledger,
    reactor: &Reactor,
) -> Result<(), Box<dyn Error>> {
    let mut next: HashMap<String, Instant> = HashMap::new();
    while !ledger.is_done().await? {
        let Some(job) = ledger.begin().await? else {
            reactor.sleep(NAP).await;
            continue;
        };
        let host = job.url.authority().to_string();
        if let Some(next) = next.get(&host) {
            reactor.sleep_until(*next).await;
        }
        next.insert(host, Instant::now() + DELAY);
        let fetch = timeout(PATIENCE, fetch(me, &job.url, reactor), reactor).await;
        let links = match fetch {
            Ok(Ok(page)) => page.links,
            // A page that fails has to be settled, too.
            Ok(Err(error)) => failed(me, &job.url, &error),
            Err(error) => failed(me, &job.url, &error),
        };
        ledger.settle(job, &links).await?;
    }
    Ok(())
}

fn failed(me: u32, url: &Url, error: &dyn Error) -> Vec<Url> {
    println!("crawler {me}: {url}: {error}");
    Vec::new()
}

async fn fetch(me: u32, url: &Url, reactor: &Reactor) -> Result<Page, FetchError> {
    let address = url.socket_addrs(|| None)?[0]; // a number: no look-up is needed
    let mut stream = TcpStream::connect(address, reactor).await?;
    let head = request(url, &format!("{AGENT}{me}"), ConnectionOption::Close);
    stream.write_all(&head).await?;
    let mut parser = ResponseParser::with_limit(1 << 20);
    loop {
        let fed = stream.read_with(|chunk| parser.feed(chunk)).await?;
        if let Some(response) = fed? {
            return Ok(Page::from_response(url, response));
        }
    }
}
