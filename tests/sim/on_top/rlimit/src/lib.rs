//! `rlimit`, where sockets are no descriptors.
#![forbid(unsafe_code)]

/// Allows as many as is asked for.
///
/// # Errors
/// None: rlimit has some.
pub fn increase_nofile_limit(limit: u64) -> std::io::Result<u64> {
    Ok(limit)
}
