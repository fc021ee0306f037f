//! A fetch leaves its reading to a child, and the task that drives it does not change.
//!
//! `cargo run -p stage2-generators --example ch12_read_all`

use polling::Event;
use shared::demo_site::DemoSite;
use shared::http::{self, ConnectionOption};
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

// ANCHOR: send_request
/// Connects, sends a request, and returns the socket on which the response will arrive.
struct SendRequest {
    connect: Connect,
    bytes: Vec<u8>,
}

impl Coroutine for SendRequest {
    type Return = Result<Rc<Socket>>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        let connected = yield_from!(self.connect, event_loop, resume);
        Step::Return(connected.and_then(|socket| {
            // A new socket's buffer is empty, and has room for a request this short.
            socket.inner().write_all(&self.bytes)?;
            Ok(socket)
        }))
    }
}
// ANCHOR_END: send_request

impl SendRequest {
    fn new(address: SocketAddr, url: &Url) -> SendRequest {
        let connect = Connect::to(vec![address], Instant::now());
        SendRequest {
            connect,
            bytes: http::request(url, AGENT, ConnectionOption::Close),
        }
    }
}

/// One read: returns the bytes that have arrived, at most 4,096, or none if the server
/// has closed the connection.
fn receive(mut socket: &socket2::Socket) -> io::Result<Vec<u8>> {
    let mut chunk = [0; 4096];
    let count = socket.read(&mut chunk)?;
    Ok(chunk[..count].to_vec())
}

// ANCHOR: alone
/// A fetch that does its own reading. After each chunk it lets the other tasks run.
enum FetchAlone {
    Requesting { request: SendRequest },
    Reading { socket: Rc<Socket>, page: Vec<u8> },
}
// ANCHOR_END: alone

impl Coroutine for FetchAlone {
    type Return = Result<Vec<u8>>;

    // ANCHOR: alone_resume
    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        match self {
            FetchAlone::Requesting { request } => {
                match yield_from!(request, event_loop, resume) {
                    Ok(socket) => {
                        *self = FetchAlone::Reading { socket, page: Vec::new() };
                        self.resume(event_loop, Resume::Send)
                    }
                    Err(error) => Step::Return(Err(error)),
                }
            }
            FetchAlone::Reading { socket, page } => {
                match event_loop.attempt(socket, Event::readable, resume, receive) {
                    Step::Yield(future) => Step::Yield(future),
                    Step::Return(Ok(chunk)) if !chunk.is_empty() => {
                        page.extend(chunk);
                        Step::Yield(RESOLVED) // lets the other tasks run first
                    }
                    Step::Return(end) => Step::Return(end.map(|_| mem::take(page))),
                }
            }
        }
    }
    // ANCHOR_END: alone_resume
}

// ANCHOR: read
/// Waits for bytes, and returns them. It waits at one place only, so it needs no enum.
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
/// Reads until the server closes the connection, and returns all bytes.
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
        Step::Yield(RESOLVED) // lets the other tasks run first
    }
}
// ANCHOR_END: read_all

// ANCHOR: fetch
/// A fetch that leaves the reading to `ReadAll`.
enum Fetch {
    Requesting { request: SendRequest },
    Reading { read_all: ReadAll },
}
// ANCHOR_END: fetch

impl Coroutine for Fetch {
    type Return = Result<Vec<u8>>;

    // ANCHOR: fetch_resume
    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        match self {
            Fetch::Requesting { request } => {
                match yield_from!(request, event_loop, resume) {
                    Ok(socket) => {
                        let read_all =
                            ReadAll { read: Read { socket }, page: Vec::new() };
                        *self = Fetch::Reading { read_all };
                        self.resume(event_loop, Resume::Send)
                    }
                    Err(error) => Step::Return(Err(error)),
                }
            }
            // The last wait: what the child yields or returns, we yield or return.
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
    let request = || SendRequest::new(site.address(), &url);
    let one_enum = event_loop.spawn(FetchAlone::Requesting { request: request() });
    let nested = event_loop.spawn(Fetch::Requesting { request: request() });
    // The first `?` is for the loop, the second for the task.
    let first_page = event_loop.run_until_complete(one_enum)??;
    let second_page = event_loop.run_until_complete(nested)??;
    show("one enum", &first_page);
    show("three coroutines", &second_page);
    let is_equal = body(&first_page) == body(&second_page);
    println!("the same loop, and the same bytes: {is_equal}");
    Ok(())
}

// ANCHOR_END: main

fn show(name: &str, page: &[u8]) {
    let text = String::from_utf8_lossy(page);
    let status = text.lines().next().unwrap_or_default();
    println!("{name}: {status}, and a body of {} bytes", body(page).len());
}

/// Returns what comes after the empty line.
fn body(page: &[u8]) -> &[u8] {
    let end = page.windows(4).position(|four| four == b"\r\n\r\n");
    end.map_or(page, |end| &page[end + 4..])
}
