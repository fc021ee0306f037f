//! A generator of lines, which gets its bytes in chunks.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/lines.rs`.

use checks::lines::{LONGEST, Lines, Sent, Step};

/// The frame.
struct Mine {
    // Yours: what must it keep while a line is out, and while it needs more?
}

// ANCHOR: task
// `Sent` is `GoOn` (at the start, and after a line), `Chunk(Vec<u8>)`, or `End`.
// `Step` is `Line(Vec<u8>)` without its `\n`, `More`, `Return(Vec<u8>)` with what is
// left at the end, or `TooLong` if a line has more than `LONGEST` bytes.
impl Lines for Mine {
    fn new() -> Mine {
        Mine {}
    }

    fn resume(&mut self, sent: Sent) -> Step {
        todo!("was sent {sent:?}: return the next line that is complete, or `More`")
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::lines::check::<Mine>()
}
