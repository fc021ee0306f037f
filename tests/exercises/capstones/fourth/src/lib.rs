//! A fourth crawler. `shared` has all that does not wait; waiting is yours: on Tokio or
//! smol, on threads, or on a machine that you have written.
//!
//! `Frontier` decides what is fetched next, and when. Chapter 6, `book/src/todo-and-seen.md`,
//! explains it; `stage1-callbacks/src/crawler.rs` uses it with callbacks. For tasks that
//! take jobs from a queue use `Ledger` instead, as chapter 23, `book/src/workers.md`, does.
#![forbid(unsafe_code)]

use shared::{Frontier, Options, Program, Report, Stop};
use std::io;

/// This program. `http_only`: it refuses https, and keeps no connection.
pub const PROGRAM: Program =
    Program::http_only(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));

/// Crawls from `options.roots` until nothing is left to fetch, or until the stop is
/// requested.
///
/// # Errors
/// The operating system does not give what waiting needs.
pub fn crawl(options: &Options, stop: &Stop) -> io::Result<Report> {
    let mut frontier = Frontier::new(options, &PROGRAM, stop);
    while !frontier.is_done() && !stop.is_requested() {
        for attempt in frontier.begin_attempts() {
            // Connect to one of `attempt.addresses` (`shared::Addresses` has their order),
            // send `attempt.request`, and feed a `shared::ResponseParser` until it has a
            // response; at `attempt.deadline` the result is `attempt.timeout_error`.
            let url = attempt.url;
            todo!("fetch {url}, and give the result to `frontier.settle`");
        }
        // A pause before another attempt ends at `frontier.take_wakeups()`, and the whole
        // crawl at `frontier.deadline()`.
    }
    Ok(frontier.close(|| "what waits, in words".into()))
}
