//! Threads let blocking sockets wait side by side, and each thread costs memory.
//!
//! `cargo run -p stage1-callbacks --example ch02_threads [URL]`
//!
//! Its output is compared on Linux only.
//! The tests run it alone: it starts as many threads as there may be.
//! It does not run in a page: it uses threads.

use shared::demo_site::DemoSite;
use shared::http::Connection;
use shared::{FetchError, Page, ResponseParser, request};
use std::collections::{HashSet, VecDeque};
use std::error::Error;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::channel;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};
use std::{env, fs, thread};
use url::Url;

const AGENT: &str = "a step of the book";
const MAX_BODY: u64 = 10 * 1024 * 1024;
const PATIENCE: Duration = Duration::from_secs(5);
const SOON: Duration = Duration::from_secs(1);

// ANCHOR: fetch
/// Fetches one page. Each call on the socket may wait, and the thread waits with it.
fn fetch(url: &Url) -> Result<Page, FetchError> {
    let mut stream = TcpStream::connect(&*url.socket_addrs(|| None)?)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(&request(url, AGENT, Connection::Close))?;
    let mut parser = ResponseParser::new(MAX_BODY);
    let mut chunk = [0; 4096];
    loop {
        let count = stream.read(&mut chunk)?;
        if let Some(response) = parser.feed(&chunk[..count])? {
            return Ok(Page::from_response(url, response));
        }
    }
}
// ANCHOR_END: fetch

// ANCHOR: crawl
/// A crawl that threads share, so a lock protects its books. A thread that finds
/// `todo` empty sleeps on `news`.
struct Crawl {
    root: Url,
    books: Mutex<Books>,
    news: Condvar,
}

struct Books {
    todo: VecDeque<Url>,
    /// Everything that was ever in `todo`.
    seen: HashSet<Url>,
    in_flight: usize,
    failed: usize,
}
// ANCHOR_END: crawl

const HELD: &str = "nothing panics while it holds the books";

impl Crawl {
    // ANCHOR: work
    /// What each thread of the pool does until no more work can turn up.
    fn work(&self) {
        loop {
            let books = self.books.lock().expect(HELD);
            let may_get_more = |it: &mut Books| it.todo.is_empty() && it.in_flight > 0;
            let mut books = self.news.wait_while(books, may_get_more).expect(HELD);
            let Some(url) = books.todo.pop_front() else { return };
            books.in_flight += 1;
            drop(books); // other threads can take the lock while this one waits
            let answer = fetch(&url);
            self.settle(answer);
        }
    }
    // ANCHOR_END: work

    // ANCHOR: settle
    fn settle(&self, answer: Result<Page, FetchError>) {
        let mut books = self.books.lock().expect(HELD);
        books.in_flight -= 1;
        books.failed += usize::from(answer.is_err());
        for link in answer.map_or(Vec::new(), |page| page.links) {
            if self.is_below_root(&link) && books.seen.insert(link.clone()) {
                books.todo.push_back(link);
            }
        }
        self.news.notify_all();
    }
    // ANCHOR_END: settle

    fn is_below_root(&self, link: &Url) -> bool {
        link.origin() == self.root.origin() && link.path().starts_with(self.root.path())
    }
}

// ANCHOR: pool
/// Crawls everything below `root` with this many threads.
fn crawl(root: &Url, threads: usize) {
    let (todo, seen) = ([root.clone()].into(), [root.clone()].into());
    let books = Mutex::new(Books { todo, seen, in_flight: 0, failed: 0 });
    let crawl = Crawl { root: root.clone(), books, news: Condvar::new() };
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| crawl.work());
        }
    });
    let time = start.elapsed().as_millis();
    let Books { seen, failed, .. } = crawl.books.into_inner().expect(HELD);
    println!("threads: {threads}, pages: {}, failed: {failed}, {time} ms", seen.len());
}
// ANCHOR_END: pool

// ANCHOR: park
/// Starts up to `count` threads that only wait, and prints what they cost meanwhile.
fn park(count: usize) {
    let (start, before) = (Instant::now(), memory());
    let (gate, (started, has_started)) = (Mutex::new(()), channel());
    thread::scope(|scope| {
        let closed = gate.lock();
        let wait = || {
            started.send(()).ok();
            drop(gate.lock()); // sleeps until the gate is open
        };
        let mut threads = 0;
        for number in 1..=count {
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, wait) {
                println!("thread {number} was refused: {error}");
                break;
            }
            threads = number;
        }
        for _ in 0..threads {
            has_started.recv_timeout(SOON).ok();
        }
        print_cost(threads, start.elapsed(), before, memory());
        drop(closed); // the gate is open, and all threads end
    });
}
// ANCHOR_END: park

// ANCHOR: memory
/// The memory that this process uses, and the addresses that it has reserved, in KB.
/// Only Linux has this file.
fn memory() -> Option<(usize, usize)> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let number = |name| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse().ok()
    };
    Some((number("VmRSS:")?, number("VmSize:")?))
}

type Memory = Option<(usize, usize)>;

fn print_cost(threads: usize, time: Duration, before: Memory, now: Memory) {
    println!("{threads} threads wait, started in {} ms", time.as_millis());
    let (Some(before), Some(now)) = (before, now) else {
        return println!("  their memory is only read on Linux");
    };
    let each = |before, now: usize| now.saturating_sub(before) / threads.max(1);
    let (memory, addresses) = (each(before.0, now.0), each(before.1, now.1));
    println!("  each has {memory} KB of memory, and {addresses} KB of addresses");
}
// ANCHOR_END: memory

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    let root = env::args().nth(1).unwrap_or(site.url("/slow?count=20&ms=100"));
    let root = Url::parse(&root)?;
    crawl(&root, 1);
    crawl(&root, 10);
    park(1_000);
    park(10_000);
    Ok(())
}
// ANCHOR_END: main
