//! Sockets with operations that can be awaited.

use super::budget::Draw;
use super::reactor::{Direction, Reactor, Readiness, Waits};
use crate::observe::Leaf; // observe
use mio::{Interest, Token, event::Source, net};
use std::io::{self, ErrorKind, Read, Write};
use std::task::{Poll, ready};
use std::{future::poll_fn, net::SocketAddr, rc::Rc};

static CONNECT: Leaf = Leaf::writable("connect"); // observe
static READ: Leaf = Leaf::readable("read"); // observe
static WRITE: Leaf = Leaf::writable("write"); // observe

/// A TCP connection. When it is dropped, it is closed, and the reactor forgets it.
pub struct TcpStream(pub(crate) Socket<net::TcpStream>);

// ANCHOR: socket
/// A socket of any kind, registered with a reactor.
pub(crate) struct Socket<S: Source> {
    pub(crate) socket: S,
    /// Names the socket in the selector's events.
    token: Token,
    pub(crate) readiness: Rc<Readiness>,
    pub(crate) reactor: Reactor,
}
// ANCHOR_END: socket

/// The events for which a connection is registered.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) const STREAM_INTEREST: Interest = Interest::READABLE.add(Interest::WRITABLE);
/// The events for which a connection is registered. Urgent data (`PRIORITY`) is
/// included because a read stops short of it, although no task wants it.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) const STREAM_INTEREST: Interest =
    Interest::READABLE.add(Interest::WRITABLE).add(Interest::PRIORITY);

impl TcpStream {
    // ANCHOR: connect
    /// Connects. Returns when the connection is established, or has failed.
    pub async fn connect(address: SocketAddr, reactor: &Reactor) -> io::Result<Self> {
        // `connect` may fail at once, before `attempt` draws on the budget.
        Draw::default().await;
        let socket = net::TcpStream::connect(address)?;
        let mut stream = TcpStream(Socket::new(socket, STREAM_INTEREST, reactor)?);
        stream.0.readiness.leaf.set(&CONNECT); // observe
        stream.0.attempt(Direction::Write, is_connected).await?;
        Ok(stream)
    }
    // ANCHOR_END: connect

    // ANCHOR: read_with
    /// Waits for bytes, and lends them to `take`. The slice is empty if the peer has
    /// closed the connection.
    pub async fn read_with<T>(
        &mut self,
        take: impl FnOnce(&[u8]) -> T,
    ) -> io::Result<T> {
        let (mut take, readiness) = (Some(take), Rc::clone(&self.0.readiness));
        let reactor = self.0.reactor.clone();
        let read = |socket: &mut net::TcpStream| {
            let buffer = &mut *reactor.0.buffer.borrow_mut();
            let count = socket.read(buffer)?;
            if (1..buffer.len()).contains(&count) {
                readiness.clear_after_short_read();
            }
            let take = take.take().expect("a read that succeeds is the last attempt");
            Ok(take(&buffer[..count]))
        };
        self.0.readiness.leaf.set(&READ); // observe
        self.0.attempt(Direction::Read, read).await
    }
    // ANCHOR_END: read_with

    // ANCHOR: write_all
    /// Sends all these bytes.
    pub async fn write_all(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let write = |socket: &mut net::TcpStream| socket.write(bytes);
            self.0.readiness.leaf.set(&WRITE); // observe
            match self.0.attempt(Direction::Write, write).await? {
                0 => return Err(ErrorKind::WriteZero.into()),
                count => bytes = &bytes[count..],
            }
        }
        Ok(())
    }
    // ANCHOR_END: write_all
}

impl<S: Source> Socket<S> {
    // ANCHOR: new
    pub(crate) fn new(
        mut socket: S,
        interest: Interest,
        reactor: &Reactor,
    ) -> io::Result<Self> {
        let (token, readiness) = reactor.register(&mut socket, interest)?;
        Ok(Socket { socket, token, readiness, reactor: reactor.clone() })
    }
    // ANCHOR_END: new

    /// Attempts an operation until it does not block.
    pub(crate) async fn attempt<T>(
        &mut self,
        direction: Direction,
        mut operation: impl FnMut(&mut S) -> io::Result<T>,
    ) -> io::Result<T> {
        Draw::default().await;
        // ANCHOR: attempt
        let _waits = Waits(&self.readiness);
        poll_fn(|cx| {
            loop {
                let poll = self.readiness.poll_ready(direction, cx);
                let poll = self.readiness.leaf.get().polled(self.token, poll); // observe
                ready!(poll);
                // Readiness is only a hint. `WouldBlock` is certain, until the next
                // edge.
                match operation(&mut self.socket) {
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {
                        self.readiness.clear(direction);
                    }
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    result => return Poll::Ready(result),
                }
            }
        })
        .await
        // ANCHOR_END: attempt
    }
}

impl<S: Source> Drop for Socket<S> {
    fn drop(&mut self) {
        self.reactor.deregister(self.token, &mut self.socket);
    }
}

// ANCHOR: is_connected
/// Succeeds if the connection is established. `WouldBlock`: it is not known yet.
fn is_connected(socket: &mut net::TcpStream) -> io::Result<()> {
    match (socket.take_error()?, socket.peer_addr()) {
        (Some(error), _) => Err(error),
        (None, Err(error)) if error.kind() == ErrorKind::NotConnected => {
            Err(ErrorKind::WouldBlock.into())
        }
        (None, result) => result.map(drop),
    }
}
// ANCHOR_END: is_connected
