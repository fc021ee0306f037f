//! A stream in memory: what is written at one end can be read at the other.

use super::Transport;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// The bytes on their way in one direction. There is room for a limited number.
struct Way {
    bytes: VecDeque<u8>,
    size: usize,
    /// Set when one of the ends closes or is dropped.
    is_closed: bool,
    /// The latest waker of the end that waits for bytes, or for room.
    waiter: Option<Waker>,
}

/// One end of a pipe.
pub(crate) struct Pipe {
    incoming: Rc<RefCell<Way>>,
    outgoing: Rc<RefCell<Way>>,
}

/// Makes both ends of a pipe, with room for `size` bytes in each direction.
pub(crate) fn pipe(size: usize) -> (Pipe, Pipe) {
    let way = || {
        let (bytes, is_closed, waiter) = (VecDeque::new(), false, None);
        Rc::new(RefCell::new(Way { bytes, size, is_closed, waiter }))
    };
    let (there, back) = (way(), way());
    let (incoming, outgoing) = (Rc::clone(&back), Rc::clone(&there));
    (Pipe { incoming, outgoing }, Pipe { incoming: there, outgoing: back })
}

/// Waits for a change. Only one of the ends can wait: the one for bytes, of which there
/// are none, or the other one for room.
fn park<T>(way: &RefCell<Way>, cx: &Context<'_>) -> Poll<T> {
    let waker = cx.waker().clone();
    let old = way.borrow_mut().waiter.replace(waker);
    drop(old); // with nothing borrowed
    Poll::Pending
}

impl Way {
    /// Returns whether a read has to wait.
    fn is_empty(&self) -> bool {
        self.bytes.is_empty() && !self.is_closed
    }

    /// Returns how many bytes fit, and whether they would be lost.
    fn room(&self) -> (usize, bool) {
        (self.size - self.bytes.len(), self.is_closed)
    }
}

/// Changes a way, and then wakes the end that waits, with nothing borrowed.
fn change<T>(way: &RefCell<Way>, change: impl FnOnce(&mut Way) -> T) -> T {
    let mut borrowed = way.borrow_mut();
    let result = change(&mut borrowed);
    let waiter = borrowed.waiter.take();
    drop(borrowed);
    waiter.into_iter().for_each(Waker::wake);
    result
}

impl Transport for Pipe {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        if self.incoming.borrow().is_empty() {
            return park(&self.incoming, cx);
        }
        Poll::Ready(change(&self.incoming, |way| way.bytes.read(buffer)))
    }

    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let (room, is_closed) = self.outgoing.borrow().room();
        let count = bytes.len().min(room);
        if is_closed {
            return Poll::Ready(Err(ErrorKind::BrokenPipe.into()));
        } else if count == 0 && !bytes.is_empty() {
            return park(&self.outgoing, cx);
        }
        change(&self.outgoing, |way| way.bytes.extend(&bytes[..count]));
        Poll::Ready(Ok(count))
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        change(&self.outgoing, |way| way.is_closed = true);
        Poll::Ready(Ok(()))
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        change(&self.outgoing, |way| way.is_closed = true);
        change(&self.incoming, |way| way.is_closed = true);
    }
}
