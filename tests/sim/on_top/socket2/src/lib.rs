//! `socket2` over the simulated system: as much of it as the stages use, with the
//! signatures of the real one.
#![forbid(unsafe_code)]

use simulated_os::Source;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr};

/// From here on the system gives ports to sockets.
const FIRST_PORT: u16 = 40_000;

/// Which addresses a socket has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain(());

impl Domain {
    /// Addresses of four bytes.
    pub const IPV4: Domain = Domain(());
    /// Addresses of sixteen bytes.
    pub const IPV6: Domain = Domain(());

    /// The one of this address.
    pub const fn for_address(_: SocketAddr) -> Domain {
        Domain(())
    }
}

/// What a socket carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type(());

impl Type {
    /// A stream of bytes.
    pub const STREAM: Type = Type(());
}

/// There is one protocol for each type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {}

/// An address, as the system writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SockAddr(SocketAddr);

impl From<SocketAddr> for SockAddr {
    fn from(address: SocketAddr) -> SockAddr {
        SockAddr(address)
    }
}

impl SockAddr {
    /// Which addresses are like it.
    pub fn domain(&self) -> Domain {
        Domain::for_address(self.0)
    }

    /// The address, as std writes it.
    pub fn as_socket(&self) -> Option<SocketAddr> {
        Some(self.0)
    }
}

/// A socket.
#[derive(Debug)]
pub struct Socket(simulated_os::Socket);

impl Socket {
    /// Makes a socket.
    ///
    /// # Errors
    /// None: socket2 has some.
    pub fn new(_: Domain, _: Type, _: Option<Protocol>) -> io::Result<Socket> {
        Ok(Socket(simulated_os::Socket::new()))
    }

    /// It does not block, whatever is asked for.
    ///
    /// # Errors
    /// It would have to block.
    pub fn set_nonblocking(&self, is_so: bool) -> io::Result<()> {
        if is_so { Ok(()) } else { Err(ErrorKind::Unsupported.into()) }
    }

    /// Starts to connect.
    ///
    /// # Errors
    /// `WouldBlock`: the attempt goes on. (That is what Windows says. Other systems have an
    /// error of their own for it.) Or `NetworkUnreachable`.
    pub fn connect(&self, address: &SockAddr) -> io::Result<()> {
        self.0.connect(address.0)?;
        Err(ErrorKind::WouldBlock.into())
    }

    /// Has no effect: nothing in the simulated network connects to it.
    ///
    /// # Errors
    /// None: socket2 has some.
    pub fn bind(&self, _: &SockAddr) -> io::Result<()> {
        Ok(())
    }

    /// Returns an address of its own.
    ///
    /// # Errors
    /// None: socket2 has some.
    pub fn local_addr(&self) -> io::Result<SockAddr> {
        let number = u16::try_from(self.0.number()).unwrap_or(u16::MAX);
        let port = FIRST_PORT.saturating_add(number);
        Ok(SockAddr((Ipv4Addr::LOCALHOST, port).into()))
    }

    /// Returns why the connection failed, once.
    ///
    /// # Errors
    /// None: socket2 has some.
    pub fn take_error(&self) -> io::Result<Option<io::Error>> {
        Ok(self.0.take_error())
    }

    /// Returns the address of the server.
    ///
    /// # Errors
    /// `NotConnected`.
    pub fn peer_addr(&self) -> io::Result<SockAddr> {
        self.0.peer_addr().map(SockAddr)
    }

    /// Has no effect: the connection is closed when it is dropped.
    ///
    /// # Errors
    /// None: socket2 has some.
    pub fn shutdown(&self, _: Shutdown) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Read for &Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Write for &Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Source for Socket {
    fn number(&self) -> usize {
        self.0.number()
    }
}
