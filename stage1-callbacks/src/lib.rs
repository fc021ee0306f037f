//! Stage 1: a crawler made of callbacks. A table holds the callbacks, and an event
//! calls one.
//!
//! ```text
//!            EventLoop                    Fetcher                      Crawler
//!   sockets, callbacks, timers   one fetch, callback by callback    frontier, in flight
//!   on_event ─▶ … event ─▶ send_request ─▶ … event ─▶ read_response ─▶ finish ─▶ start
//! ```
//! Ownership is two trees. The loop owns sockets and callbacks, and a callback owns its
//! fetcher. The crawler owns the table of the fetches that are in flight, and is passed
//! to each callback.
//!
//! Read `event_loop.rs`, `fetcher.rs` and `crawler.rs` first. A fetch begins in
//! `connect.rs`, which tries the addresses of a host one after the other. `observe.rs`
//! writes traces and stuck reports, and decides nothing. (A line that ends in
//! `// observe` is for it alone.)
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
