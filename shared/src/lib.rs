//! What a web crawler knows that has nothing to do with waiting. Three crawlers share it;
//! none of it touches a socket that a crawler waits for.
//!
//! ```text
//! Options ─▶ crawl(&Options, &Stop) ─▶ Ledger::open ─▶ Jobs ─▶ [ the stage waits ]
//!                     ┌──────────── more Jobs ◀── Ledger::settle ◀── Page ◀── digest ◀── Response ◀── ResponseParser::feed
//!                     └─▶ … until nothing is open ─▶ Ledger::close ─▶ Report
//! ```
#![forbid(unsafe_code)]

/// Which URLs can be asked for at all, and how each is written.
pub mod address;
/// Bytes to text.
pub mod charset;
/// Why a URL could not be fetched.
pub mod error;
/// What a server sends never reaches a terminal raw.
pub mod escape;
/// HTTP/1 without sockets.
pub mod http;
/// The books of a crawl.
pub mod ledger;
/// Where a page points.
pub mod links;
/// What a crawl is asked to do.
pub mod options;
/// An answer, digested.
pub mod page;
/// The `main` of all three programs.
pub mod program;
/// What a crawl found.
pub mod report;
/// Host names to addresses.
pub mod resolve;
/// Which URLs belong to a crawl.
pub mod scope;
/// How a crawl is asked to end.
pub mod stop;
/// What a loop does, event by event.
pub mod watch;

mod progress;
mod text;

pub use error::FetchError;
pub use http::{HttpError, Response, ResponseParser, request};
pub use ledger::{Ending, Job, Ledger};
pub use options::{Options, Stage};
pub use page::{Answer, Page, digest};
pub use report::{Outcome, Report};
pub use resolve::Resolver;
pub use stop::Stop;
pub use watch::Watch;

#[cfg(feature = "demo")]
pub use demo_site;
