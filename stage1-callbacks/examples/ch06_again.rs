//! The crawl of `ch06_cap` with another attempt, after a pause, where one may help.
//!
//! `cargo run -p stage1-callbacks --example ch06_again [URL]`
//!
//! It repeats `ch06_cap`, so that the two can be compared.

use mio::Token;
use mio::net::TcpStream;
use shared::demo_site::DemoSite;
use shared::http::ConnectionOption;
use shared::page::url::parse_root;
use shared::{FetchError, FetchResult, Page, ResponseParser, Stop, Trace, request};
use stage1_callbacks::{EventLoop, TimerId};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::error::Error;
use std::io::{self, ErrorKind, Read, Write};
use std::time::{Duration, Instant};
use url::Url;

const PATIENCE: Duration = Duration::from_secs(5);
const MAX_TASKS: usize = 10;
const MAX_TRIES: u32 = 4;
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// The world: what all callbacks share.
struct Crawler {
    root: Url,
    /// Found, but not being fetched yet, with the number of attempts made so far.
    todo: VecDeque<(Url, u32)>,
    /// Everything that was ever in `todo`.
    seen: HashSet<Url>,
    /// Fetches in flight.
    at_once: usize,
    most_at_once: usize,
    /// Each kind of answer or error, and how many times it came.
    answers: BTreeMap<String, usize>,
}

/// What one fetch remembers from one callback to the next.
struct Fetcher {
    url: Url,
    /// The number of this attempt; the first one is 1.
    tries: u32,
    token: Token,
    time_out: TimerId,
    parser: ResponseParser,
}

/// The loop of chapter 5, with timers. It is in `src/event_loop.rs` now.
type Loop = EventLoop<Crawler>;

impl Crawler {
    // ANCHOR: start
    /// Starts fetches for the URLs in `todo`, as many at once as the limit allows.
    fn start(&mut self, event_loop: &mut Loop) {
        while self.at_once < MAX_TASKS
            && let Some((url, tries)) = self.todo.pop_front()
        {
            if let Err(error) = self.fetch(url, tries + 1, event_loop) {
                self.note(FetchError::from(error).to_string());
            }
        }
    }
    // ANCHOR_END: start

    // ANCHOR: fetch
    fn fetch(&mut self, url: Url, tries: u32, event_loop: &mut Loop) -> io::Result<()> {
        let addresses = url.socket_addrs(|| None)?; // a look-up, which still blocks
        let first = addresses.first().ok_or(ErrorKind::HostUnreachable)?;
        let token = event_loop.connect(*first)?;
        let deadline = Instant::now() + PATIENCE;
        let time_out = event_loop.set_timer(deadline, move |event_loop, crawler| {
            event_loop.close(token); // drops the callback, and the fetcher in it
            crawler.at_once -= 1;
            crawler.note("no answer".to_string());
            crawler.start(event_loop);
        });
        let parser = ResponseParser::with_limit(1 << 20);
        let fetcher = Fetcher { url, tries, token, time_out, parser };
        fetcher.then("connected", Fetcher::connected, event_loop);
        self.at_once += 1;
        self.most_at_once = self.most_at_once.max(self.at_once);
        Ok(())
    }
    // ANCHOR_END: fetch

    /// Called when a fetch has ended. Puts new links of this site into `todo`.
    fn finish(&mut self, fetcher: Fetcher, answer: FetchResult, event_loop: &mut Loop) {
        event_loop.clear_timer(fetcher.time_out);
        event_loop.close(fetcher.token);
        self.at_once -= 1;
        let may_help = answer.as_ref().map_or(true, Page::is_busy);
        if may_help && fetcher.tries < MAX_TRIES {
            self.again(fetcher, event_loop);
            return self.start(event_loop);
        }
        let links = match answer {
            Ok(page) => {
                self.note(format!("status {}", page.status));
                page.links
            }
            Err(error) => {
                self.note(error.to_string());
                Vec::new()
            }
        };
        for link in links {
            let is_on_site = link.origin() == self.root.origin();
            if is_on_site && self.seen.insert(link.clone()) {
                self.todo.push_back((link, 0));
            }
        }
        self.start(event_loop);
    }

