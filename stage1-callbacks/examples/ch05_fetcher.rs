//! One page through callbacks: each owns its fetcher and borrows what they share.
//!
//! `cargo run -p stage1-callbacks --example ch05_fetcher [URL]`

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use shared::demo_site::DemoSite;
use shared::http::ConnectionOption;
use shared::page::url::parse_root;
use shared::{FetchError, Page, ResponseParser, request};
use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::time::Duration;
use url::Url;

const AGENT: &str = "a step of the book";
const MAX_BODY: u64 = 10 * 1024 * 1024;
const PATIENCE: Duration = Duration::from_secs(5);

// ANCHOR: event_loop
/// Called once, at an event of its socket. `World` is what all callbacks share.
type Callback<World> = Box<dyn FnOnce(&mut EventLoop<World>, &mut World)>;

/// Owns the sockets, and for each the callback that waits for it.
struct EventLoop<World> {
    poll: Poll,
    slots: HashMap<Token, Slot<World>>,
    /// The number of the latest socket.
    latest: usize,
}

struct Slot<World> {
    stream: TcpStream,
    waiter: Option<Waiter<World>>,
}

struct Waiter<World> {
    name: &'static str,
    callback: Callback<World>,
}
// ANCHOR_END: event_loop

impl<World> EventLoop<World> {
    fn new() -> io::Result<Self> {
        Ok(EventLoop { poll: Poll::new()?, slots: HashMap::new(), latest: 0 })
    }

    // ANCHOR: connect
    /// Starts to connect. The socket stays registered until it is closed.
    fn connect(&mut self, address: SocketAddr) -> io::Result<Token> {
        let mut stream = TcpStream::connect(address)?;
        self.latest += 1;
        let token = Token(self.latest);
        let both = Interest::READABLE | Interest::WRITABLE;
        self.poll.registry().register(&mut stream, token, both)?;
        self.slots.insert(token, Slot { stream, waiter: None });
        Ok(token)
    }

    /// Calls back once, at the next event of this socket.
    fn on_event(
        &mut self,
        token: Token,
        name: &'static str,
        callback: impl FnOnce(&mut Self, &mut World) + 'static,
    ) {
        let callback = Box::new(callback);
        self.slot(token).waiter = Some(Waiter { name, callback });
    }
    // ANCHOR_END: connect

    // ANCHOR: run
    /// Waits for events and calls callbacks until no socket is left.
    fn run(&mut self, world: &mut World) -> io::Result<()> {
        let mut events = Events::with_capacity(64);
        while !self.slots.is_empty() {
            match self.poll.poll(&mut events, Some(PATIENCE)) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                result => result?,
            }
            if events.is_empty() {
                return Err(io::Error::new(ErrorKind::TimedOut, self.waiters()));
            }
            for event in &events {
                self.call_back(event.token(), world);
            }
        }
        Ok(())
    }

    fn call_back(&mut self, token: Token, world: &mut World) {
        let Some(slot) = self.slots.get_mut(&token) else { return };
        let Some(Waiter { name, callback }) = slot.waiter.take() else { return };
        println!("an event for socket {}: {name} is called", token.0);
        callback(self, world);
    }
    // ANCHOR_END: run

    // ANCHOR: close
    /// Closes a socket, and drops the callback that waits for it.
    fn close(&mut self, token: Token) {
        if let Some(mut slot) = self.slots.remove(&token) {
            let registry = self.poll.registry();
            registry.deregister(&mut slot.stream).expect("it was registered");
        }
    }

    fn stream(&mut self, token: Token) -> &mut TcpStream {
        &mut self.slot(token).stream
    }

    fn slot(&mut self, token: Token) -> &mut Slot<World> {
        self.slots.get_mut(&token).expect("a fetcher closes its socket only once")
    }
    // ANCHOR_END: close

    fn waiters(&self) -> String {
        let names = self.slots.iter().map(|(token, slot)| match &slot.waiter {
            Some(Waiter { name, .. }) => format!("{name} waits for socket {}", token.0),
            None => format!("no callback waits for socket {}", token.0),
        });
        names.collect::<Vec<_>>().join(", ")
    }
}

// ANCHOR: fetcher
/// What a fetch remembers from one callback to the next.
struct Fetcher {
    url: Url,
    token: Token,
    parser: ResponseParser,
}

/// What all callbacks share: the world.
struct Crawler {
    todo: Vec<Url>,
}

type Loop = EventLoop<Crawler>;
// ANCHOR_END: fetcher

impl Crawler {
    // ANCHOR: fetch
    /// Starts to fetch a page. Everything else happens in callbacks.
    fn fetch(&mut self, url: Url, event_loop: &mut Loop) -> io::Result<()> {
        let addresses = url.socket_addrs(|| None)?; // this still blocks
        let first = addresses.first().ok_or(ErrorKind::HostUnreachable)?;
        let token = event_loop.connect(*first)?;
        let parser = ResponseParser::with_limit(MAX_BODY);
        let fetcher = Fetcher { url, token, parser };
        fetcher.then("connected", Fetcher::connected, event_loop);
        Ok(())
    }

    // ANCHOR_END: fetch

    // ANCHOR: finish
    /// A fetch has succeeded. The fetcher is not stored again, so it ends here.
    fn finish(&mut self, fetcher: Fetcher, page: Page, event_loop: &mut Loop) {
        event_loop.close(fetcher.token);
        println!("{}: status {}", fetcher.url, page.status);
        self.todo.extend(page.links);
    }

    /// A fetch has failed.
    fn fail(
        &mut self,
        fetcher: Fetcher,
        error: impl Into<FetchError>,
        event_loop: &mut Loop,
    ) {
        event_loop.close(fetcher.token);
        println!("{}: {}", fetcher.url, error.into());
    }
    // ANCHOR_END: finish
}

impl Fetcher {
    // ANCHOR: then
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
    // ANCHOR_END: then

    // ANCHOR: connected
    /// The socket is writable: the connection is established, or it failed.
    fn connected(self, event_loop: &mut Loop, crawler: &mut Crawler) {
        let stream = event_loop.stream(self.token);
        match is_connected(stream) {
            Ok(true) => println!("connected!"),
            Ok(false) => return self.then("connected", Self::connected, event_loop),
            Err(error) => return crawler.fail(self, error, event_loop),
        }
        // A request this short always fits into the empty buffer of a new socket.
        let request = request(&self.url, AGENT, ConnectionOption::Close);
        if let Err(error) = stream.write_all(&request) {
            return crawler.fail(self, error, event_loop);
        }
        self.read_response(event_loop, crawler)
    }
    // ANCHOR_END: connected

    // ANCHOR: read_response
    /// The socket is readable: data arrived, or the server closed. Reads everything,
    /// since data that is left unread causes no new edge.
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
                    let page = Page::from_response(&self.url, response);
                    return crawler.finish(self, page, event_loop);
                }
                Err(error) => return crawler.fail(self, error, event_loop),
            }
        }
    }
    // ANCHOR_END: read_response
}

/// Returns whether the connection is established, or why the attempt failed.
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
    let url = parse_root(&env::args().nth(1).unwrap_or(site.url("/slow/1?ms=300")))?;
    let mut event_loop = EventLoop::new()?;
    let mut crawler = Crawler { todo: Vec::new() };
    crawler.fetch(url, &mut event_loop)?;
    println!("fetch has returned, and nothing has been fetched yet");
    event_loop.run(&mut crawler)?;
    println!("run has returned, and these links are left to do:");
    for url in &crawler.todo {
        println!("  {url}");
    }
    Ok(())
}
// ANCHOR_END: main
