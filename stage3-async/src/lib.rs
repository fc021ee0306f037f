//! Stage 3: async/await from nothing. The slab holds futures; a waker holds an id.
//!
//! ```text
//!   Executor ── poll ─▶ a std future ── .await ─▶ … ─▶ a leaf, which keeps the waker
//!      ▲                                                      │
//!      └── ready queue ◀── an id ◀── Waker::wake ◀── reactor, timer, queue, task
//! ```
//! Here is the machine: `executor.rs` runs tasks, `ready.rs` has the queue of those that
//! are woken and the wakers that fill it, `join.rs` what is left of a task to await;
//! `reactor.rs` asks the operating system and the clock, `net.rs` has sockets that await,
//! `race.rs` time-outs, `queue.rs` items for workers. The crawler is to come.
#![forbid(unsafe_code)]

mod executor;
mod join;
mod net;
mod queue;
mod race;
mod reactor;
mod ready;

pub use executor::{Executor, Stuck};
pub use join::{JoinError, JoinHandle};
pub use net::TcpStream;
pub use queue::{Get, Queue};
pub use race::{Either, Elapsed, race, timeout};
pub use reactor::{Outside, Reactor, Sleep};
