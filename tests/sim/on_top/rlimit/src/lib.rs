//! `rlimit`, where sockets are no descriptors.
#![forbid(unsafe_code)]

/// Allows as many as is asked for.
///
/// # Errors
/// Never fails. The real function may.
pub fn increase_nofile_limit(limit: u64) -> std::io::Result<u64> {
    Ok(limit)
}

/// No limit.
pub const INFINITY: u64 = u64::MAX;

/// A limit of a process.
pub struct Resource;

impl Resource {
    /// The limit of open files.
    pub const NOFILE: Resource = Resource;

    /// Returns the limit.
    ///
    /// # Errors
    /// Always fails, since a page has no limit.
    pub fn get(self) -> std::io::Result<(u64, u64)> {
        Err(std::io::ErrorKind::Unsupported.into())
    }
}
