//! A byte counter with a limit, for data that a server could make very long.

/// How many bytes are left until the limit.
#[derive(Debug)]
pub(crate) struct Room {
    left: usize,
    /// Set when a request for bytes did not fit, and never cleared.
    is_cut: bool,
}

impl Room {
    /// Creates a counter with all of `limit` left.
    pub(crate) fn new(limit: usize) -> Room {
        Room { left: limit, is_cut: false }
    }

    /// Takes bytes. Returns whether there were enough. If not, nothing is taken.
    pub(crate) fn take(&mut self, bytes: usize) -> bool {
        let left = self.left.checked_sub(bytes);
        self.is_cut |= left.is_none();
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    /// Gives back bytes that were taken.
    pub(crate) fn give_back(&mut self, bytes: usize) {
        self.left += bytes;
    }

    /// Returns whether any request for bytes did not fit.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }
}
