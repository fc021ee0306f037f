//! A reactor that maps tokens to wakers.
//!
//! `Socket` is in `tests/exercises/checks/src/toy/socket.rs`. The other types are in
//! `tests/exercises/checks/src/exercises/reactor.rs`.

use checks::reactor::{Reactor, Socket};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, ErrorKind, Read};
use std::task::{Context, Poll, Waker};

/// The waker of each task that waits, by the token of its socket.
#[derive(Default)]
struct Mine(RefCell<HashMap<usize, Waker>>);

// ANCHOR: task
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
        todo!("read into a small buffer; if that would block, keep the waker")
    }

    fn tick(&self, events: &[usize]) {
        todo!("call the wakers that were left for {events:?}")
    }

    fn forget(&self, token: usize) {
        todo!("socket {token} was dropped: forget the waker for it")
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::reactor::check::<Mine>()
}
