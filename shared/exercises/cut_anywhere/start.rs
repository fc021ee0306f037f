//! The head of a response, which the network can cut anywhere.
//!
//! This program does not find the length of every page. Fix it. The head ends with a
//! blank line. If the server closes the connection before that line (an empty piece),
//! return `Bad::Truncated`. If the line is not among the first `LONGEST + 1` bytes,
//! return `Bad::TooLong`, however the head was cut.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/cut_anywhere.rs`.

use checks::cut_anywhere::{Bad, Head}; // and LONGEST

struct Mine {}

// ANCHOR: task
impl Head for Mine {
    fn new() -> Mine {
        Mine {}
    }

    fn feed(&mut self, piece: &[u8]) -> Result<Option<usize>, Bad> {
        let head = String::from_utf8_lossy(piece);
        Ok(head.lines().find_map(length))
    }
}

/// Returns the length, if this line is the field.
fn length(line: &str) -> Option<usize> {
    line.strip_prefix("Content-Length: ")?.parse().ok()
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::cut_anywhere::check::<Mine>()
}
