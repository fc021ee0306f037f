//! Writes files, pipes and standard output completely, even if they are non-blocking.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::time::Duration;

/// Opens a file for writing with `options`. Refuses a pipe without a reader, because
/// opening it would block until a reader comes.
pub(crate) fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK);
    options.write(true).create(true).open(path).map_err(|error| {
        #[cfg(unix)]
        if error.raw_os_error() == Some(libc::ENXIO) {
            return io::Error::other("nothing reads from this pipe");
        }
        error
    })
}

/// Returns standard output as a file. (`Stdout` of std loses bytes if the output is
/// non-blocking.)
pub(crate) fn standard_output() -> io::Result<Box<dyn Write>> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let file = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        Ok(Box::new(Output::new(file, None)))
    }
    #[cfg(not(unix))]
    Ok(Box::new(io::stdout()))
}

/// A file for writing. If it is a pipe whose reader is slow, a write waits for the
/// reader.
#[derive(Debug)]
pub(crate) struct Output {
    file: File,
    longest_wait: Option<Duration>,
    /// Set when a write has waited for `longest_wait`, and never cleared. Then all
    /// writes fail.
    is_given_up: bool,
}

impl Output {
    /// Creates an output. A write that makes no progress for `longest_wait` fails, and
    /// so do all later ones. `None` waits until the reader takes more or closes the
    /// pipe.
    pub(crate) fn new(file: File, longest_wait: Option<Duration>) -> Output {
        Output { file, longest_wait, is_given_up: false }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        while !self.is_given_up {
            match self.file.write(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    let takes_more =
                        wait_until_writable(&self.file, self.longest_wait)?;
                    self.is_given_up = !takes_more;
                }
                result => return result,
            }
        }
        // Fails again when a `BufWriter` retries, which it does when it is dropped.
        Err(io::Error::other("its reader takes nothing more"))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Waits until the file is writable, for at most `longest`. Returns whether it may be.
#[cfg(unix)]
fn wait_until_writable(file: &File, longest: Option<Duration>) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let timeout = longest.and_then(|longest| Timespec::try_from(longest).ok());
    match poll(&mut [PollFd::new(file, PollFlags::OUT)], timeout.as_ref()) {
        // After a signal the caller writes again, and waits again if necessary.
        Err(rustix::io::Errno::INTR) => Ok(true),
        Ok(ready) => Ok(ready > 0),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn wait_until_writable(_: &File, _: Option<Duration>) -> io::Result<bool> {
    Err(ErrorKind::WouldBlock.into()) // no file here is non-blocking
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::{BufWriter, Read};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    use std::thread;

    /// Returns a non-blocking socket as a file, and the other end.
    fn not_blocking() -> (File, UnixStream) {
        let (writer, reader) = UnixStream::pair().expect("a pair of sockets");
        writer.set_nonblocking(true).expect("a socket");
        (File::from(OwnedFd::from(writer)), reader)
    }

    #[test]
    fn an_output_that_does_not_block_is_written_whole() {
        const SIZE: usize = 4 << 20;
        let (file, mut reader) = not_blocking();
        let mut output = Output::new(file, None);
        let writer = thread::spawn(move || output.write_all(&vec![7; SIZE]));
        let mut all = Vec::new();
        reader.read_to_end(&mut all).expect("what was written");
        writer.join().expect("no panic").expect("all was written");
        assert_eq!(all.len(), SIZE);
    }

    #[test]
    fn an_output_whose_reader_is_gone_is_an_error() {
        let (file, reader) = not_blocking();
        drop(reader);
        let mut output = Output::new(file, None);
        let error = output.write_all(&vec![7; 4 << 20]).expect_err("nothing reads");
        assert_eq!(error.kind(), ErrorKind::BrokenPipe);
    }

    #[test]
    fn an_output_whose_reader_takes_nothing_is_given_up() {
        let (file, _reader) = not_blocking();
        let mut output = Output::new(file, Some(Duration::from_nanos(1)));
        let error = output.write_all(&vec![7; 4 << 20]).expect_err("a full pipe");
        assert_eq!(error.to_string(), "its reader takes nothing more");
    }

    #[test]
    fn an_output_that_was_given_up_is_not_waited_for_again() {
        let (file, mut reader) = not_blocking();
        let mut output = Output::new(file, Some(Duration::from_nanos(1)));
        let mut out = BufWriter::new(&mut output);
        while out.write_all(&[7; 1000]).is_ok() {}
        reader.set_nonblocking(true).expect("a socket");
        let full = reader.read_to_end(&mut Vec::new()).expect_err("it is still open");
        assert_eq!(
            full.kind(),
            ErrorKind::WouldBlock,
            "all was read, so there is room"
        );
        drop(out); // the drop tries to write the buffered bytes
        output.write_all(b"more").expect_err("it was given up");
        drop(output);
        let mut more = Vec::new();
        reader.read_to_end(&mut more).expect("the end");
        assert_eq!(more.len(), 0);
    }
}
