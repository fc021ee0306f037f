//! Stage 2: a crawler made of generators. The slab holds who awaits each future; an
//! event resumes that coroutine.
//!
//! ```text
//!   Executor ── step ─▶ Task ── resume ─▶ Fetch ── yield_from! ─▶ ReadAll ─▶ Read
//!      ▲                                                                      │
//!      └── ready queue ◀── resolve ◀── an event of the OS ◀── yields a Future ┘
//! ```
//! The machine: `coroutine.rs`, `futures.rs`, `executor.rs`, `reactor.rs`. What runs on it:
//! `fetch.rs`, `crawler.rs`.

mod coroutine;
mod crawler;
mod executor;
mod fetch;
mod futures;
mod reactor;

pub use coroutine::{Coroutine, Result, Resume, Step};
pub use crawler::{STAGE, crawl};
pub use executor::{Executor, Join};
pub use fetch::{Connect, Fetch, Read, ReadAll, SendAll};
pub use futures::{Callback, Future, Futures, RESOLVED};
pub use reactor::Socket;
