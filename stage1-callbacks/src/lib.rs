//! Stage 1: a crawler made of callbacks. A table holds the callbacks, and an event
//! calls one.
//!
//! ```text
//!            EventLoop                    Fetcher                      Crawler
//!   sockets, callbacks, timers   one fetch, callback by callback   todo, in flight, ledger
//!   on_event ─▶ … event ─▶ send_request ─▶ … event ─▶ read_response ─▶ finish ─▶ start
//! ```
//! Ownership is a tree: the loop owns sockets and callbacks, a callback owns its
//! fetcher, and the crawler owns the table of the fetches that are in flight.
//!
//! Read `event_loop.rs`, `fetcher.rs` and `crawler.rs` first. `connect.rs` tries the
//! addresses of a host one after the other. `observe.rs` writes traces and stuck reports,
//! and decides nothing.
#![forbid(unsafe_code)]

mod connect;
mod crawler;
mod event_loop;
mod fetcher;
mod observe;

pub use crawler::{PROGRAM, crawl};
pub use event_loop::{Callback, EventLoop};
pub use observe::Observer;
pub use shared::TimerId;
