//! A whole crawl without any waiting: the parser is fed by hand.
//!
//! `cargo run -p stage1-callbacks --example ch01_without_sockets`

use shared::http::ConnectionOption;
use shared::page::links::links;
use shared::{
    CrawlEnd, FetchError, Ledger, Options, Page, Program, ResponseParser, request,
};
use std::collections::VecDeque;
use std::error::Error;
use std::io;
use url::Url;

const PROGRAM: Program =
    Program { name: "ch01_without_sockets", version: "1", speaks_https: false };
const MAX_BODY: u64 = 10 * 1024 * 1024;

// ANCHOR: answers
/// The root page as a network might deliver it: in three pieces, cut where it hurts.
const ROOT: &[&[u8]] = &[
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConte",
    b"nt-Length: 71\r\n\r\n<a href='/next'>next</a> <a href='/next#top'>the sa",
    b"me</a> <a href='mailto:",
];

/// A page without links, in one piece.
const NEXT: &[&[u8]] =
    &[b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\nEnd"];
// ANCHOR_END: answers

// ANCHOR: fetch
/// Fetches a page. Here its pieces are ready; from chapter 2 on we wait for them.
fn fetch(url: &Url) -> Result<Page, FetchError> {
    let request = request(url, PROGRAM.name, ConnectionOption::Close);
    println!("{}", String::from_utf8_lossy(&request).lines().next().unwrap_or(""));
    let mut pieces = if url.path() == "/" { ROOT } else { NEXT }.iter();
    let mut parser = ResponseParser::with_limit(MAX_BODY);
    loop {
        // No piece left: the server has hung up. An empty piece reports that.
        let piece = pieces.next().copied().unwrap_or(b"");
        match parser.feed(piece)? {
            None => println!("  {} bytes: more to come", piece.len()),
            Some(response) => {
                let html = String::from_utf8_lossy(&response.body);
                let links = links(&html, url).len();
                let status = response.status;
                println!("  {} bytes: status {status}, links: {links}", piece.len());
                return Ok(Page::from_response(url, response));
            }
        }
    }
}
// ANCHOR_END: fetch

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::with_roots([Url::parse("http://example.com/")?]);
    let (mut ledger, jobs) = Ledger::open(&options, &PROGRAM);
    let mut todo = VecDeque::from(jobs);
    while let Some(mut job) = todo.pop_front() {
        let answer = fetch(&ledger.begin(&mut job));
        let more = ledger.settle(job, answer);
        println!("  new: {}", more.jobs.len());
        todo.extend(more);
    }
    ledger.close(CrawlEnd::Done).write_text(&mut io::stdout())?;
    Ok(())
}
// ANCHOR_END: main
