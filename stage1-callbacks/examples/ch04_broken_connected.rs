//! Broken on purpose: takes "writable" for "connected", and a refusal for a page.
//!
//! `cargo run -p stage1-callbacks --example ch04_broken_connected`
//!
//! Its output is compared on Linux only.
//! It does not run in a page: it listens on a socket of std.

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(5);

// The bug: a socket also becomes writable when the attempt to connect has failed. The
// error is reported once, here to `write_all`, and `.ok()` throws it away.
// ANCHOR: connected
/// The socket is writable, so it must be connected.
fn connected(mut stream: TcpStream) -> io::Result<()> {
    println!("connected!");
    stream.write_all(b"GET / HTTP/1.0\r\n\r\n").ok();
    match stream.read_to_end(&mut Vec::new()) {
        Ok(count) => println!("the whole page was read: {count} bytes"),
        Err(error) => println!("this system reports it again: {}", error.kind()),
    }
    Ok(())
}
// ANCHOR_END: connected

// ANCHOR: fixed
/// The socket is writable: the connection is established, or it failed. Asks which.
fn connected_or_not(stream: TcpStream) -> io::Result<()> {
    match stream.take_error()? {
        Some(error) => println!("not connected: {}", error.kind()),
        None => println!("connected to {}!", stream.peer_addr()?),
    }
    Ok(())
}
// ANCHOR_END: fixed

// ANCHOR: main
fn main() -> io::Result<()> {
    let closed = a_closed_port()?;
    println!("broken:");
    fetch(closed, connected)?;
    println!("fixed:");
    fetch(closed, connected_or_not)
}

fn a_closed_port() -> io::Result<SocketAddr> {
    TcpListener::bind("127.0.0.1:0")?.local_addr() // closed again right away
}
// ANCHOR_END: main

fn fetch(
    address: SocketAddr,
    callback: fn(TcpStream) -> io::Result<()>,
) -> io::Result<()> {
    let mut poll = Poll::new()?;
    let mut stream = TcpStream::connect(address)?;
    poll.registry().register(&mut stream, Token(1), Interest::WRITABLE)?;
    let mut events = Events::with_capacity(64);
    poll.poll(&mut events, Some(PATIENCE))?;
    if events.is_empty() {
        return Err(io::Error::new(ErrorKind::TimedOut, "connected still waits"));
    }
    callback(stream)
}
