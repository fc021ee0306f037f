//! A TCP connection that does not block, as its program sees it.

use crate::state::{Phase, State};
use crate::world;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// A socket of this thread's world. Dropping it closes it.
#[derive(Debug)]
pub struct Socket {
    number: usize,
}

/// A thing that a selector can watch.
pub trait Source {
    /// Its number in the world.
    fn number(&self) -> usize;
}

impl Source for Socket {
    fn number(&self) -> usize {
        self.number
    }
}

impl<S: Source + ?Sized> Source for &S {
    fn number(&self) -> usize {
        (**self).number()
    }
}

impl Socket {
    /// Makes a socket that is not connected.
    pub fn new() -> Socket {
        Socket { number: world::with(|world| world.new_socket()) }
    }

    /// Starts to connect. The socket becomes writable when that has succeeded or failed.
    ///
    /// # Errors
    /// `NetworkUnreachable` for the address of all hosts, which takes no connections.
    pub fn connect(&self, to: SocketAddr) -> io::Result<()> {
        if to.ip() == IpAddr::V4(Ipv4Addr::BROADCAST) {
            return Err(ErrorKind::NetworkUnreachable.into());
        }
        world::with(|world| world.connect(self.number, to));
        Ok(())
    }

    /// Returns what went wrong, once.
    pub fn take_error(&self) -> Option<io::Error> {
        self.state(|state| state.error.take()).map(io::Error::from)
    }

    /// Returns the address of the peer.
    ///
    /// # Errors
    /// `NotConnected`.
    pub fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.attempt(|state| match (state.phase, state.peer) {
            (Phase::Connected, Some(peer)) => Ok(peer),
            _ => Err(ErrorKind::NotConnected.into()),
        })
    }

    /// Reads what has arrived: no bytes if the peer has closed.
    ///
    /// # Errors
    /// `WouldBlock` if nothing has arrived; `ConnectionReset` and so on.
    pub fn read(&self, into: &mut [u8]) -> io::Result<usize> {
        self.attempt(|state| {
            let count = state.peek(into)?;
            state.inbox.drain(..count);
            Ok(count)
        })
    }

    /// Reads as `read` does, and leaves the bytes where they are.
    ///
    /// # Errors
    /// As `read`.
    pub fn peek(&self, into: &mut [u8]) -> io::Result<usize> {
        self.attempt(|state| state.peek(into))
    }

    /// Sends bytes, all of them: there is always room.
    ///
    /// # Errors
    /// `WouldBlock` until the connection is established; `BrokenPipe` after its end.
    pub fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.state(|state| {
            if let Some(error) = state.error.take() {
                return Err(io::Error::from(error));
            }
            match state.phase {
                Phase::Connected => Ok(()),
                Phase::Connecting => Err(ErrorKind::WouldBlock.into()),
                Phase::New => Err(ErrorKind::NotConnected.into()),
                Phase::Broken => Err(ErrorKind::BrokenPipe.into()),
            }
        })?;
        world::with(|world| world.sent(self.number, bytes));
        Ok(bytes.len())
    }

    /// Attempts something. A program that never sleeps, and tries again and again, sees
    /// what has happened meanwhile.
    fn attempt<T>(
        &self,
        mut of: impl FnMut(&mut State) -> io::Result<T>,
    ) -> io::Result<T> {
        match self.state(&mut of) {
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::WouldBlock | ErrorKind::NotConnected
                ) =>
            {
                world::with(|world| world.catch_up());
                self.state(of)
            }
            result => result,
        }
    }

    fn state<T>(&self, of: impl FnOnce(&mut State) -> T) -> T {
        world::with(|world| of(world.socket(self.number)))
    }
}

impl Default for Socket {
    fn default() -> Socket {
        Socket::new()
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        world::with_if_any(|world| world.close(self.number));
    }
}
