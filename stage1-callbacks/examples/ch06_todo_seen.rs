//! The whole site: what a page points to goes to `todo`, unless it is `seen` already.
//!
//! `cargo run -p stage1-callbacks --example ch06_todo_seen [URL]`

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use shared::demo_site::DemoSite;
use shared::http::Connection;
use shared::{FetchError, Page, ResponseParser, digest, request};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::env;
use std::error::Error;
use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use url::Url;

const AGENT: &str = "a step of the book";
const MAX_BODY: u64 = 10 * 1024 * 1024;
const PATIENCE: Duration = Duration::from_secs(5);

// ANCHOR: event_loop
/// What is called once when its socket has news. `World` is what all callbacks share.
type Callback<World> = Box<dyn FnOnce(&mut EventLoop<World>, &mut World)>;

/// Owns the sockets, and beside each the callback that waits for it.
struct EventLoop<World> {
    poll: Poll,
    slots: HashMap<Token, Slot<World>>,
    next: usize,
}

struct Slot<World> {
    stream: TcpStream,
    waiting: Option<(&'static str, Callback<World>)>,
}
// ANCHOR_END: event_loop

impl<World> EventLoop<World> {
    fn new() -> io::Result<Self> {
        Ok(EventLoop { poll: Poll::new()?, slots: HashMap::new(), next: 0 })
    }

    // ANCHOR: connect
    /// Starts to connect. The socket is watched from now on until it is closed.
    fn connect(&mut self, address: SocketAddr) -> io::Result<Token> {
        let mut stream = TcpStream::connect(address)?;
        self.next += 1;
        let token = Token(self.next);
        let both = Interest::READABLE | Interest::WRITABLE;
        self.poll.registry().register(&mut stream, token, both)?;
        self.slots.insert(token, Slot { stream, waiting: None });
        Ok(token)
    }

    /// Calls back once, at the next event of this socket.
    fn on_event(
        &mut self,
        token: Token,
        name: &'static str,
        callback: impl FnOnce(&mut Self, &mut World) + 'static,
    ) {
        self.slot(token).waiting = Some((name, Box::new(callback)));
    }
    // ANCHOR_END: connect

    // ANCHOR: run
    /// Waits and calls back until no socket is left.
    fn run(&mut self, world: &mut World) -> io::Result<()> {
        let mut events = Events::with_capacity(64);
        while !self.slots.is_empty() {
            match self.poll.poll(&mut events, Some(PATIENCE)) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                result => result?,
            }
            if events.is_empty() {
                return Err(io::Error::new(ErrorKind::TimedOut, self.who_waits()));
            }
            for event in &events {
                self.call_back(event.token(), world);
            }
        }
        Ok(())
    }

    fn call_back(&mut self, token: Token, world: &mut World) {
        let Some(slot) = self.slots.get_mut(&token) else { return };
        let Some((_, callback)) = slot.waiting.take() else { return };
        callback(self, world);
    }
    // ANCHOR_END: run

    // ANCHOR: close
    /// Closes a socket, and drops what waits for it.
    fn close(&mut self, token: Token) {
        if let Some(mut slot) = self.slots.remove(&token) {
            self.poll.registry().deregister(&mut slot.stream).ok();
        }
    }

    fn stream(&mut self, token: Token) -> &mut TcpStream {
        &mut self.slot(token).stream
    }

    fn slot(&mut self, token: Token) -> &mut Slot<World> {
        self.slots.get_mut(&token).expect("a fetcher closes its socket only once")
    }
    // ANCHOR_END: close

    fn who_waits(&self) -> String {
        let names = self.slots.iter().map(|(token, slot)| match &slot.waiting {
            Some((name, _)) => format!("{name} waits for socket {}", token.0),
            None => format!("nobody waits for socket {}", token.0),
        });
        names.collect::<Vec<_>>().join(", ")
    }
}

// ANCHOR: fetcher
/// What one fetch remembers from one callback to the next.
struct Fetcher {
    url: Url,
    token: Token,
    parser: ResponseParser,
}
// ANCHOR_END: fetcher

// ANCHOR: crawler
/// What all callbacks share: the world.
struct Crawler {
    root: Url,
    /// Found, and not begun.
    todo: VecDeque<Url>,
    /// All that ever was in `todo`.
    seen: HashSet<Url>,
    most_at_once: usize,
    /// How often there was this answer, or this error.
    answers: BTreeMap<String, usize>,
}

type Loop = EventLoop<Crawler>;
// ANCHOR_END: crawler

impl Crawler {
    // ANCHOR: start
    fn new(root: Url) -> Crawler {
        let (todo, seen) = ([root.clone()].into(), [root.clone()].into());
        Crawler { root, todo, seen, most_at_once: 0, answers: BTreeMap::new() }
    }

