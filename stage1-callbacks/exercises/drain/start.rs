//! A callback that reads until the socket has no more. Events are edges.
//!
//! This callback never comes to the end of some pages. Fix it. An interrupted read is
//! tried again. Other sockets need turns, too: read at most `READS_A_TURN` times in a
//! turn. If you return `Next::CallSoon`, the next turn comes without an event.
//!
//! `Socket` is in `tests/exercises/checks/src/toy/socket.rs`. The other types are in
//! `tests/exercises/checks/src/exercises/drain.rs`.

use checks::drain::{Fetcher, Next, Socket}; // and READS_A_TURN
use std::io::{ErrorKind, Read};

struct Mine {
    page: Vec<u8>,
}

// ANCHOR: task
impl Fetcher for Mine {
    fn new() -> Mine {
        Mine { page: Vec::new() }
    }

    fn read_response(mut self, socket: &mut Socket) -> Next<Mine> {
        let mut chunk = [0; 4096];
        match socket.read(&mut chunk) {
            Ok(0) => return Next::Done(self.page),
            Ok(count) => self.page.extend(&chunk[..count]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                return Next::OnEvent(self);
            }
            Err(error) => return Next::Failed(error.kind()),
        }
        Next::OnEvent(self)
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::drain::check::<Mine>()
}
