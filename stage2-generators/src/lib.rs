//! Stage 2: a crawler made of generators. The table holds the tasks that wait for each
//! future; an event resolves a future, and those tasks are resumed.
//!
//! ```text
//!   Loop ── step ─▶ Task ── resume ─▶ Fetch ── yield_from! ─▶ ReadAll ─▶ Read
//!    ▲                                                                     │
//!    └── ready queue ◀── resolve ◀── an event of the OS ◀── yields a Future ┘
//! ```
//! Read the machine in this order: `coroutine.rs`, `futures.rs`, `scheduler.rs`,
//! `reactor.rs`, `event_loop.rs`. Then read what runs on it: `fetch.rs` and `crawler.rs`.
//! Two more coroutines are wrapped around others: `connect.rs` tries one address after the
//! other, and `bodies.rs` limits how many bytes are in memory. Read `observe.rs` last: it
//! writes traces and reports, and decides nothing. (A line that ends in `// observe` is
//! for it alone.)
//!
//! The main fields of a [`Loop`] are three tables: futures, tasks, and what comes from
//! outside. Each table has a file, with the methods of `Loop` that use it. These files
//! depend on each other in a circle: the loop owns the coroutines, and is passed to
//! each of them.

mod bodies;
mod connect;
mod coroutine;
mod crawler;
mod event_loop;
mod fetch;
mod futures;
mod observe;
mod reactor;
mod scheduler;

pub use connect::Connect;
pub use coroutine::{Coroutine, Result, Resume, Step};
pub use crawler::{PROGRAM, crawl};
pub use event_loop::{Loop, LoopError};
pub use fetch::{ConnectOne, Fetch, Read, ReadAll, SendAll};
pub use futures::{Future, Futures, RESOLVED};
pub use reactor::{Callback, Interest, Reactor, Socket};
pub use scheduler::{Join, TaskId};
