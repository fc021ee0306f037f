//! What a program wants to know of a socket.

use std::ops::BitOr;

/// What a program wants to know of a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interest(u8);

impl Interest {
    /// Whether it can be read.
    pub const READABLE: Interest = Interest(1);
    /// Whether it can be written.
    pub const WRITABLE: Interest = Interest(2);
    /// Whether there are urgent bytes. The simulated network has none.
    pub const PRIORITY: Interest = Interest(4);

    /// Both.
    #[must_use]
    pub const fn add(self, other: Interest) -> Interest {
        Interest(self.0 | other.0)
    }

    pub(crate) fn of_system(self) -> simulated_os::Interest {
        simulated_os::Interest { read: self.0 & 1 != 0, write: self.0 & 2 != 0 }
    }
}

impl BitOr for Interest {
    type Output = Interest;

    fn bitor(self, other: Interest) -> Interest {
        self.add(other)
    }
}
