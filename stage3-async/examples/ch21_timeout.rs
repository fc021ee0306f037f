//! One time-out around the whole: a race with a sleep, in which the loser is dropped.
//!
//! `cargo run -p stage3-async --example ch21_timeout`
//!
//! It does not run in a page: it listens on a socket of std.

use stage3_async::{Either, Executor, Reactor, TcpStream, race};
use std::error::Error;
use std::future::Future;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{self, Ipv4Addr, SocketAddr, TcpListener};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest wait for one read, and the longest time for everything.
const IDLE: Duration = Duration::from_secs(10);
const TOTAL: Duration = Duration::from_millis(300);

// ANCHOR: within
/// Races a future against a sleep. The one that loses is dropped where it waits. (The
/// library's `timeout` is the same, with an error in place of `None`.)
async fn within<F: Future>(
    time: Duration,
    future: F,
    reactor: &Reactor,
) -> Option<F::Output> {
    match race(future, reactor.sleep_until(Instant::now() + time)).await {
        Either::First(output) => Some(output),
        Either::Second(()) => None,
    }
}
// ANCHOR_END: within

// Broken: the timer starts again with each read, so a byte now and then keeps us here
// for as long as the server likes.
// ANCHOR: idle
/// Allows a time for each read, and leaves after ten bytes. Returns what happened.
async fn read_slowly(address: SocketAddr, reactor: &Reactor) -> io::Result<String> {
    let mut stream = TcpStream::connect(address, reactor).await?;
    let mut bytes = 0;
    while bytes < 10 {
        let read = stream.read_with(|chunk| chunk.len());
        match within(IDLE, read, reactor).await.transpose()? {
            Some(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Some(count) => bytes += count,
            None => return Ok(format!("the time is over after {bytes} bytes")),
        }
    }
    Ok("10 bytes have arrived, and no timer has fired".to_string())
}
// ANCHOR_END: idle

// ANCHOR: read_all
/// Reads to the end, which never comes. The timer is around this call, not in it.
async fn read_all(address: SocketAddr, reactor: &Reactor) -> io::Result<()> {
    let mut stream = TcpStream::connect(address, reactor).await?;
    while stream.read_with(|chunk| chunk.len()).await? > 0 {}
    Ok(())
}
// ANCHOR_END: read_all

// ANCHOR: servers
/// Sends a byte now and then. Returns whether its client has closed.
fn drip(mut client: net::TcpStream) -> io::Result<bool> {
    for _ in 0..500 {
        if client.write_all(b".").is_err() {
            return Ok(true);
        }
        thread::sleep(PAUSE);
    }
    Ok(false)
}

/// Sends nothing. Returns whether its client has closed.
fn stall(mut client: net::TcpStream) -> io::Result<bool> {
    client.set_read_timeout(Some(PATIENCE))?;
    Ok(client.read(&mut [0])? == 0)
}
// ANCHOR_END: servers

type Serve = fn(net::TcpStream) -> io::Result<bool>;

/// Starts a server for one client.
fn start(serve: Serve) -> io::Result<(SocketAddr, JoinHandle<io::Result<bool>>)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    Ok((address, thread::spawn(move || serve(listener.accept()?.0))))
}

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    let reactor = executor.reactor();
    println!("a drip, with a timer for each read");
    let (address, _) = start(drip)?;
    println!("  {}", executor.block_on(read_slowly(address, reactor))??);
    for (name, serve) in [("drip", drip as Serve), ("stall", stall)] {
        println!("a {name}, with one timer for the whole");
        let (address, server) = start(serve)?;
        let began = Instant::now();
        let read = within(TOTAL, read_all(address, reactor), reactor);
        match executor.block_on(read)? {
            Some(result) => println!("  it has ended: {result:?}"),
            None => println!("  the time is over: {} ms", began.elapsed().as_millis()),
        }
        let is_closed = server.join().expect("it does not panic")?;
        println!("  its server sees that the socket is closed: {is_closed}");
    }
    Ok(())
}
// ANCHOR_END: main
