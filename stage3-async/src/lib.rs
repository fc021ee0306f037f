//! Stage 3: async/await from nothing. The slab holds futures; a waker holds an id.
//!
//! ```text
//!   Executor ── poll ─▶ a std future ── .await ─▶ … ─▶ a leaf, which keeps the waker
//!      ▲                                                      │
//!      └── ready queue ◀── an id ◀── Waker::wake ◀── reactor, timer, queue, task
//! ```
//! The machine: `executor.rs` polls tasks, `task.rs` is one and what it came to,
//! `ready.rs` has the queue of those that were woken, and the wakers that fill it;
//! `reactor.rs` asks the operating system and the clock, `net.rs` has sockets that await,
//! `race.rs` time-outs, `queue.rs` items for workers. What runs on it: `crawler.rs`,
//! `pool.rs`. And what would stop all tasks, or is no matter of waiting: `elsewhere.rs` has
//! threads that help, `tls.rs` https.
#![forbid(unsafe_code)]

mod crawler;
mod elsewhere;
mod executor;
mod net;
mod pool;
mod queue;
mod race;
mod reactor;
mod ready;
mod task;
#[cfg_attr(not(feature = "tls"), path = "plain.rs")]
mod tls;

pub use crawler::{STAGE, crawl};
pub use executor::{Executor, Stuck};
pub use net::{TcpListener, TcpStream};
pub use queue::{Done, Get, Queue};
pub use race::{Either, Elapsed, race, timeout};
pub use reactor::{Outside, Reactor, Sleep};
pub use task::{JoinError, JoinHandle};
