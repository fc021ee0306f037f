//! Accepting connections: the echo server of chapter 21 needs it, the crawler does not.

use crate::machine::net::{STREAM_INTEREST, Socket, TcpStream};
use crate::machine::reactor::{Direction, Reactor};
use crate::observe::Leaf; // observe
use mio::Interest;
use std::{io, net::SocketAddr};

static ACCEPT: Leaf = Leaf::readable("accept"); // observe

/// Accepts TCP connections. When it is dropped, it is closed, and the reactor forgets it.
pub struct TcpListener(Socket<mio::net::TcpListener>);

impl TcpListener {
    /// Listens on this address. With port 0 the system chooses one.
    ///
    /// # Errors
    /// The address is not available.
    pub fn bind(address: SocketAddr, reactor: &Reactor) -> io::Result<TcpListener> {
        let socket = mio::net::TcpListener::bind(address)?;
        let socket = Socket::new(socket, Interest::READABLE, reactor)?;
        socket.readiness.leaf.set(&ACCEPT); // observe
        Ok(TcpListener(socket))
    }

    /// Returns the address at which it listens, with the port that the system chose.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.socket.local_addr()
    }

    /// Waits for the next connection. If this future is dropped, no connection is
    /// lost.
    ///
    /// # Errors
    /// The accepted connection has failed already (try again), or the process is out
    /// of descriptors (pause first).
    pub async fn accept(&mut self) -> io::Result<TcpStream> {
        let accept = |socket: &mut mio::net::TcpListener| socket.accept();
        let (socket, _) = self.0.attempt(Direction::Read, accept).await?;
        Ok(TcpStream(Socket::new(socket, STREAM_INTEREST, &self.0.reactor)?))
    }
}
