//! Stage 1: a crawler made of callbacks. The slab holds callbacks; an event calls one.
//!
//! ```text
//!            EventLoop                    Fetcher                      Crawler
//!   sockets, callbacks, timers   one fetch, callback by callback   todo, in flight, ledger
//!   on_event ─▶ … event ─▶ callback: connected ─▶ read_response ─▶ finish ─▶ start
//! ```
//! Ownership is a tree: the loop owns sockets and callbacks, a callback owns its fetcher,
//! the crawler owns the job that is in flight.
#![forbid(unsafe_code)]

mod crawler;
mod event_loop;
mod fetcher;
mod observe;

pub use crawler::{PROGRAM, crawl};
pub use event_loop::{Callback, EventLoop};
pub use observe::Observer;
pub use shared::TimerId;
