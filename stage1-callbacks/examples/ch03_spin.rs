//! A non-blocking socket never waits, so this program asks it again and again.
//!
//! `cargo run -p stage1-callbacks --example ch03_spin [URL]`
//!
//! Its output is compared on Linux only.
//! In a page its output differs: processor time is read on Linux only, and an error
//! has no number.

// ANCHOR: use
use mio::net::TcpStream;
use shared::demo_site::DemoSite;
use shared::http::ConnectionOption;
use shared::page::url::parse_root;
use shared::{FetchError, Response, ResponseParser, request};
use socket2::{SockAddr, Socket, Type};
use std::error::Error;
use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use std::{env, fs};
use url::Url;
// ANCHOR_END: use

const AGENT: &str = "a step of the book";
const MAX_BODY: u64 = 10 * 1024 * 1024;
const PATIENCE: Duration = Duration::from_secs(5);

// ANCHOR: connect
/// Starts to connect and returns at once: mio's sockets never block.
fn connect(url: &Url) -> io::Result<TcpStream> {
    let addresses: Vec<SocketAddr> = url.socket_addrs(|| None)?; // this still blocks
    let first = addresses.first().ok_or(ErrorKind::HostUnreachable)?;
    TcpStream::connect(*first)
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
// ANCHOR_END: connect

// ANCHOR: without_mio
/// Starts to connect as mio does, and prints what the system answers.
fn connect_without_mio(url: &Url) -> io::Result<()> {
    let addresses = url.socket_addrs(|| None)?;
    let address = SockAddr::from(addresses[0]);
    let socket = Socket::new(address.domain(), Type::STREAM, None)?;
    socket.set_nonblocking(true)?;
    match socket.connect(&address) {
        Ok(()) => println!("connect: it is done"),
        Err(error) => println!("connect: {error}"),
    }
    Ok(())
}
// ANCHOR_END: without_mio

// ANCHOR: connected
/// Connects without ever sleeping: asks again and again whether the attempt is over.
fn connected(url: &Url, give_up: Instant) -> Result<TcpStream, FetchError> {
    let (stream, mut spins) = (connect(url)?, 0);
    while !is_connected(&stream)? {
        spins += 1;
        fail_after(give_up)?;
    }
    println!("connected after {spins} spins (over a network there would be some)");
    Ok(stream)
}
// ANCHOR_END: connected

// ANCHOR: fetch
/// Fetches a page without ever sleeping, and counts the reads that found nothing.
fn fetch(url: &Url) -> Result<Response, FetchError> {
    let give_up = Instant::now() + PATIENCE;
    let mut stream = connected(url, give_up)?;
    stream.write_all(&request(url, AGENT, ConnectionOption::Close))?;
    let (mut parser, mut spins) = (ResponseParser::with_limit(MAX_BODY), 0);
    let mut chunk = [0; 4096];
    // ANCHOR: spin
    loop {
        match stream.read(&mut chunk) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => spins += 1,
            result => {
                if let Some(response) = parser.feed(&chunk[..result?])? {
                    println!("read after {spins} spins");
                    return Ok(response);
                }
            }
        }
        fail_after(give_up)?;
    }
    // ANCHOR_END: spin
}
// ANCHOR_END: fetch

fn fail_after(when: Instant) -> Result<(), FetchError> {
    match Instant::now() > when {
        true => Err(FetchError::TimedOut(PATIENCE)),
        false => Ok(()),
    }
}

// ANCHOR: cpu
/// Returns how long this thread has run on a processor. Only Linux has this file.
fn cpu_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
// ANCHOR_END: cpu

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    let url = env::args().nth(1).unwrap_or(site.url("/slow/1?ms=500"));
    let url = parse_root(&url)?;
    let (start, cpu_before) = (Instant::now(), cpu_time());
    let response = fetch(&url).map_err(|error| format!("{url}: {error}"))?;
    println!("{url}: status {}, {} bytes", response.status, response.body.len());
    println!("time: {:.2} s", start.elapsed().as_secs_f64());
    match (cpu_before, cpu_time()) {
        (Some(before), Some(now)) => {
            println!("CPU:  {:.2} s", (now - before).as_secs_f64());
        }
        _ => println!("CPU:  only read on Linux"),
    }
    Ok(connect_without_mio(&url)?)
}
// ANCHOR_END: main
