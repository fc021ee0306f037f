//! A reactor that maps tokens to wakers.
// hole 2
//| //!
//| //! `Socket` is in `tests/exercises/checks/src/toy/socket.rs`. The other types are in
//| //! `tests/exercises/checks/src/exercises/reactor.rs`.
// end hole

use checks::reactor::{Reactor, Socket};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, ErrorKind, Read};
use std::task::{Context, Poll, Waker};

/// The waker of each task that waits, by the token of its socket.
#[derive(Default)]
struct Mine(RefCell<HashMap<usize, Waker>>);

// ANCHOR: solution
impl Reactor for Mine {
    fn new() -> Mine {
        Mine::default()
    }

    fn poll_read(
        &self,
        token: usize,
        socket: &mut Socket,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        // hole 2
        //| todo!("read into a small buffer; if that would block, keep the waker")
        match socket.read(&mut [0; 64]) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                self.0.borrow_mut().insert(token, cx.waker().clone());
                Poll::Pending
            }
            result => Poll::Ready(result),
        }
        // end hole
    }

    fn tick(&self, events: &[usize]) {
        // hole 1
        //| todo!("call the wakers that were left for {events:?}")
        for token in events {
            let waker = self.0.borrow_mut().remove(token); // the borrow ends here
            if let Some(waker) = waker {
                waker.wake();
            }
        }
        // end hole
    }

    fn forget(&self, token: usize) {
        // hole 1
        //| todo!("socket {token} was dropped: forget the waker for it")
        self.0.borrow_mut().remove(&token);
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::reactor::check::<Mine>()
}
