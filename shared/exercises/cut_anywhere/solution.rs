//! The head of a response, which the network can cut anywhere.

use checks::cut_anywhere::{Bad, Head, LONGEST};

struct Mine {
    /// Everything that has arrived.
    buffer: Vec<u8>,
}

// ANCHOR: solution
impl Head for Mine {
    fn new() -> Mine {
        Mine { buffer: Vec::new() }
    }

    fn feed(&mut self, piece: &[u8]) -> Result<Option<usize>, Bad> {
        if piece.is_empty() {
            return Err(Bad::Truncated);
        }
        // hole 1
        //| // Yours: the head may have begun in an earlier piece.
        self.buffer.extend(piece);
        // end hole
        let most = self.buffer.len().min(LONGEST + 1); // however it was cut
        let end = self.buffer[..most].windows(4).position(|it| it == b"\r\n\r\n");
        let Some(end) = end else {
            // hole 1
            //| todo!("no blank line: is the head too long, or may the rest still come?")
            let is_too_long = self.buffer.len() > LONGEST;
            return if is_too_long { Err(Bad::TooLong) } else { Ok(None) };
            // end hole
        };
        let head = String::from_utf8_lossy(&self.buffer[..end]);
        Ok(head.lines().find_map(length))
    }
}

/// Returns the length if this line is the field.
fn length(line: &str) -> Option<usize> {
    let (name, value) = line.split_once(':')?;
    if !name.eq_ignore_ascii_case("Content-Length") {
        return None;
    }
    value.trim().parse().ok()
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::cut_anywhere::check::<Mine>()
}
