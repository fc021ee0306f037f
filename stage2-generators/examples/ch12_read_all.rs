//! A fetch hands its reading to a child, and the task that drives it is not changed.
//!
//! `cargo run -p stage2-generators --example ch12_read_all`

use polling::Event;
use shared::demo_site::DemoSite;
use shared::http::{Connection, request};
use shared::{Stop, Trace, Url};
use stage2_generators::{
    Connect, Coroutine, Loop, RESOLVED, Result, Resume, Socket, Step, yield_from,
};
use std::error::Error;
use std::io::{self, Read as _, Write as _};
use std::mem;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Instant;

const AGENT: &str = "a step of the book";

// ANCHOR: ask
/// Connects, sends a request, and returns the socket to which the answer comes.
struct Ask {
    connect: Connect,
    request: Vec<u8>,
}

impl Coroutine for Ask {
    type Return = Result<Rc<Socket>>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        let connected = yield_from!(self.connect, event_loop, resume);
        Step::Return(connected.and_then(|socket| {
            // So few bytes fit into a new socket's buffer, which is empty.
            socket.inner().write_all(&self.request)?;
            Ok(socket)
        }))
    }
}
// ANCHOR_END: ask

/// The bytes that are there, 4096 at most. No bytes: the server has closed.
fn receive(mut socket: &socket2::Socket) -> io::Result<Vec<u8>> {
    let mut chunk = [0; 4096];
    let count = socket.read(&mut chunk)?;
    Ok(chunk[..count].to_vec())
}

// ANCHOR: alone
/// A fetch that does its own reading. (`attempt` tries first, and waits where it would
/// block; and after each chunk ours lets the others run. The Python leaves that out.)
// def fetch(ask):
//     socket = yield from ask
//     page = b''
//     while True:
//         yield when_readable(socket)
//         chunk = socket.recv(4096)
//         if not chunk:
//             return page
//         page += chunk
enum FetchAlone {
    Asking { ask: Ask },
    Reading { socket: Rc<Socket>, page: Vec<u8> },
}
// ANCHOR_END: alone

impl Coroutine for FetchAlone {
    type Return = Result<Vec<u8>>;

    // ANCHOR: alone_resume
    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        match self {
            FetchAlone::Asking { ask } => match yield_from!(ask, event_loop, resume) {
                Ok(socket) => {
                    *self = FetchAlone::Reading { socket, page: Vec::new() };
                    self.resume(event_loop, Resume::Send)
                }
                Err(error) => Step::Return(Err(error)),
            },
            FetchAlone::Reading { socket, page } => {
                match event_loop.attempt(socket, Event::readable, resume, receive) {
                    Step::Yield(future) => Step::Yield(future),
                    Step::Return(Ok(chunk)) if !chunk.is_empty() => {
                        page.extend(chunk);
                        Step::Yield(RESOLVED) // now the others have their turn
                    }
                    Step::Return(end) => Step::Return(end.map(|_| mem::take(page))),
                }
            }
        }
    }
    // ANCHOR_END: alone_resume
}

// ANCHOR: read
/// Returns the bytes that come next. It waits for one thing only, so it has no states.
// def read(socket):
//     yield when_readable(socket)
//     return socket.recv(4096)
struct Read {
    socket: Rc<Socket>,
}

impl Coroutine for Read {
    type Return = Result<Vec<u8>>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        event_loop.attempt(&self.socket, Event::readable, resume, receive)
    }
}
// ANCHOR_END: read

// ANCHOR: read_all
/// Returns all that comes until the server closes the connection.
// def read_all(socket):
//     page = b''
//     chunk = yield from read(socket)
//     while chunk:
//         page += chunk
//         chunk = yield from read(socket)
//     return page
struct ReadAll {
    read: Read,
    page: Vec<u8>,
}

impl Coroutine for ReadAll {
    type Return = Result<Vec<u8>>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        match yield_from!(self.read, event_loop, resume) {
            Ok(chunk) if !chunk.is_empty() => self.page.extend(chunk),
            result => return Step::Return(result.map(|_| mem::take(&mut self.page))),
        }
        self.read = Read { socket: Rc::clone(&self.read.socket) };
        Step::Yield(RESOLVED) // resolved already: the others have their turn
    }
}
// ANCHOR_END: read_all

// ANCHOR: fetch
/// A fetch that leaves the reading to `read_all`.
// def fetch(ask):
//     socket = yield from ask
//     page = yield from read_all(socket)
//     return page
enum Fetch {
    Asking { ask: Ask },
    Reading { read_all: ReadAll },
}
// ANCHOR_END: fetch

impl Coroutine for Fetch {
    type Return = Result<Vec<u8>>;

    // ANCHOR: fetch_resume
    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        match self {
            Fetch::Asking { ask } => match yield_from!(ask, event_loop, resume) {
                Ok(socket) => {
                    let read_all = ReadAll { read: Read { socket }, page: Vec::new() };
                    *self = Fetch::Reading { read_all };
                    self.resume(event_loop, Resume::Send)
                }
                Err(error) => Step::Return(Err(error)),
            },
            // The last wait: what it yields we yield, what it returns we return.
            Fetch::Reading { read_all } => read_all.resume(event_loop, resume),
        }
    }
    // ANCHOR_END: fetch_resume
}

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    let url = Url::parse(&site.url("/big?bytes=100000")).expect("it is the site's own");
    let mut event_loop = Loop::new(&Stop::new(), Trace::off())?;
    let alone = FetchAlone::Asking { ask: ask(site.address(), &url) };
    let fetch = Fetch::Asking { ask: ask(site.address(), &url) };
    let alone = event_loop.spawn(alone);
    let fetch = event_loop.spawn(fetch);
    // The first `?` is for the loop, the second for the task.
    let alone = event_loop.run_until_complete(alone)??;
    let fetch = event_loop.run_until_complete(fetch)??;
    show("one enum", &alone);
    show("three coroutines", &fetch);
    println!("the same executor, and the same bytes: {}", body(&alone) == body(&fetch));
    Ok(())
}

fn ask(address: SocketAddr, url: &Url) -> Ask {
    let connect = Connect::to(vec![address], Instant::now());
    Ask { connect, request: request(url, AGENT, Connection::Close) }
}
// ANCHOR_END: main

fn show(name: &str, page: &[u8]) {
    let text = String::from_utf8_lossy(page);
    let status = text.lines().next().unwrap_or_default();
    println!("{name}: {status}, and a body of {} bytes", body(page).len());
}

/// What follows the empty line.
fn body(page: &[u8]) -> &[u8] {
    let end = page.windows(4).position(|four| four == b"\r\n\r\n");
    end.map_or(page, |end| &page[end + 4..])
}
