//! Copies one stream into another: a wait loses no byte, and sends none twice.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/copy.rs`.

use checks::copy::{Copy, Sink, Source};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A copy on its way. It keeps its place while it waits.
struct Mine {
    source: Source,
    sink: Sink,
    buffer: [u8; 8],
    /// What was read, and not written yet: `buffer[start..end]`.
    start: usize,
    end: usize,
    /// Set once the source has ended. It must not be read again.
    has_ended: bool,
    /// How many bytes the sink has taken.
    written: u64,
}

impl Copy for Mine {
    fn new(source: Source, sink: Sink) -> Mine {
        let (buffer, has_ended) = ([0; 8], false);
        Mine { source, sink, buffer, start: 0, end: 0, has_ended, written: 0 }
    }
}

impl Future for Mine {
    type Output = io::Result<u64>;

    // ANCHOR: task
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<u64>> {
        let this = self.get_mut(); // nothing in it is pinned
        // this.sink has poll_write(cx, bytes), which may take some of the bytes, and
        // poll_close(cx). this.source has poll_read(cx, buffer): 0 is the end.
        todo!("write what is in the buffer; once it is empty, read; at the end, close")
    }
    // ANCHOR_END: task
}

fn main() -> std::process::ExitCode {
    checks::copy::check::<Mine>()
}
