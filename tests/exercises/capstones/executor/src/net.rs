//! A socket that awaits. Chapter 21.

use crate::Reactor;
use std::io;
use std::net::SocketAddr;

/// A connection. Dropping it closes it.
pub struct TcpStream {
    // A `mio::net::TcpStream`, the reactor, and the socket's readiness.
}

impl TcpStream {
    /// Connects.
    ///
    /// # Errors
    /// The connection cannot be established.
    pub async fn connect(address: SocketAddr, reactor: &Reactor) -> io::Result<TcpStream> {
        todo!("register, wait until it is writable, then ask whether it is connected")
    }

    /// Reads once, and passes what has arrived to `take`: nothing, at the end. All sockets
    /// may share one buffer, as none of them waits while it has it.
    ///
    /// # Errors
    /// The connection is broken.
    pub async fn read_with<T>(&mut self, take: impl FnOnce(&[u8]) -> T) -> io::Result<T> {
        todo!("read; on `WouldBlock` wait until it is readable, and read again")
    }

    /// Writes all bytes.
    ///
    /// # Errors
    /// The connection is broken.
    pub async fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        todo!("write; on `WouldBlock` wait until it is writable, and write the rest")
    }
}
