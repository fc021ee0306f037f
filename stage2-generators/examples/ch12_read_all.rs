//! A fetch hands its reading to a child, and the task that drives it is not changed.
//!
//! `cargo run -p stage2-generators --example ch12_read_all`

use shared::demo_site::DemoSite;
use shared::http::{Connection, request};
use shared::watch::Waiting::Readable;
use shared::{Stop, Url, Watch};
use stage2_generators::{
    Connect, Coroutine, Executor, Futures, RESOLVED, Result, Resume, Socket, Step,
    yield_from,
};
use std::io::{self, Read as _, Write as _};
use std::mem;
use std::net::SocketAddr;
use std::rc::Rc;

const AGENT: &str = "a step of the book";

// ANCHOR: ask
/// Connects, sends a request, and returns the socket to which the answer comes.
struct Ask {
    connect: Connect,
    request: Vec<u8>,
}

impl Coroutine for Ask {
    type Return = Result<Rc<Socket>>;

    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Self::Return> {
        let connected = yield_from!(self.connect, futures, how);
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
    Asking(Ask),
    Reading(Rc<Socket>, Vec<u8>),
}
// ANCHOR_END: alone

impl Coroutine for FetchAlone {
    type Return = Result<Vec<u8>>;

    // ANCHOR: alone_resume
    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Self::Return> {
        match self {
            FetchAlone::Asking(ask) => match yield_from!(ask, futures, how) {
                Ok(socket) => {
                    *self = FetchAlone::Reading(socket, Vec::new());
                    self.resume(futures, Resume::Send)
                }
                Err(error) => Step::Return(Err(error)),
            },
            FetchAlone::Reading(socket, page) => {
                match futures.attempt(socket, ("fetch", Readable), how, receive) {
                    Step::Yield(future) => Step::Yield(future),
                    Step::Return(Ok(chunk)) if !chunk.is_empty() => {
                        page.extend(chunk);
                        Step::Yield(RESOLVED) // now the others have their turn
                    }
                    Step::Return(Ok(_)) => Step::Return(Ok(mem::take(page))),
                    Step::Return(Err(error)) => Step::Return(Err(error)),
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
struct Read(Rc<Socket>);

impl Coroutine for Read {
    type Return = Result<Vec<u8>>;

    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Self::Return> {
        futures.attempt(&self.0, ("read", Readable), how, receive)
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
struct ReadAll(Read, Vec<u8>);

impl Coroutine for ReadAll {
    type Return = Result<Vec<u8>>;

    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Self::Return> {
        let ReadAll(read, page) = self;
        match yield_from!(read, futures, how) {
            Ok(chunk) if !chunk.is_empty() => page.extend(chunk),
            result => return Step::Return(result.map(|_| mem::take(page))),
        }
        *read = Read(Rc::clone(&read.0)); // chunk = yield from read(socket)
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
    Asking(Ask),
    Reading(ReadAll),
}
// ANCHOR_END: fetch

impl Coroutine for Fetch {
    type Return = Result<Vec<u8>>;

    // ANCHOR: fetch_resume
    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Self::Return> {
        match self {
            Fetch::Asking(ask) => match yield_from!(ask, futures, how) {
                Ok(socket) => {
                    *self = Fetch::Reading(ReadAll(Read(socket), Vec::new()));
                    self.resume(futures, Resume::Send)
                }
                Err(error) => Step::Return(Err(error)),
            },
            // The last wait: what it yields we yield, what it returns we return.
            Fetch::Reading(read_all) => read_all.resume(futures, how),
        }
    }
    // ANCHOR_END: fetch_resume
}

// ANCHOR: main
fn main() -> Result<()> {
    let site = DemoSite::start()?;
    let url = Url::parse(&site.url("/big?bytes=100000")).expect("it is the site's own");
    let mut executor = Executor::new(&Stop::new(), Watch::off())?;
    let alone = FetchAlone::Asking(ask(site.address(), &url));
    let fetch = Fetch::Asking(ask(site.address(), &url));
    let alone = executor.futures.spawn("one enum", alone);
    let fetch = executor.futures.spawn("three coroutines", fetch);
    // The first `?` is for the loop, the second for the task.
    let alone = executor.run_until_complete(alone)??;
    let fetch = executor.run_until_complete(fetch)??;
    show("one enum", &alone);
    show("three coroutines", &fetch);
    println!("the same executor, and the same bytes: {}", body(&alone) == body(&fetch));
    Ok(())
}

fn ask(address: SocketAddr, url: &Url) -> Ask {
    let connect = Connect::To(vec![address].into_iter());
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
