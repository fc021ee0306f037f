//! Broken on purpose: a socket is armed only once, so its second event never comes.
//!
//! `cargo run -p stage2-generators --example ch12_broken_no_rearm`
//!
//! It does not run in a page: it listens on a socket of std.

use polling::{Event, Events};
use shared::{Stop, Trace};
use stage2_generators::{
    Coroutine, Future, Loop, RESOLVED, Result, Resume, Socket, Step, yield_from,
};
use std::error::Error;
use std::io::{self, ErrorKind::WouldBlock, Read as _, Write as _};
use std::mem;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::rc::Rc;
use std::time::Duration;

const AT_ONCE: Duration = Duration::from_millis(100);

// ANCHOR: read
/// Waits for bytes, and returns them.
struct Read {
    socket: Rc<Socket>,
    /// Whether it arms the socket when it has to wait.
    arms: bool,
}

impl Coroutine for Read {
    type Return = Result<Vec<u8>>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        if !self.arms {
            return self.wait_unarmed(event_loop);
        }
        // If nothing has arrived, this arms the socket for a new future, and yields it.
        event_loop.attempt(&self.socket, Event::readable, resume, receive)
    }
}
// ANCHOR_END: read

impl Read {
    // The bug: nothing will ever resolve this future.
    // ANCHOR: unarmed
    /// Reads. If nothing has arrived, yields a new future, and does not arm the socket.
    fn wait_unarmed(&self, event_loop: &mut Loop) -> Step<Result<Vec<u8>>> {
        match receive(self.socket.inner()) {
            Err(error) if error.kind() == WouldBlock => {
                Step::Yield(event_loop.new_future())
            }
            result => Step::Return(result.map_err(Into::into)),
        }
    }
    // ANCHOR_END: unarmed
}

/// One read: returns the bytes that have arrived. No bytes: the peer has closed the
/// connection.
fn receive(mut socket: &socket2::Socket) -> io::Result<Vec<u8>> {
    let mut chunk = [0; 4096];
    let count = socket.read(&mut chunk)?;
    Ok(chunk[..count].to_vec())
}

// ANCHOR: read_all
/// Reads until the peer closes the connection, and returns all bytes.
struct ReadAll {
    read: Read,
    bytes: Vec<u8>,
    is_fixed: bool,
    /// Resolved when the first bytes have arrived: then `run` sends the rest.
    has_arrived: Future,
}
// ANCHOR_END: read_all

impl Coroutine for ReadAll {
    type Return = Result<Vec<u8>>;

    // ANCHOR: read_all_resume
    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        match yield_from!(self.read, event_loop, resume) {
            Ok(chunk) if !chunk.is_empty() => self.bytes.extend(chunk),
            result => return Step::Return(result.map(|_| mem::take(&mut self.bytes))),
        }
        event_loop.resolve(self.has_arrived);
        // "The socket has been armed since the first read." But an armed socket reports
        // only one event.
        let arms = self.is_fixed; // the fix: true
        self.read = Read { socket: Rc::clone(&self.read.socket), arms };
        self.resume(event_loop, Resume::Send)
    }
    // ANCHOR_END: read_all_resume
}

// ANCHOR: run
/// A task reads what is sent to it in two pieces. The second is sent once the first has
/// been read.
fn run(is_fixed: bool) -> Result<(), Box<dyn Error>> {
    let mut event_loop = Loop::new(&Stop::new(), Trace::off())?;
    let (socket, mut peer) = connection(&event_loop)?;
    let has_arrived = event_loop.new_future();
    let read = Read { socket: Rc::clone(&socket), arms: true };
    let page = ReadAll { read, bytes: Vec::new(), is_fixed, has_arrived };
    let page = event_loop.spawn_named("the page", page);
    wait(&mut event_loop, RESOLVED)?; // one tick, in which the task begins to read
    peer.write_all(b"hello, ")?;
    wait(&mut event_loop, has_arrived)?;
    peer.write_all(b"world")?;
    drop(peer); // closes the connection
    match event_loop.run_until_complete(page) {
        Ok(bytes) => println!("  the task returns {} bytes", bytes?.len()),
        Err(stuck) => {
            println!("  {stuck}");
            ask_the_selector(&event_loop, &socket)?;
        }
    }
    Ok(())
}
// ANCHOR_END: run

/// Runs the tasks until the future is resolved.
fn wait(event_loop: &mut Loop, future: Future) -> Result<(), Box<dyn Error>> {
    let task = event_loop.spawn(future);
    Ok(event_loop.run_until_complete(task)??)
}

// ANCHOR: ask
/// Prints whether the selector reports that there is something to read.
fn ask_the_selector(event_loop: &Loop, socket: &Socket) -> io::Result<()> {
    let mut events = Events::new();
    event_loop.reactor.poller.wait(&mut events, Some(AT_ONCE))?;
    println!("  the selector has {} events for the socket", events.len());
    event_loop.reactor.poller.modify(socket.inner(), Event::readable(7))?;
    event_loop.reactor.poller.wait(&mut events, Some(AT_ONCE))?;
    println!("  armed again, it has {}", events.len());
    Ok(())
}
// ANCHOR_END: ask

/// A socket for a task, and the other end of the connection.
fn connection(event_loop: &Loop) -> io::Result<(Rc<Socket>, TcpStream)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let stream = TcpStream::connect(listener.local_addr()?)?;
    stream.set_nonblocking(true)?;
    let socket = Socket::new(stream.into(), &event_loop.reactor.poller)?;
    Ok((Rc::new(socket), listener.accept()?.0))
}

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    println!("broken: armed once");
    run(false)?;
    println!("fixed: armed for each wait");
    run(true)
}
// ANCHOR_END: main
