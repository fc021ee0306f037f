//! Stage 3: async/await from nothing. The executor keeps the futures; a waker carries
//! only the id of its task.
//!
//! ```text
//!   Executor ── poll ─▶ a std future ── .await ─▶ … ─▶ a leaf, which keeps the waker
//!      ▲                                                      │
//!      └── ready queue ◀──── an id ◀── Waker::wake ◀── reactor, timer, queue, task
//! ```
//! Read it in this order:
//!
//! 1. `machine/` could run any program: `ready.rs` (woken tasks, and what wakes them),
//!    `executor.rs` (polls them), `budget.rs` (ends turns), `reactor.rs` (the operating
//!    system and the clock), `net.rs` (sockets that await).
//! 2. These build on it: `time.rs` (sleep, race, time-outs), `waiters.rs` (tasks that wait
//!    for the same thing), `queue.rs` (items for workers), `join.rs` (awaits and cancels a
//!    task), and `listener.rs` (only for chapter 21).
//! 3. `crawler.rs` starts the workers of a crawl. Each takes attempts from `frontier.rs`,
//!    and makes them with `fetch.rs`.
//! 4. `extra/` contains the pool of kept connections, work that would block the loop, and
//!    https.
//!
//! Skip `observe.rs` and `observed.rs` at first, and the lines that end in `// observe`: they
//! name tasks for traces and stuck reports, and decide nothing.
//!
//! What this machine is not:
//!
//! - It is not multi-threaded. Tasks need not be `Send`, and stay on the thread of
//!   `block_on`. Only wakers may be used on other threads. A long computation belongs
//!   on another thread.
//! - It is not preemptive. A budget ends the turn of a task whose leaves are always
//!   ready. A task that does not await, or that awaits only ready futures of other
//!   crates, keeps the thread until it calls [`yield_now`].
//! - `race` is not fair: if both of its futures are ready, the first one wins.
//! - A socket has one waiter: no task can read from it while another one writes.
//! - Tasks do not outlive `block_on`. Tokio keeps them for the next call.
//! - It has no reactor but its own. Futures of other crates run on it. If another
//!   thread wakes them, use `Executor::run_until`, or hold a `WorkGuard`.
#![forbid(unsafe_code)]

mod crawler;
mod extra;
mod fetch;
mod frontier;
mod join;
mod listener;
mod machine;
mod observe;
mod observed;
mod queue;
mod time;
mod waiters;

pub use crawler::crawl;
pub use extra::unblock;
pub use join::{CancelHandle, JoinError, JoinHandle};
pub use listener::TcpListener;
pub use machine::budget::yield_now;
pub use machine::executor::{Executor, Stuck};
pub use machine::net::TcpStream;
pub use machine::reactor::{Reactor, WorkGuard};
pub use observe::{Leaf, Observer, set_label};
pub use queue::{Get, Queue, TaskDoneGuard};
pub use time::{Either, Elapsed, Sleep, race, timeout};

/// This program.
pub const PROGRAM: shared::Program = shared::Program {
    name: env!("CARGO_PKG_NAME"),
    version: env!("CARGO_PKG_VERSION"),
    speaks_https: cfg!(feature = "tls"),
};
