//! A machine that runs std futures: the names of stage 3, to be written anew.
//!
//! Any code may be behind these names. Fields, helper functions, further files and other
//! names are up to you. Begin with `executor.rs`, and give each part its turn:
//!
//! | file | chapter | groups of promises |
//! |---|---|---|
//! | `executor.rs` | 19, `book/src/executor.md` | `runs`, `wakes`, `borrows` |
//! | `join.rs` | 24, `book/src/cancelling.md` | `cancels`, `panics`, `cleans` |
//! | `reactor.rs` | 20, `book/src/reactor.md` | `threads`, `timers` |
//! | `time.rs` | 20 and 21 | `timers` |
//! | `net.rs` | 21, `book/src/sockets-that-await.md` | `sockets` |
//! | `queue.rs` | 22, `book/src/queue.md` | `queue` |
//! | all leaves | 26, `book/src/blocking-work.md` | `budget` |
//!
//! If you also write `pub fn crawl(options: &shared::Options, stop: &shared::Stop) ->
//! std::io::Result<shared::Report>` on it (chapter 23, `book/src/workers.md`), the crawl is
//! judged, too.
#![forbid(unsafe_code)]
// Remove this line when all parts are written.
#![allow(dead_code, unused_variables, unused_mut)]

mod executor;
mod join;
mod net;
mod queue;
mod reactor;
mod time;

pub use executor::{Executor, Stuck};
pub use join::{JoinError, JoinHandle};
pub use net::TcpStream;
pub use queue::{Queue, TaskDoneGuard};
pub use reactor::{Reactor, WorkGuard};
pub use time::{Either, Elapsed, Sleep, race, timeout};
