//! The program sleeps until the system reports an event for its socket.
//!
//! `cargo run -p stage1-callbacks --example ch04_selector [URL]`

// ANCHOR: use
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use shared::demo_site::DemoSite;
use shared::page::url::parse_root;
use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::time::Duration;
use url::Url;
// ANCHOR_END: use

const PATIENCE: Duration = Duration::from_secs(5);

// ANCHOR: connect
/// Starts to connect and returns at once: mio's sockets never block.
fn connect(url: &Url) -> io::Result<TcpStream> {
    let addresses: Vec<SocketAddr> = url.socket_addrs(|| None)?; // this still blocks
    let first = addresses.first().ok_or(ErrorKind::HostUnreachable)?;
    TcpStream::connect(*first)
}

// ANCHOR: is_connected
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
// ANCHOR_END: is_connected
// ANCHOR_END: connect

// ANCHOR: fetch
/// A function to call when there is an event for the socket beside it.
type Callback = fn(TcpStream) -> io::Result<()>;

/// Starts a fetch: registers the socket, and leaves a callback for its first event.
fn fetch(url: &Url, poll: &Poll) -> io::Result<HashMap<Token, (TcpStream, Callback)>> {
    let mut stream = connect(url)?;
    let token = Token(1);
    poll.registry().register(&mut stream, token, Interest::WRITABLE)?;
    println!("socket {} is registered; connected is called when it is ready", token.0);
    Ok(HashMap::from([(token, (stream, connected as Callback))]))
}

/// The socket is writable: the connection is established, or it failed.
fn connected(stream: TcpStream) -> io::Result<()> {
    match is_connected(&stream)? {
        true => println!("connected!"),
        false => println!("woken for nothing; chapter 5 waits again"),
    }
    Ok(())
}
// ANCHOR_END: fetch

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    let url = parse_root(&env::args().nth(1).unwrap_or(site.url("/")))?;
    let mut poll = Poll::new()?;
    let mut events = Events::with_capacity(64);
    let mut slots = fetch(&url, &poll)?;
    // ANCHOR: turn
    while !slots.is_empty() {
        println!("waiting");
        poll.poll(&mut events, Some(PATIENCE))?;
        if events.is_empty() {
            return Err(format!("connected still waits for {url}").into());
        }
        for event in &events {
            println!("an event for socket {}", event.token().0);
            if let Some((stream, callback)) = slots.remove(&event.token()) {
                callback(stream)?;
            }
        }
    }
    // ANCHOR_END: turn
    Ok(())
}
// ANCHOR_END: main
