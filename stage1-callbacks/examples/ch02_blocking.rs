//! A blocking socket: each call returns when it is done, and the thread waits.
//!
//! `cargo run -p stage1-callbacks --example ch02_blocking [URL]`
//!
//! It does not run in a page: it uses std's sockets, which WASI does not have.

use shared::demo_site::DemoSite;
use shared::http::ConnectionOption;
use shared::page::url::parse_root;
use shared::{FetchError, Page, ResponseParser, request};
use std::env;
use std::error::Error;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use url::Url;

const AGENT: &str = "a step of the book";
const MAX_BODY: u64 = 10 * 1024 * 1024;
const PATIENCE: Duration = Duration::from_secs(5);

// ANCHOR: fetch
/// Fetches one page. Each call on the socket may wait, and the thread waits with it.
fn fetch(url: &Url) -> Result<Page, FetchError> {
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
// ANCHOR_END: fetch

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    let root = env::args().nth(1).unwrap_or(site.url("/slow?count=3&ms=100"));
    let root = parse_root(&root)?;
    let start = Instant::now();
    let page = fetch(&root).map_err(|error| format!("{root}: {error}"))?;
    println!("{root}: status {}, {} links", page.status, page.links.len());
    let on_site = page.links.iter().filter(|link| link.origin() == root.origin());
    for link in on_site.take(4) {
        let start = Instant::now();
        let page = fetch(link).map_err(|error| format!("{link}: {error}"))?;
        let time = start.elapsed().as_millis();
        println!("{link}: status {} after {time} ms", page.status);
    }
    println!("one after the other: {} ms", start.elapsed().as_millis());
    Ok(())
}
// ANCHOR_END: main
