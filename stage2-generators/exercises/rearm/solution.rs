//! A leaf that reads, and arms its socket for each wait.
// hole 2
//| //!
//| //! `Coroutine`, `Resume` and `Step` are those of the chapter; here they are in
//| //! `tests/exercises/checks/src/toy/coroutines.rs`, and `Loop` is in `event_loop.rs`
//| //! beside it. The other types are in `tests/exercises/checks/src/exercises/rearm.rs`.
// end hole

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

// ANCHOR: solution
impl Coroutine for ReadAll {
    type Return = Result<Vec<u8>>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        if let Resume::Throw(error) = resume {
            // hole 2
            //| return Step::Return(Err(error)); // a time-out, for example
            return Step::Return(Err(error));
            // end hole
        }
        loop {
            match self.socket.read() {
                // hole 2
                //| Ok(chunk) if chunk.is_empty() => todo!("the server has closed"),
                //| Ok(chunk) => todo!("keep the chunk"),
                Ok(chunk) if chunk.is_empty() => {
                    return Step::Return(Ok(std::mem::take(&mut self.bytes)));
                }
                Ok(chunk) => self.bytes.extend(chunk),
                // end hole
                Err(error) if error.kind() == WouldBlock => {
                    // hole 1
                    //| todo!("nothing has arrived: wait for the next event")
                    let future = self.socket.arm(event_loop, Interest::Readable);
                    return Step::Yield(future);
                    // end hole
                }
                Err(_) => return Step::Return(Err(FetchError::Reset)),
            }
        }
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::rearm::check::<ReadAll>()
}
