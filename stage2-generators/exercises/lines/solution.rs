//! A generator of lines, which gets its bytes in chunks.

use checks::lines::{LONGEST, Lines, Sent, Step};

/// The frame.
struct Mine {
    // hole 2
    //| // Yours: what must the frame keep while a line is out, and while it needs more?
    /// What was sent and is not part of a line yet.
    buffer: Vec<u8>,
    // end hole
}

// ANCHOR: solution
// hole 2
//| // `Sent` is `GoOn` (at the start, and after a line), `Chunk(Vec<u8>)`, or `End`.
//| // `Step` is `Line(Vec<u8>)` without its `\n`, `More`, `Return(Vec<u8>)` with what is
//| // left at the end, or `TooLong` if a line has more than `LONGEST` bytes.
// end hole
impl Lines for Mine {
    fn new() -> Mine {
        // hole 2
        //| Mine {}
        Mine { buffer: Vec::new() }
        // end hole
    }

    fn resume(&mut self, sent: Sent) -> Step {
        // hole 2
        //| todo!("was sent {sent:?}: return the next line that is complete, or `More`")
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
        // hole 1
        //| todo!("take the line that ends at {end} out of the buffer, and return it")
        let mut line: Vec<u8> = self.buffer.drain(..=end).collect();
        line.pop();
        Step::Line(line)
        // end hole
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::lines::check::<Mine>()
}