    /// Begins to fetch all that is to do.
    fn start(&mut self, event_loop: &mut Loop) {
        while let Some(url) = self.todo.pop_front() {
            if let Err(error) = self.fetch(url, event_loop) {
                self.note(FetchError::from(error).to_string());
            }
        }
        self.most_at_once = self.most_at_once.max(event_loop.slots.len());
    }

    fn fetch(&mut self, url: Url, event_loop: &mut Loop) -> io::Result<()> {
        let addresses = url.socket_addrs(|| None)?; // this still blocks
        let first = addresses.first().ok_or(ErrorKind::HostUnreachable)?;
        let token = event_loop.connect(*first)?;
        let parser = ResponseParser::new(MAX_BODY);
        let fetcher = Fetcher { url, token, parser };
        fetcher.then("connected", Fetcher::connected, event_loop);
        Ok(())
    }
    // ANCHOR_END: start

    // ANCHOR: finish
    /// A fetch has ended well: begins to fetch what it has found, and what is new.
    fn finish(&mut self, fetcher: Fetcher, page: Page, event_loop: &mut Loop) {
        event_loop.close(fetcher.token);
        self.note(format!("status {}", page.status));
        for link in page.links {
            let is_below_root = link.as_str().starts_with(self.root.as_str());
            if is_below_root && self.seen.insert(link.clone()) {
                self.todo.push_back(link);
            }
        }
        self.start(event_loop);
    }
    // ANCHOR_END: finish

    fn fail(
        &mut self,
        fetcher: Fetcher,
        error: impl Into<FetchError>,
        event_loop: &mut Loop,
    ) {
        event_loop.close(fetcher.token);
        self.note(error.into().to_string());
        self.start(event_loop);
    }

    fn note(&mut self, what: String) {
        *self.answers.entry(what).or_default() += 1;
    }
}

impl Fetcher {
    // ANCHOR: then
    /// Saves the fetcher in a callback, for the next event of its socket.
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
    // ANCHOR_END: then

    // ANCHOR: connected
    /// The socket is writable: it is connected, or it failed.
    fn connected(self, event_loop: &mut Loop, crawler: &mut Crawler) {
        let stream = event_loop.stream(self.token);
        match is_connected(stream) {
            Ok(true) => {}
            Ok(false) => return self.then("connected", Self::connected, event_loop),
            Err(error) => return crawler.fail(self, error, event_loop),
        }
        // So few bytes fit into a new socket's buffer, which is empty.
        let request = request(&self.url, AGENT, Connection::Close);
        if let Err(error) = stream.write_all(&request) {
            return crawler.fail(self, error, event_loop);
        }
        self.read_response(event_loop, crawler)
    }
    // ANCHOR_END: connected

    // ANCHOR: read_response
    /// The socket is readable: data came, or the server closed. Reads all there is.
    fn read_response(mut self, event_loop: &mut Loop, crawler: &mut Crawler) {
        let mut chunk = [0; 4096];
        loop {
            let count = match event_loop.stream(self.token).read(&mut chunk) {
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return self.then("read_response", Self::read_response, event_loop);
                }
                Err(error) => return crawler.fail(self, error, event_loop),
            };
            match self.parser.feed(&chunk[..count]) {
                Ok(None) => {}
                Ok(Some(response)) => {
                    let page = digest(&self.url, response);
                    return crawler.finish(self, page, event_loop);
                }
                Err(error) => return crawler.fail(self, error, event_loop),
            }
        }
    }
    // ANCHOR_END: read_response
}

/// Is the connection there? If it failed, that is the error.
fn is_connected(stream: &TcpStream) -> io::Result<bool> {
    if let Some(error) = stream.take_error()? {
        return Err(error);
    }
    match stream.peer_addr() {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotConnected => Ok(false),
        Err(error) => Err(error),
    }
}

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    let root = Url::parse(&env::args().nth(1).unwrap_or(site.url("/")))?;
    let mut event_loop = EventLoop::new()?;
    let mut crawler = Crawler::new(root);
    let start = Instant::now();
    crawler.start(&mut event_loop);
    event_loop.run(&mut crawler)?;
    println!("todo is empty after {} ms", start.elapsed().as_millis());
    let fetches: usize = crawler.answers.values().sum();
    println!("sockets at once: {} at most", crawler.most_at_once);
    println!("{} URLs seen, {fetches} fetches:", crawler.seen.len());
    for (what, count) in &crawler.answers {
        println!("{count:>4}  {what}");
    }
    Ok(())
}
// ANCHOR_END: main