    /// Puts a URL back into `todo` after a pause, which is twice as long each time.
    fn again(&mut self, fetcher: Fetcher, event_loop: &mut Loop) {
        let Fetcher { url, tries, .. } = fetcher;
        let end = Instant::now() + FIRST_PAUSE * 2_u32.pow(tries - 1);
        event_loop.set_timer(end, move |event_loop, crawler: &mut Crawler| {
            crawler.todo.push_back((url, tries));
            crawler.start(event_loop);
        });
    }

    fn note(&mut self, answer: String) {
        *self.answers.entry(answer).or_default() += 1;
    }
}

impl Fetcher {
    // ANCHOR: connected
    /// Stores the fetcher in a callback, for the next event of its socket.
    fn then(
        self,
        name: &'static str,
        callback: fn(Fetcher, &mut Loop, &mut Crawler),
        event_loop: &mut Loop,
    ) {
        event_loop.on_event(self.token, name, move |event_loop, crawler| {
            callback(self, event_loop, crawler)
        });
    }

    /// The socket is writable: the connection is established, or it failed.
    fn connected(self, event_loop: &mut Loop, crawler: &mut Crawler) {
        match send_request(event_loop.stream(self.token), &self.url) {
            Ok(()) => match event_loop.watch_reads_only(self.token) {
                Ok(()) => self.read_response(event_loop, crawler),
                Err(error) => crawler.finish(self, Err(error.into()), event_loop),
            },
            Err(error) if error.kind() == ErrorKind::NotConnected => {
                self.then("connected", Self::connected, event_loop)
            }
            Err(error) => crawler.finish(self, Err(error.into()), event_loop),
        }
    }
    // ANCHOR_END: connected

    // ANCHOR: read_response
    /// The socket is readable: data arrived, or the server closed. Reads all of it.
    fn read_response(mut self, event_loop: &mut Loop, crawler: &mut Crawler) {
        let mut chunk = [0; 4096];
        let answer = loop {
            let count = match event_loop.stream(self.token).read(&mut chunk) {
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return self.then("read_response", Self::read_response, event_loop);
                }
                Err(error) => break Err(error.into()),
            };
            match self.parser.feed(&chunk[..count]) {
                Ok(None) => {}
                Ok(Some(response)) => {
                    break Ok(Page::from_response(&self.url, response));
                }
                Err(error) => break Err(error.into()),
            }
        };
        crawler.finish(self, answer, event_loop)
    }
    // ANCHOR_END: read_response
}

// ANCHOR: send_request
/// Sends the request if the connection is established. It is so short that it always
/// fits into the socket's buffer.
fn send_request(stream: &mut TcpStream, url: &Url) -> io::Result<()> {
    if let Some(error) = stream.take_error()? {
        return Err(error);
    }
    stream.peer_addr()?;
    stream.write_all(&request(url, "a step of the book", ConnectionOption::Close))
}
// ANCHOR_END: send_request

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    let root = parse_root(&std::env::args().nth(1).unwrap_or(site.url("/")))?;
    let (todo, seen) = ([(root.clone(), 0)].into(), [root.clone()].into());
    let (at_once, most_at_once, answers) = (0, 0, BTreeMap::new());
    let mut crawler = Crawler { root, todo, seen, at_once, most_at_once, answers };
    let mut event_loop = EventLoop::new(&Stop::new(), Trace::off())?;
    crawler.start(&mut event_loop);
    event_loop.run(&mut crawler, None)?;
    let fetches: usize = crawler.answers.values().sum();
    println!("todo is empty: {} URLs seen, {fetches} fetches", crawler.seen.len());
    println!("sockets at once: {} at most", crawler.most_at_once);
    for (answer, count) in &crawler.answers {
        println!("{count:>4}  {answer}");
    }
    Ok(())
}
// ANCHOR_END: main
