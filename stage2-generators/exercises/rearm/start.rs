//! A leaf that reads, and arms its socket for each wait.
//!
//! `Coroutine`, `Resume` and `Step` are those of the chapter; here they are in
//! `tests/exercises/checks/src/toy/coroutines.rs`, and `Loop` is in `event_loop.rs`
//! beside it. The other types are in `tests/exercises/checks/src/exercises/rearm.rs`.

use checks::rearm::{
    Coroutine, FetchError, Interest, Loop, Result, Resume, Socket, Step,
};
use std::io::ErrorKind::WouldBlock;
use std::rc::Rc;

struct ReadAll {
    socket: Rc<Socket>,
    /// What was read so far.
    bytes: Vec<u8>,
}

impl checks::rearm::ReadAll for ReadAll {
    fn new(socket: Rc<Socket>) -> ReadAll {
        ReadAll { socket, bytes: Vec::new() }
    }
}

// ANCHOR: task
impl Coroutine for ReadAll {
    type Return = Result<Vec<u8>>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        if let Resume::Throw(error) = resume {
            return Step::Return(Err(error)); // a time-out, for example
        }
        loop {
            match self.socket.read() {
                Ok(chunk) if chunk.is_empty() => todo!("the server has closed"),
                Ok(chunk) => todo!("keep the chunk"),
                Err(error) if error.kind() == WouldBlock => {
                    todo!("nothing has arrived: wait for the next event")
                }
                Err(_) => return Step::Return(Err(FetchError::Reset)),
            }
        }
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::rearm::check::<ReadAll>()
}
