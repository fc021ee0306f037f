//! A socket with a script: a case says what arrives, and in which order.

use crate::story;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};

/// What arrives at a [`Socket`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// This number of bytes.
    Bytes(usize),
    /// The next read is interrupted by a signal.
    Interrupted,
    /// The server has reset the connection.
    Reset,
    /// The next read fails in some other way.
    Failed(ErrorKind),
    /// The server has closed the connection in order.
    End,
}

/// The reads after which a socket panics: the solution reads without end.
const MOST_READS: usize = 2000;

/// The most bytes that one read returns.
const MOST_BYTES: usize = 4096;

/// A socket that does not block. With nothing to read, `read` is `WouldBlock`.
#[derive(Default)]
pub struct Socket {
    arrived: VecDeque<Arrival>,
    reads: usize,
    bytes_read: usize,
}

/// Returns the first bytes that a socket sends: the alphabet, again and again.
pub fn sent(count: usize) -> Vec<u8> {
    (b'a'..=b'z').cycle().take(count).collect()
}

impl Socket {
    /// Adds what has arrived, after all that has not been read yet.
    pub fn arrive(&mut self, arrivals: impl IntoIterator<Item = Arrival>) {
        self.arrived.extend(arrivals);
    }

    /// Returns how often `read` was called.
    pub fn reads(&self) -> usize {
        self.reads
    }

    /// Returns what has arrived and was not read.
    pub fn unread(&self) -> Vec<Arrival> {
        self.arrived.iter().copied().collect()
    }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reads += 1;
        assert!(self.reads < MOST_READS, "{MOST_READS} reads: it reads without end");
        let (result, left) = match self.arrived.pop_front() {
            None => (Err(ErrorKind::WouldBlock), None),
            Some(Arrival::Interrupted) => (Err(ErrorKind::Interrupted), None),
            Some(Arrival::Failed(kind)) => (Err(kind), None),
            Some(Arrival::Reset) => (Err(ErrorKind::ConnectionReset), None),
            Some(Arrival::End) => (Ok(0), Some(Arrival::End)),
            Some(Arrival::Bytes(count)) => {
                let read = count.min(buffer.len()).min(MOST_BYTES);
                let letters = (b'a'..=b'z').cycle().skip(self.bytes_read % 26);
                buffer[..read].iter_mut().zip(letters).for_each(|(to, it)| *to = it);
                self.bytes_read += read;
                (Ok(read), (read < count).then(|| Arrival::Bytes(count - read)))
            }
        };
        if let Some(left) = left {
            self.arrived.push_front(left);
        }
        match result {
            Ok(0) => story!("  read: 0 bytes, the end"),
            Ok(1) => story!("  read: 1 byte"),
            Ok(count) => story!("  read: {count} bytes"),
            Err(kind) => story!("  read: {kind}"),
        }
        result.map_err(io::Error::from)
    }
}
