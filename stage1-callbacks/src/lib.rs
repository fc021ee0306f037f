//! Stage 1: a crawler made of callbacks. A table holds the callbacks, and an event
//! calls one.
//!
//! ```text
//!            EventLoop                    Fetcher                      Crawler
//!   sockets, callbacks, timers   one fetch, callback by callback    frontier, in flight
//!   start ─▶ on_event … event ─▶ connected ─▶ send_request ─▶ read_response ─▶ on_event
//!   … event ─▶ read_response ─▶ finish ─▶ start
//! ```
//! Ownership is two trees. The loop owns sockets and callbacks, and a callback owns its
//! fetcher. The crawler owns the frontier and knows the socket and the timer of each
//! fetch in flight. It is passed to each callback.
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
