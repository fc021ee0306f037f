//! The compiler turns an `async fn` into the enum that stage 2 writes by hand.
//!
//! `cargo run -p stage3-async --example ch17_async_fn`

use shared::demo_site::DemoSite;
use shared::http::ConnectionOption::Close;
use shared::{FetchError, Response, ResponseParser, Url, request};
use stage3_async::{Executor, Reactor, TcpStream, timeout};
use std::error::Error;
use std::future::ready;
use std::hint::black_box;
use std::io::ErrorKind::AddrNotAvailable;
use std::net::SocketAddr;
use std::time::Duration;
use std::vec::IntoIter;

const AGENT: &str = "a step of the book";
const MAX_BODY: u64 = 10 * 1024 * 1024;
const PATIENCE: Duration = Duration::from_secs(10);

mod by_hand {
    #![expect(dead_code, reason = "only the size is asked for")]
    use shared::ResponseParser;
    use std::{net::SocketAddr, rc::Rc, vec::IntoIter};

    // ANCHOR: by_hand
    /// The frame of stage 2's fetch: a variant for each wait, with what is alive there.
    pub(super) enum Fetch {
        Connecting(Connect, Vec<u8>, u64),
        Sending(SendAll, Rc<Socket>, u64),
        Reading(ReadAll),
    }

    pub(super) enum Connect {
        To(IntoIter<SocketAddr>),
        Connecting(Rc<Socket>, IntoIter<SocketAddr>),
    }

    pub(super) struct SendAll(Rc<Socket>, Vec<u8>, usize);

    pub(super) struct ReadAll(Read, ResponseParser);

    pub(super) struct Read(Rc<Socket>);
    // ANCHOR_END: by_hand

    /// Only a pointer to it is in the frame: the socket is behind an `Rc`.
    pub(super) struct Socket;
}

// ANCHOR: fetch
/// The same fetch. The compiler turns it into an enum without a name: it has a variant
/// for each `.await`, with all that is used later.
async fn fetch(
    addresses: IntoIter<SocketAddr>,
    request: Vec<u8>,
    max_body: u64,
    reactor: &Reactor,
) -> Result<Response, FetchError> {
    let mut stream = connect(addresses, reactor).await?; // alive: request, max_body
    stream.write_all(&request).await?; // alive: stream, request, max_body
    let mut parser = ResponseParser::with_limit(max_body);
    loop {
        // alive: stream, parser, and still request, which is dropped at the end
        let fed = stream.read_with(|bytes| parser.feed(bytes)).await?;
        if let Some(response) = fed? {
            return Ok(response);
        }
    }
}
// ANCHOR_END: fetch

// ANCHOR: connect
/// Connects to the first of several addresses that accepts. While it waits, its frame
/// is stored inside the frame of `fetch`.
async fn connect(
    addresses: IntoIter<SocketAddr>,
    reactor: &Reactor,
) -> Result<TcpStream, FetchError> {
    let mut failure = FetchError::Network(AddrNotAvailable);
    for address in addresses {
        match TcpStream::connect(address, reactor).await {
            Ok(stream) => return Ok(stream),
            Err(error) => failure = failure.more_telling(error.into()),
        }
    }
    Err(failure)
}
// ANCHOR_END: connect

// ANCHOR: across
const CHUNK: usize = 16 * 1024;

/// The array is used after the await, so it has to be in the frame.
async fn holds() -> u8 {
    let chunk = black_box([0; CHUNK]);
    ready(()).await;
    chunk[0]
}

/// The array is gone before the await, so it is only ever on the stack of one poll.
async fn lets_go() -> u8 {
    let first = {
        let chunk = black_box([0; CHUNK]);
        chunk[0]
    };
    ready(()).await;
    first
}

/// Like `holds`, but the array is an argument.
async fn holds_argument(chunk: [u8; CHUNK]) -> u8 {
    ready(()).await;
    chunk[0]
}
// ANCHOR_END: across

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    let url = Url::parse(&site.url("/"))?;
    let (executor, request) = (Executor::new()?, request(&url, AGENT, Close));
    let addresses = vec![site.address()].into_iter();
    let future = fetch(addresses, request, MAX_BODY, executor.reactor());
    println!("fetch is called: the site has seen {} requests", site.requests("/"));
    let size = size_of_val(&future);
    let in_time = timeout(PATIENCE, future, executor.reactor());
    let status = executor.block_on(in_time)???.status; // not stuck, in time, fetched
    println!("the future is polled: status {status}, {} request", site.requests("/"));
    println!("the size of a thousand frames (a chunk is {CHUNK} bytes)");
    print_size("the fetch as stage 2's enum", size_of::<by_hand::Fetch>());
    print_size("the fetch as an async fn", size);
    print_size("with a chunk held across an await", size_of_val(&holds()));
    print_size("with a chunk let go before it", size_of_val(&lets_go()));
    print_size("with a chunk as an argument", size_of_val(&holds_argument([0; CHUNK])));
    Ok(())
}
// ANCHOR_END: main

// ANCHOR: print_size
/// Prints the size of a thousand frames, as this compiler lays them out. 1 KB is 1,024
/// bytes.
fn print_size(what: &str, bytes: usize) {
    let size = bytes * 1_000 / 1_024;
    println!("  {what}: {size} KB, room for a chunk: {}", bytes >= CHUNK);
}
// ANCHOR_END: print_size
