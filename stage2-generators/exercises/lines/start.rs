//! A generator of lines, which gets its bytes in chunks.

use checks::lines::{Lines, Sent, Step}; // and LONGEST

/// The frame.
struct Mine {
    // Yours: what must it keep while a line is out, and while it needs more?
}

// ANCHOR: task
impl Lines for Mine {
    fn new() -> Mine {
        Mine {}
    }

    fn resume(&mut self, sent: Sent) -> Step {
        todo!("make a line of what was sent before and of {sent:?}, or say `More`")
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::lines::check::<Mine>()
}
