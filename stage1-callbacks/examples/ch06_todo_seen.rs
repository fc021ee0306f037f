//! The whole site: what is found and new goes to `todo`, and what was ever there is `seen`.
//!
//! `cargo run -p stage1-callbacks --example ch06_todo_seen [URL]`

use mio::Token;
use shared::demo_site::DemoSite;
use shared::http::Connection;
use shared::{Answer, ResponseParser, Stop, Watch, digest, request};
use stage1_callbacks::{EventLoop, TimerId};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::error::Error;
use std::io::{self, ErrorKind, Read, Write};
use std::time::{Duration, Instant};
use url::Url;

const PATIENCE: Duration = Duration::from_secs(5);

// ANCHOR: crawler
/// What all callbacks share: the world.
struct Crawler {
    root: Url,
    /// Found, and not begun.
    todo: VecDeque<Url>,
    /// All that ever was in `todo`.
    seen: HashSet<Url>,
    /// How often there was this answer, or this error.
    answers: BTreeMap<String, usize>,
}

/// What one fetch remembers from one callback to the next.
struct Fetcher {
    url: Url,
    token: Token,
    time_out: TimerId,
    parser: ResponseParser,
}

/// The loop of chapter 5, as it stands in `src/event_loop.rs`: with timers.
type Loop = EventLoop<Crawler>;
// ANCHOR_END: crawler

impl Crawler {
    // ANCHOR: start
    /// Begins to fetch all that is to do: as many at once as there are.
    fn start(&mut self, event_loop: &mut Loop) {
        while let Some(url) = self.todo.pop_front() {
            if let Err(error) = self.fetch(url, event_loop) {
                self.note(error.kind().to_string());
            }
        }
    }

    fn fetch(&mut self, url: Url, event_loop: &mut Loop) -> io::Result<()> {
        let addresses = url.socket_addrs(|| None)?; // this still blocks
        let first = addresses.first().ok_or(ErrorKind::HostUnreachable)?;
        let token = event_loop.connect(*first, url.as_str())?;
        let deadline = Instant::now() + PATIENCE;
        let time_out = event_loop.set_timer(deadline, move |event_loop, crawler| {
            event_loop.close(token); // with the callback that waits, and its fetcher
            crawler.note("no answer".to_string());
        });
        let parser = ResponseParser::new(1 << 20);
        let fetcher = Fetcher { url, token, time_out, parser };
        event_loop.on_event(token, "connected", |event_loop, crawler| {
            fetcher.connected(event_loop, crawler)
        });
        Ok(())
    }
    // ANCHOR_END: start

    // ANCHOR: finish
    /// A fetch has ended: what it has found goes to `todo`, if it is new and of this site.
    fn finish(&mut self, fetcher: Fetcher, answer: Answer, event_loop: &mut Loop) {
        event_loop.clear_timer(fetcher.time_out);
        event_loop.close(fetcher.token);
        let links = match answer {
            Ok(page) => {
                self.note(format!("status {}", page.status));
                page.links
            }
            Err(error) => return self.note(error.to_string()),
        };
        for link in links {
            let is_ours = link.origin() == self.root.origin();
            if is_ours && self.seen.insert(link.clone()) {
                self.todo.push_back(link);
            }
        }
        self.start(event_loop);
    }
    // ANCHOR_END: finish

    fn note(&mut self, answer: String) {
        *self.answers.entry(answer).or_default() += 1;
    }
}

impl Fetcher {
    // ANCHOR: connected
    /// The socket is writable: it is connected, or it failed.
    fn connected(self, event_loop: &mut Loop, crawler: &mut Crawler) {
        let request = request(&self.url, "a step of the book", Connection::Close);
        let stream = event_loop.stream(self.token);
        // So few bytes fit into a new socket's buffer, which is empty.
        match stream.peer_addr().and_then(|_| stream.write_all(&request)) {
            Ok(()) => self.read_response(event_loop, crawler),
            Err(error) => crawler.finish(self, Err(error.into()), event_loop),
        }
    }
    // ANCHOR_END: connected

    // ANCHOR: read_response
    /// The socket is readable: data came, or the server has closed. Reads what there is.
    fn read_response(mut self, event_loop: &mut Loop, crawler: &mut Crawler) {
        let mut chunk = [0; 4096];
        let answer = loop {
            let count = match event_loop.stream(self.token).read(&mut chunk) {
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    let (token, name) = (self.token, "read_response");
                    return event_loop.on_event(token, name, |event_loop, crawler| {
                        self.read_response(event_loop, crawler)
                    });
                }
                Err(error) => break Err(error.into()),
            };
            match self.parser.feed(&chunk[..count]) {
                Ok(None) => {}
                Ok(Some(response)) => break Ok(digest(&self.url, response)),
                Err(error) => break Err(error.into()),
            }
        };
        crawler.finish(self, answer, event_loop)
    }
    // ANCHOR_END: read_response
}

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    let root = Url::parse(&std::env::args().nth(1).unwrap_or(site.url("/")))?;
    let (todo, seen) = ([root.clone()].into(), [root.clone()].into());
    let mut crawler = Crawler { root, todo, seen, answers: BTreeMap::new() };
    let mut event_loop = EventLoop::new(&Stop::new(), Watch::off())?;
    crawler.start(&mut event_loop);
    event_loop.run(&mut crawler)?;
    let fetches: usize = crawler.answers.values().sum();
    println!("todo is empty: {} URLs seen, {fetches} fetches", crawler.seen.len());
    for (answer, count) in &crawler.answers {
        println!("{count:>4}  {answer}");
    }
    Ok(())
}
// ANCHOR_END: main
