//! Sockets that await.

use crate::reactor::{Direction, Reactor};
use mio::Token;
use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::task::Poll;

/// A TCP connection. Dropped, it is closed, and the reactor forgets it.
pub struct TcpStream {
    socket: RefCell<mio::net::TcpStream>,
    token: Token,
    reactor: Reactor,
    /// Does somebody read, or write? One of each at a time.
    busy: [Cell<bool>; 2],
    /// How often it was ready at once, without letting others run.
    streak: Cell<u32>,
}

/// Uses of a socket that is always ready before the others have their turn.
const LONGEST_STREAK: u32 = 16;

/// Somebody's turn to read, or to write. However it ends, nobody is woken for it any more.
struct Turn<'a>(&'a TcpStream, Direction);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let Turn(stream, direction) = self;
        stream.busy[*direction as usize].set(false);
        stream.reactor.forget_waiter(stream.token, *direction);
    }
}

impl TcpStream {
    /// Connects, and returns when the connection stands, or has failed.
    pub async fn connect(
        address: SocketAddr,
        reactor: &Reactor,
    ) -> io::Result<TcpStream> {
        let mut socket = mio::net::TcpStream::connect(address)?;
        let token = reactor.register(&mut socket)?;
        let socket = RefCell::new(socket);
        let (reactor, busy, streak) =
            (reactor.clone(), Default::default(), Cell::new(0));
        let stream = TcpStream { socket, token, reactor, busy, streak };
        stream.attempt(Direction::Write, is_connected).await?;
        Ok(stream)
    }

    /// Waits for bytes, and hands them over: none, if the peer has closed. The buffer is
    /// that of all sockets, so what is to be kept has to be copied.
    pub async fn read_with<T>(&self, take: impl FnOnce(&[u8]) -> T) -> io::Result<T> {
        let mut take = Some(take);
        self.attempt(Direction::Read, |socket| {
            self.reactor.with_buffer(|buffer| {
                let count = socket.read(buffer)?;
                let take = take.take().expect("a read that has succeeded is the last");
                Ok(take(&buffer[..count]))
            })
        })
        .await
    }

    /// Sends all these bytes.
    pub async fn write_all(&self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.attempt(Direction::Write, |socket| socket.write(bytes)).await? {
                0 => return Err(ErrorKind::WriteZero.into()),
                count => bytes = &bytes[count..],
            }
        }
        Ok(())
    }

    /// Tries what may have to wait. That the socket is ready is only a hint; that it would
    /// block is the truth, until the next edge.
    async fn attempt<T>(
        &self,
        direction: Direction,
        mut operation: impl FnMut(&mut mio::net::TcpStream) -> io::Result<T>,
    ) -> io::Result<T> {
        let is_busy = self.busy[direction as usize].replace(true);
        assert!(!is_busy, "one task at a time reads a socket, and one writes it");
        let _turn = Turn(self, direction);
        poll_fn(|cx| {
            self.streak.set(self.streak.get() + 1);
            if self.streak.get() > LONGEST_STREAK {
                self.streak.set(0);
                cx.waker().wake_by_ref(); // the others first
                return Poll::Pending;
            }
            loop {
                if self.reactor.poll_ready(self.token, direction, cx).is_pending() {
                    self.streak.set(0);
                    return Poll::Pending;
                }
                match operation(&mut self.socket.borrow_mut()) {
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {
                        self.reactor.clear_ready(self.token, direction);
                    }
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    result => return Poll::Ready(result),
                }
            }
        })
        .await
    }
}

impl Drop for TcpStream {
    fn drop(&mut self) {
        self.reactor.deregister(self.token, self.socket.get_mut());
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
