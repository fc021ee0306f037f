//! Copies one stream into another: a wait loses no byte, and sends none twice.

use checks::copy::{Copy, Sink, Source};
// hole 2
//| use std::io;
use std::io::{self, ErrorKind};
// end hole
use std::pin::Pin;
// hole 2
//| use std::task::{Context, Poll};
use std::task::{Context, Poll, ready};
// end hole

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

    // ANCHOR: solution
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<u64>> {
        // hole 2
        //| let this = self.get_mut(); // nothing in it is pinned
        //| // this.sink has poll_write(cx, bytes), which may take some of the bytes, and
        //| // poll_close(cx). this.source has poll_read(cx, buffer): 0 is the end.
        //| todo!("write what is in the buffer; once it is empty, read; at the end, close")
        let this = self.get_mut();
        loop {
            while this.start < this.end {
                let rest = &this.buffer[this.start..this.end];
                let count = ready!(Pin::new(&mut this.sink).poll_write(cx, rest))?;
                if count == 0 {
                    return Poll::Ready(Err(ErrorKind::WriteZero.into()));
                }
                // hole 1
                //| todo!("{count} bytes are written: what is left in the buffer?")
                this.start += count;
                this.written += count as u64;
                // end hole
            }
            if this.has_ended {
                // hole 1
                //| todo!("close the sink, and return how many bytes were written")
                ready!(Pin::new(&mut this.sink).poll_close(cx))?;
                return Poll::Ready(Ok(this.written));
                // end hole
            }
            let source = Pin::new(&mut this.source);
            this.end = ready!(source.poll_read(cx, &mut this.buffer))?;
            this.start = 0;
            this.has_ended = this.end == 0;
        }
        // end hole
    }
    // ANCHOR_END: solution
}

fn main() -> std::process::ExitCode {
    checks::copy::check::<Mine>()
}
