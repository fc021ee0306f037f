//! Sockets that await.

use crate::reactor::{Direction, Reactor, Readiness};
use mio::{Interest, event::Source};
use shared::watch::{Leaf, Waiting};
use std::future::poll_fn;
use std::io::{self, ErrorKind, Read, Write};
use std::{net::SocketAddr, rc::Rc, task::Poll};

static ACCEPT: Leaf = Leaf::new(file!(), "accept", Waiting::Readable);
static CONNECT: Leaf = Leaf::new(file!(), "connect", Waiting::Writable);
static READ: Leaf = Leaf::new(file!(), "read", Waiting::Readable);
static WRITE: Leaf = Leaf::new(file!(), "write", Waiting::Writable);
static TURN: Leaf = Leaf::new(file!(), "read", Waiting::Turn);

/// A TCP connection. Dropped, it is closed, and the reactor forgets it.
pub struct TcpStream(Socket<mio::net::TcpStream>);

/// What others connect to. Dropped, it is closed, and the reactor forgets it.
pub struct TcpListener(Socket<mio::net::TcpListener>);

/// A socket of one kind or the other, and what it takes to wait for it.
struct Socket<S: Source> {
    socket: S,
    readiness: Rc<Readiness>,
    reactor: Reactor,
    /// How often it was ready at once, without letting others run.
    streak: u32,
}

/// Uses of a socket that is always ready before the others have their turn.
const LONGEST_STREAK: u32 = 2;

/// What a connection is registered for: all that can be waited for.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const BOTH: Interest = Interest::READABLE.add(Interest::WRITABLE);
/// What a connection is registered for: all that can be waited for. Urgent bytes, too:
/// nobody wants them, but each read ends before them.
#[cfg(any(target_os = "linux", target_os = "android"))]
const BOTH: Interest =
    Interest::READABLE.add(Interest::WRITABLE).add(Interest::PRIORITY);

/// Somebody waits for the socket. However that ends, nobody is woken for it any more.
struct Waits<'a>(&'a Readiness);

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.forget_waiter();
    }
}

impl TcpStream {
    /// Connects, and returns when the connection stands, or has failed.
    pub async fn connect(
        address: SocketAddr,
        reactor: &Reactor,
    ) -> io::Result<TcpStream> {
        let socket = mio::net::TcpStream::connect(address)?;
        let mut stream = TcpStream(Socket::new(socket, BOTH, reactor)?);
        stream.0.attempt(&CONNECT, Direction::Write, is_connected).await?;
        Ok(stream)
    }

    /// Waits for bytes, and hands them over: none, if the peer has closed. The buffer
    /// is that of all sockets, so what is to be kept has to be copied.
    pub async fn read_with<T>(
        &mut self,
        take: impl FnOnce(&[u8]) -> T,
    ) -> io::Result<T> {
        let Socket { reactor, readiness, .. } = &self.0;
        let (reactor, readiness) = (reactor.clone(), Rc::clone(readiness));
        let mut take = Some(take);
        let read = |socket: &mut mio::net::TcpStream| {
            reactor.with_buffer(|buffer| {
                let count = socket.read(buffer)?;
                if (1..buffer.len()).contains(&count) {
                    readiness.clear_after_short_read();
                }
                let take = take.take().expect("a read that has succeeded is the last");
                Ok(take(&buffer[..count]))
            })
        };
        self.0.attempt(&READ, Direction::Read, read).await
    }

    /// Sends all these bytes.
    pub async fn write_all(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let write = |socket: &mut mio::net::TcpStream| socket.write(bytes);
            match self.0.attempt(&WRITE, Direction::Write, write).await? {
                0 => return Err(ErrorKind::WriteZero.into()),
                count => bytes = &bytes[count..],
            }
        }
        Ok(())
    }

    /// Has nothing come that nobody has read, not even the end? As far as the reactor
    /// knew when it looked last.
    pub fn is_quiet(&self) -> bool {
        let is_empty = |peeked: io::Result<usize>| {
            peeked.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
        };
        !self.0.readiness.is_ready(Direction::Read)
            || is_empty(self.0.socket.peek(&mut [0; 1]))
    }
}

impl TcpListener {
    /// Listens on this address. With port 0 the system chooses one.
    ///
    /// # Errors
    /// The address cannot be had.
    pub fn bind(address: SocketAddr, reactor: &Reactor) -> io::Result<TcpListener> {
        let socket = mio::net::TcpListener::bind(address)?;
        Ok(TcpListener(Socket::new(socket, Interest::READABLE, reactor)?))
    }

    /// Where it listens, with the port that the system chose.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.socket.local_addr()
    }

    /// Waits for the next connection. One that is given up loses none.
    ///
    /// # Errors
    /// That connection has failed already, and the next one may not; or this process is
    /// out of sockets, and then it is worth a pause.
    pub async fn accept(&mut self) -> io::Result<TcpStream> {
        let accept = |socket: &mut mio::net::TcpListener| socket.accept();
        let (socket, _) = self.0.attempt(&ACCEPT, Direction::Read, accept).await?;
        Ok(TcpStream(Socket::new(socket, BOTH, &self.0.reactor)?))
    }
}

impl<S: Source> Socket<S> {
    fn new(mut socket: S, interest: Interest, reactor: &Reactor) -> io::Result<Self> {
        let readiness = reactor.register(&mut socket, interest)?;
        Ok(Socket { socket, readiness, reactor: reactor.clone(), streak: 0 })
    }

    /// Tries what may have to wait. That the socket is ready is only a hint; that it
    /// would block is the truth, until the next edge.
    async fn attempt<T>(
        &mut self,
        leaf: &'static Leaf,
        direction: Direction,
        mut operation: impl FnMut(&mut S) -> io::Result<T>,
    ) -> io::Result<T> {
        let Socket { socket, readiness, reactor, streak } = self;
        // ANCHOR: attempt
        let _waits = Waits(readiness);
        poll_fn(|cx| {
            loop {
                if readiness.poll_ready(direction, reactor.says(), cx).is_pending() {
                    *streak = 0;
                    return reactor.says().polled(leaf, Poll::Pending);
                }
                if *streak >= LONGEST_STREAK {
                    *streak = 0;
                    cx.waker().wake_by_ref(); // the others first
                    return reactor.says().polled(&TURN, Poll::Pending);
                }
                match operation(socket) {
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {
                        readiness.clear(direction);
                    }
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    result => {
                        *streak += 1;
                        return reactor.says().polled(leaf, Poll::Ready(result));
                    }
                }
            }
        })
        .await
        // ANCHOR_END: attempt
    }
}

impl<S: Source> Drop for Socket<S> {
    fn drop(&mut self) {
        self.reactor.deregister(self.readiness.token, &mut self.socket);
    }
}

/// The connection stands, or it failed, or neither has happened yet.
fn is_connected(socket: &mut mio::net::TcpStream) -> io::Result<()> {
    match (socket.take_error()?, socket.peer_addr()) {
        (Some(error), _) => Err(error),
        (None, Err(error)) if error.kind() == ErrorKind::NotConnected => {
            Err(ErrorKind::WouldBlock.into())
        }
        (None, result) => result.map(drop),
    }
}
