//! What the system knows of a socket, and what a selector is to report of it.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::time::Duration;

/// What the system knows of a socket.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) phase: Phase,
    /// What has arrived, and was not read.
    pub(crate) inbox: Vec<u8>,
    /// The peer sends no more.
    pub(crate) is_closed: bool,
    pub(crate) peer: Option<SocketAddr>,
    /// The error that `take_error`, or else the next read or write, reports: once.
    pub(crate) error: Option<ErrorKind>,
    pub(crate) watched: Option<Watched>,
    /// When the last of what is planned for it happens.
    pub(crate) latest: Duration,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Phase {
    /// It was made, and nothing more.
    #[default]
    New,
    Connecting,
    Connected,
    /// The connection was refused, or is reset.
    Broken,
}

impl State {
    /// How the socket is now, for every caller.
    pub(crate) fn ready(&self) -> Ready {
        let broken = self.phase == Phase::Broken;
        Ready {
            key: 0,
            readable: !self.inbox.is_empty() || self.is_closed || broken,
            writable: self.phase == Phase::Connected || broken,
            read_closed: self.is_closed || broken,
            broken,
        }
    }

    pub(crate) fn peek(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.error.take() {
            return Err(error.into());
        }
        if self.inbox.is_empty() && !self.is_closed {
            return Err(match self.phase {
                Phase::New => ErrorKind::NotConnected.into(),
                _ => ErrorKind::WouldBlock.into(),
            });
        }
        let count = self.inbox.len().min(into.len());
        into[..count].copy_from_slice(&self.inbox[..count]);
        Ok(count)
    }

    /// Takes what is to be reported of it, if it is listed.
    pub(crate) fn report(&mut self) -> Option<Ready> {
        let now = self.ready();
        self.watched.as_mut()?.report(now)
    }
}

/// What a program wants to know of a socket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interest {
    /// Whether it can be read.
    pub read: bool,
    /// Whether it can be written.
    pub write: bool,
}

/// How often a selector reports that a socket is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// At each change.
    Edge,
    /// Once. Then the program has to ask again.
    Oneshot,
}

/// What a selector reports of one socket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ready {
    /// The number that the program gave to the socket.
    pub key: usize,
    /// There are bytes, or the peer has closed, or it has failed.
    pub readable: bool,
    /// The connection is established, or it has failed.
    pub writable: bool,
    /// The peer has closed its half.
    pub read_closed: bool,
    /// The connection is broken: refused, or reset.
    pub broken: bool,
}

/// What a socket's registration says.
#[derive(Debug)]
pub(crate) struct Watched {
    /// The number of the selector.
    pub(crate) selector: usize,
    pub(crate) key: usize,
    pub(crate) interest: Interest,
    pub(crate) mode: Mode,
    /// It is in the selector's list.
    pub(crate) is_listed: bool,
}

/// What has changed about a socket.
#[derive(Clone, Copy)]
pub(crate) enum Edge {
    Readable,
    Writable,
    Both,
}

impl Watched {
    /// Returns whether the socket has to be listed because of this.
    pub(crate) fn notices(&mut self, edge: Edge) -> bool {
        let Interest { read, write } = self.interest;
        let wanted = match edge {
            Edge::Readable => read,
            Edge::Writable => write,
            // A failure is reported to each that asks for anything.
            Edge::Both => read || write,
        };
        wanted && !std::mem::replace(&mut self.is_listed, true)
    }

    /// Returns what is to be reported of a socket that was listed.
    fn report(&mut self, now: Ready) -> Option<Ready> {
        self.is_listed = false;
        let Interest { read, write } = self.interest;
        let ready = Ready {
            key: self.key,
            readable: now.readable && (read || now.broken && write),
            writable: now.writable && (write || now.broken && read),
            read_closed: now.read_closed && read,
            broken: now.broken && (read || write),
        };
        if !(ready.readable || ready.writable) {
            return None;
        }
        if self.mode == Mode::Oneshot {
            self.interest = Interest::default();
        }
        Some(ready)
    }
}
