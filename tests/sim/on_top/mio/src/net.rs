//! Connections.

use crate::event::Source;
use simulated_os::Socket;
use std::convert::Infallible;
use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;

/// A connection.
#[derive(Debug)]
pub struct TcpStream(Socket);

impl TcpStream {
    /// Starts to connect.
    ///
    /// # Errors
    /// `NetworkUnreachable`.
    pub fn connect(address: SocketAddr) -> io::Result<TcpStream> {
        let socket = Socket::new();
        socket.connect(address)?;
        Ok(TcpStream(socket))
    }

    /// Returns why the connection failed, once.
    ///
    /// # Errors
    /// None: mio has some.
    pub fn take_error(&self) -> io::Result<Option<io::Error>> {
        Ok(self.0.take_error())
    }

    /// Returns the address of the server.
    ///
    /// # Errors
    /// `NotConnected`.
    pub fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.0.peer_addr()
    }

    /// Reads, and leaves the bytes where they are.
    ///
    /// # Errors
    /// `WouldBlock`, `ConnectionReset`.
    pub fn peek(&self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.peek(buffer)
    }
}

impl Read for TcpStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Read for &TcpStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for TcpStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Source for TcpStream {
    fn number(&self) -> usize {
        self.0.number()
    }
}

/// A listener. Nothing can listen in the simulated network but its sites.
#[derive(Debug)]
pub struct TcpListener(Infallible);

impl TcpListener {
    /// Listens nowhere.
    ///
    /// # Errors
    /// Always.
    pub fn bind(_: SocketAddr) -> io::Result<TcpListener> {
        Err(ErrorKind::Unsupported.into())
    }

    /// Returns where it listens.
    ///
    /// # Errors
    /// None: there is no listener.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        match self.0 {}
    }

    /// Returns a connection.
    ///
    /// # Errors
    /// None: there is no listener.
    pub fn accept(&self) -> io::Result<(TcpStream, SocketAddr)> {
        match self.0 {}
    }
}

impl Source for TcpListener {
    fn number(&self) -> usize {
        match self.0 {}
    }
}
