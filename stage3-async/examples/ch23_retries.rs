//! Another attempt comes after a pause, and meanwhile the worker fetches other pages.
//!
//! `cargo run -p stage3-async --example ch23_retries`
//!
//! It does not run in a page: it listens on a socket of std.

use shared::demo_site::DemoSite;
use shared::{Options, Stop, Url};
use stage3_async::crawl;
use std::error::Error;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_secs(1);

// ANCHOR: options
/// One worker, which fetches these pages and follows no links.
fn options(roots: &[String], max_tries: u32) -> Result<Options, Box<dyn Error>> {
    let roots = roots.iter().map(|root| Url::parse(root));
    let roots: Vec<Url> = roots.collect::<Result<_, _>>()?;
    let mut options = Options::with_roots(roots);
    (options.max_tasks, options.max_tries) = (1, max_tries);
    (options.max_depth, options.timeout) = (Some(0), PATIENCE);
    Ok(options)
}
// ANCHOR_END: options

// ANCHOR: tries
/// Crawls one page of the demo site, alone. (After other pages it might be requested on
/// a kept connection, where a drop costs no attempt: see `ch23_keep_alive`.)
fn count_attempts(
    site: &DemoSite,
    path: &str,
    max_tries: u32,
) -> Result<(), Box<dyn Error>> {
    let report = crawl(&options(&[site.url(path)], max_tries)?, &Stop::new())?;
    let row = report.row(&site.url(path)).ok_or("no row")?;
    print!("  {path}: {} of {max_tries} attempts, ", row.attempts);
    match &row.error {
        Some(error) => println!("{error}"),
        None => println!("status {}", row.status.unwrap_or(0)),
    }
    Ok(())
}
// ANCHOR_END: tries

// ANCHOR: server
/// What a server was asked for, and when.
type Asked = Mutex<Vec<(Instant, String)>>;

/// Records the request and answers it. The first request for `/busy` is sent away.
fn answer(stream: TcpStream, asked: &Asked) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let lines = BufReader::new(&stream).lines().map_while(Result::ok);
    let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let path = head.first().and_then(|line| line.split(' ').nth(1));
    let path = path.ok_or(ErrorKind::InvalidData)?.to_string();
    let mut asked = asked.lock().expect("nothing panics while it holds the lock");
    let is_first = !asked.iter().any(|(_, before)| *before == path);
    let status = match path.as_str() {
        "/busy" if is_first => format!("503 Busy\r\nRetry-After: {}", PAUSE.as_secs()),
        _ => "200 OK".to_string(),
    };
    asked.push((Instant::now(), path));
    drop(asked);
    let length = "Content-Length: 0\r\nConnection: close";
    (&stream).write_all(format!("HTTP/1.1 {status}\r\n{length}\r\n\r\n").as_bytes())
}
// ANCHOR_END: server

// ANCHOR: requests
/// Crawls four pages with one worker, and shows what the server was asked for and when.
/// The crawl is not over when the queue is empty: a job that pauses is not done.
fn show_requests() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    let asked: Arc<Asked> = Arc::default();
    let record = Arc::clone(&asked);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            answer(stream, &record).ok(); // a client that hangs up gets no answer
        }
    });
    let roots =
        ["/busy", "/c", "/d", "/e"].map(|path| format!("http://{address}{path}"));
    crawl(&options(&roots, 2)?, &Stop::new())?;
    let asked = asked.lock().map_err(|_| "the server has failed")?;
    let (first, _) = asked.first().ok_or("no request has arrived")?;
    for (when, path) in asked.iter() {
        let is_soon = when.duration_since(*first) < PAUSE;
        println!("  {path} {}", if is_soon { "at once" } else { "after the pause" });
    }
    Ok(())
}
// ANCHOR_END: requests

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    // It drops two requests, answers the third one, and then begins again.
    println!("a page that drops its connection twice");
    count_attempts(&site, "/flaky", 4)?;
    count_attempts(&site, "/flaky", 2)?;
    println!("a page that is busy once, and one that is missing");
    count_attempts(&site, "/busy", 4)?;
    count_attempts(&site, "/missing", 4)?;
    println!("four pages, one worker: what arrives at the server");
    show_requests()
}
// ANCHOR_END: main
