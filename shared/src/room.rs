//! Room for what a server may make long: counted in bytes, and limited.

/// How many bytes are left of a limit.
#[derive(Debug)]
pub(crate) struct Room {
    left: usize,
    /// Set when something did not fit, and never cleared.
    is_cut: bool,
}

impl Room {
    /// Creates room for `limit` bytes.
    pub(crate) fn new(limit: usize) -> Room {
        Room { left: limit, is_cut: false }
    }

    /// Takes bytes. Returns whether that many were left.
    pub(crate) fn take(&mut self, bytes: usize) -> bool {
        let left = self.left.checked_sub(bytes);
        self.is_cut |= left.is_none();
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    /// Gives bytes back that were taken.
    pub(crate) fn give_back(&mut self, bytes: usize) {
        self.left += bytes;
    }

    /// Returns whether something did not fit.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }
}
