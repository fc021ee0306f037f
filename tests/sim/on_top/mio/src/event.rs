//! An event of a socket.

use crate::token::Token;
use simulated_os::Ready;

pub use simulated_os::Source;

/// What has happened to a socket.
#[derive(Clone, Debug)]
pub struct Event(pub(crate) Ready);

impl Event {
    /// The socket's number.
    pub fn token(&self) -> Token {
        Token(self.0.key)
    }

    /// It can be read.
    pub fn is_readable(&self) -> bool {
        self.0.readable
    }

    /// It can be written.
    pub fn is_writable(&self) -> bool {
        self.0.writable
    }

    /// It has failed.
    pub fn is_error(&self) -> bool {
        self.0.broken
    }

    /// The peer sends no more.
    pub fn is_read_closed(&self) -> bool {
        self.0.read_closed
    }

    /// Nothing can be sent any more.
    pub fn is_write_closed(&self) -> bool {
        self.0.broken
    }

    /// There are urgent bytes: never here.
    pub fn is_priority(&self) -> bool {
        false
    }
}
