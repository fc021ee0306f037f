//! A parent that waits for two children, one after the other.
//!
//! `Coroutine`, `Resume` and `Step` are in
//! `tests/exercises/checks/src/toy/coroutines.rs`, and `Loop` is in `event_loop.rs`
//! beside it. The other types are in
//! `tests/exercises/checks/src/exercises/yield_from.rs`.

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

// ANCHOR: task
impl Coroutine for Fetch {
    type Return = Result<u32>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<u32>> {
        match self {
            Fetch::Connecting { connect, make_read } => {
                let connected = yield_from!(connect, event_loop, resume);
                todo!("with a connection, go on with the child that reads from it")
            }
            Fetch::Reading { read } => todo!("wait for this child"),
        }
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::yield_from::check::<Fetch>()
}
