//! The blocking fetch, with `.await`: the task waits, and the thread does not.
//!
//! `cargo run -p stage3-async --example ch21_socket [URL]`
//! (The URL begins with `http:`. There is no TLS here.)
//!
//! It does not run in a page: it also uses std's sockets, which WASI does not have.

use shared::demo_site::DemoSite;
use shared::http::ConnectionOption;
use shared::page::url::parse_root;
use shared::{FetchError, Page, ResponseParser, Url, request};
use stage3_async::{Executor, timeout};
use std::env;
use std::error::Error;
use std::time::Duration;

const AGENT: &str = "a step of the book";
const MAX_BODY: u64 = 10 * 1024 * 1024;
const PATIENCE: Duration = Duration::from_secs(10);

mod blocking {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpStream;

    // ANCHOR: blocking
    /// Uses the sockets of std: each call on one blocks the thread.
    pub(super) fn fetch(url: &Url) -> Result<Page, FetchError> {
        let mut stream = TcpStream::connect(&*url.socket_addrs(|| None)?)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(&request(url, AGENT, ConnectionOption::Close))?;
        let mut parser = ResponseParser::with_limit(MAX_BODY);
        let mut chunk = [0; 4096];
        loop {
            let count = stream.read(&mut chunk)?;
            if let Some(response) = parser.feed(&chunk[..count])? {
                return Ok(Page::from_response(url, response));
            }
        }
    }
    // ANCHOR_END: blocking
}

mod awaiting {
    use super::*;
    use shared::FetchError::Network;
    use stage3_async::{Reactor, TcpStream};
    use std::io::ErrorKind::AddrNotAvailable;

    // ANCHOR: awaiting
    /// As above, but at each `.await` only this task waits, and others run.
    pub(super) async fn fetch(
        url: &Url,
        reactor: &Reactor,
    ) -> Result<Page, FetchError> {
        let addresses = url.socket_addrs(|| None)?; // this still blocks
        let first = addresses.first().ok_or(Network(AddrNotAvailable))?;
        let mut stream = TcpStream::connect(*first, reactor).await?;
        stream.write_all(&request(url, AGENT, ConnectionOption::Close)).await?;
        let mut parser = ResponseParser::with_limit(MAX_BODY);
        loop {
            // No chunk is in this frame: a task that waits does not need one.
            let fed = stream.read_with(|chunk| parser.feed(chunk)).await?;
            if let Some(response) = fed? {
                return Ok(Page::from_response(url, response));
            }
        }
    }
    // ANCHOR_END: awaiting
}

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    let url = parse_root(&env::args().nth(1).unwrap_or(site.url("/")))?;
    let blocking = blocking::fetch(&url)?;
    println!("blocking: {url}, {} links", blocking.links.len());
    let executor = Executor::new()?;
    let fetch = awaiting::fetch(&url, executor.reactor());
    // One time-out around the whole. The three `?` mean: not stuck, in time, fetched.
    let page = executor.block_on(timeout(PATIENCE, fetch, executor.reactor()))???;
    println!("awaiting: {url}, {} links", page.links.len());
    println!("the same links: {}", blocking.links == page.links);
    take_turns(&site, &executor)
}
// ANCHOR_END: main

// ANCHOR: turns
/// Requests three pages at once, the last one first. Each is answered only after the
/// page before it was read, so a thread that blocked for the first answer would wait
/// forever.
fn take_turns(site: &DemoSite, executor: &Executor) -> Result<(), Box<dyn Error>> {
    println!("three at once, on one thread");
    let mut tasks = Vec::new();
    for path in ["/turn/3", "/turn/2", "/turn/1"] {
        let (url, reactor) = (Url::parse(&site.url(path))?, executor.reactor().clone());
        tasks.push(executor.spawn(async move {
            let page = awaiting::fetch(&url, &reactor).await?;
            println!("  {path}: status {}", page.status);
            Ok::<(), FetchError>(())
        }));
    }
    executor.block_on(async {
        for task in tasks {
            timeout(PATIENCE, task, executor.reactor()).await???;
        }
        Ok(())
    })?
}
// ANCHOR_END: turns
