//! A parent that waits for two children, one after the other.
// hole 2
//| //!
//| //! `Coroutine`, `Resume` and `Step` are in
//| //! `tests/exercises/checks/src/toy/coroutines.rs`, and `Loop` is in `event_loop.rs`
//| //! beside it. The other types are in
//| //! `tests/exercises/checks/src/exercises/yield_from.rs`.
// end hole

use checks::yield_from;
use checks::yield_from::{Child, Coroutine, Loop, MakeRead, Result, Resume, Step};

/// A variant for each child that it waits for.
enum Fetch {
    Connecting { connect: Child, make_read: MakeRead },
    Reading { read: Child },
}

impl checks::yield_from::Fetch for Fetch {
    fn new(connect: Child, make_read: MakeRead) -> Fetch {
        Fetch::Connecting { connect, make_read }
    }
}

// ANCHOR: solution
impl Coroutine for Fetch {
    type Return = Result<u32>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<u32>> {
        match self {
            Fetch::Connecting { connect, make_read } => {
                // hole 2
                //| let connected = yield_from!(connect, event_loop, resume);
                //| todo!("with a connection, go on with the child that reads from it")
                match yield_from!(connect, event_loop, resume) {
                    Ok(connection) => {
                        // hole 1
                        //| let _ = (connection, make_read);
                        //| todo!("go on with the child that reads from it")
                        *self = Fetch::Reading { read: make_read(connection) };
                        self.resume(event_loop, Resume::Send)
                        // end hole
                    }
                    Err(error) => Step::Return(Err(error)),
                }
                // end hole
            }
            // hole 2
            //| Fetch::Reading { read } => todo!("wait for this child"),
            Fetch::Reading { read } => read.resume(event_loop, resume),
            // end hole
        }
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::yield_from::check::<Fetch>()
}
