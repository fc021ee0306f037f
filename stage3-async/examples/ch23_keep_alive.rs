//! Kept connections: many pages travel on one, and a stale one costs no attempt.
//!
//! `cargo run -p stage3-async --example ch23_keep_alive`
//!
//! It does not run in a page: it listens on a socket of std.

use shared::demo_site::DemoSite;
use shared::{Options, Report, Stop, Url};
use stage3_async::crawl;
use std::error::Error;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;
use std::{sync::Arc, thread};

const PATIENCE: Duration = Duration::from_secs(10);
/// Fifty pages: this list, 48 pages that it links to, and `/`.
const LIST: &str = "/slow?count=48&ms=2";
/// The links of each page of our own server. It has five pages: `/` and these.
const LINKS: &str =
    "<a href=/1>1</a> <a href=/2>2</a> <a href=/3>3</a> <a href=/4>4</a>";

// ANCHOR: keeps
/// The demo site keeps connections. It counts those that it has accepted.
fn crawl_the_demo_site(max_tasks: u32) -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    let pages = run(&site.url(LIST), max_tasks)?.rows.len();
    let connections = site.connections();
    println!("  tasks: {max_tasks}, pages: {pages}, connections: {connections}");
    Ok(())
}

fn run(root: &str, max_tasks: u32) -> Result<Report, Box<dyn Error>> {
    let mut options = Options::with_roots([Url::parse(root)?]);
    (options.max_tasks, options.max_depth) = (max_tasks, Some(1));
    options.timeout = PATIENCE;
    Ok(crawl(&options, &Stop::new())?)
}
// ANCHOR_END: keeps

// ANCHOR: ends
/// How our own server ends a connection after one response.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// The response announces it: `Connection: close`.
    Announced,
    /// Nothing announces it, and the crawler keeps the connection.
    Silent,
    /// The same, and as late as possible: when the next request has arrived.
    Asked,
}

/// Answers one request, perhaps reads another, and closes the connection.
fn serve(stream: TcpStream, end: End, requests: &AtomicUsize) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new(&stream);
    requests.fetch_add(read_request(&mut reader), SeqCst); // 1, or 0 if none arrives
    let connection = if end == End::Announced { "close" } else { "keep-alive" };
    let head = format!("Content-Length: {}\r\nConnection: {connection}", LINKS.len());
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{head}");
    (&stream).write_all(format!("{head}\r\n\r\n{LINKS}").as_bytes())?;
    if end == End::Asked {
        requests.fetch_add(read_request(&mut reader), SeqCst);
    }
    Ok(())
}
// ANCHOR_END: ends

/// Reads a request to its blank line, and returns 1; or 0, if the crawler hangs up.
fn read_request(reader: &mut impl BufRead) -> usize {
    let lines = reader.lines().map_while(Result::ok);
    let head = lines.take_while(|line| !line.is_empty());
    usize::from(head.count() > 0)
}

// ANCHOR: closes
/// Crawls our own server, which serves one connection after the other.
fn crawl_own_server(end: End, max_tasks: u32) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let root = format!("http://{}/", listener.local_addr()?);
    let counts: Arc<[AtomicUsize; 2]> = Arc::default();
    let counters = Arc::clone(&counts);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            counters[0].fetch_add(1, SeqCst);
            serve(stream, end, &counters[1]).ok(); // a crawler may hang up
        }
    });
    let rows = run(&root, max_tasks)?.rows;
    let [connections, requests] = [0, 1].map(|at| counts[at].load(SeqCst));
    // A request that was sent on a stale connection does not count as an attempt.
    let most = rows.iter().map(|row| row.attempts).max().unwrap_or(0);
    print!("  tasks: {max_tasks}, pages: {}, connections: {connections}", rows.len());
    println!(", requests: {requests}, most attempts: {most}");
    Ok(())
}
// ANCHOR_END: closes

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    println!("a server that keeps connections");
    crawl_the_demo_site(1)?;
    crawl_the_demo_site(10)?;
    println!("a server that closes after each answer, and announces it");
    crawl_own_server(End::Announced, 1)?;
    crawl_own_server(End::Announced, 10)?;
    println!("a server that does not announce it");
    crawl_own_server(End::Silent, 1)?;
    println!("a server that closes when the next request arrives");
    crawl_own_server(End::Asked, 1)
}
// ANCHOR_END: main
