//! A generator of lines, which gets its bytes in chunks.

use checks::lines::{LONGEST, Lines, Sent, Step};

/// The frame.
struct Mine {
    /// What was sent and is not part of a line yet.
    buffer: Vec<u8>,
}

// ANCHOR: solution
impl Lines for Mine {
    fn new() -> Mine {
        Mine { buffer: Vec::new() }
    }

    fn resume(&mut self, sent: Sent) -> Step {
        match sent {
            Sent::GoOn => {}
            Sent::Chunk(chunk) => self.buffer.extend(chunk),
            Sent::End => return Step::Return(std::mem::take(&mut self.buffer)),
        }
        let end = self.buffer.iter().position(|byte| *byte == b'\n');
        if end.unwrap_or(self.buffer.len()) > LONGEST {
            return Step::TooLong;
        }
        let Some(end) = end else { return Step::More };
        let mut line: Vec<u8> = self.buffer.drain(..=end).collect();
        line.pop();
        Step::Line(line)
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::lines::check::<Mine>()
}
