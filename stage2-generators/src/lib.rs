//! Stage 2: a crawler made of generators. The table holds the tasks that wait for each
//! future; an event resolves a future, and those tasks are resumed.
//!
//! ```text
//!   Loop ── step ─▶ Task ── resume ─▶ Fetch ── yield_from! ─▶ ReadAll ─▶ Read
//!    ▲                                                                     │
//!    └── ready queue ◀── resolve ◀── an event of the OS ◀── yields a Future ┘
//! ```
//! Read the machine in this order: `coroutine.rs`, `futures.rs`, `scheduler.rs`,
//! `reactor.rs`, `event_loop.rs`. What runs on it: `fetch.rs`, `crawler.rs`. Read
//! `observe.rs` last: it writes traces and reports, and decides nothing.
//!
//! A [`Loop`] is its three tables together. Each table has a file, with what the loop does
//! with that table. These files know each other, as the parts of a machine do: a coroutine
//! is handed the loop, and the loop owns the coroutines.

mod coroutine;
mod crawler;
mod event_loop;
mod fetch;
mod futures;
mod observe;
mod reactor;
mod scheduler;

pub use coroutine::{Coroutine, Result, Resume, Step};
pub use crawler::{PROGRAM, crawl};
pub use event_loop::{Loop, LoopError};
pub use fetch::{Connect, Fetch, Read, ReadAll, SendAll};
pub use futures::{Future, RESOLVED};
pub use reactor::{Callback, Interest, Reactor, Socket};
pub use scheduler::{Join, TaskId};
