//! Threads let blocking sockets wait side by side.
//!
//! `cargo run -p stage1-callbacks --example ch02_threads [URL [THREADS]]`
//!
//! It does not run in a page: it uses threads.

mod threads; // observe

use shared::demo_site::DemoSite;
use shared::http::ConnectionOption;
use shared::page::url::parse_root;
use shared::{FetchError, Page, ResponseParser, request};
use std::collections::{HashSet, VecDeque};
use std::error::Error;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};
use std::{env, thread};
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

const NOT_POISONED: &str = "nothing panics while it holds the books";

impl Crawl {
    // ANCHOR: work
    /// What each thread of the pool does until no more work can turn up.
    fn work(&self) {
        let _end = threads::thread(); // observe
        loop {
            let books = self.books.lock().expect(NOT_POISONED);
            let may_get_more = |it: &mut Books| it.todo.is_empty() && it.in_flight > 0;
            let may_get_more = threads::while_asleep(may_get_more); // observe
            let mut books =
                self.news.wait_while(books, may_get_more).expect(NOT_POISONED);
            let Some(url) = books.todo.pop_front() else { return };
            books.in_flight += 1;
            drop(books); // other threads can take the lock while this one waits
            threads::fetches(&url); // observe
            let answer = fetch(&url);
            threads::has_fetched(); // observe
            self.settle(answer);
        }
    }
    // ANCHOR_END: work

    // ANCHOR: settle
    fn settle(&self, answer: Result<Page, FetchError>) {
        let mut books = self.books.lock().expect(NOT_POISONED);
        books.in_flight -= 1;
        books.failed += usize::from(answer.is_err());
        for link in answer.map_or(Vec::new(), |page| page.links) {
            if self.is_below_root(&link) && books.seen.insert(link.clone()) {
                books.todo.push_back(link);
            }
        }
        threads::notifies(); // observe
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
    let Books { seen, failed, .. } = crawl.books.into_inner().expect(NOT_POISONED);
    println!("threads: {threads}, pages: {}, failed: {failed}, {time} ms", seen.len());
}
// ANCHOR_END: pool

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    let root = env::args().nth(1).unwrap_or(site.url("/slow?count=20&ms=100"));
    let root = parse_root(&root)?;
    match env::args().nth(2) {
        Some(threads) => crawl(&root, threads.parse()?),
        None => [1, 10].into_iter().for_each(|threads| crawl(&root, threads)),
    }
    Ok(())
}
// ANCHOR_END: main
