//! The parts of a web crawler that do not wait. All three crawlers share them. No code
//! here touches a socket that a crawler waits for.
//!
//! ```text
//! Options ─▶ Ledger::open ─▶ Job ─▶ [ the stage: connect, send, receive, wait ]
//!                             ▲                              │
//!                             │                              ▼
//! Report ◀── Ledger::close   Ledger::settle ◀── Page ◀── ResponseParser::feed
//! ```
//!
//! Stages 1 and 2 use the ledger through a [`Frontier`]. It returns [`Attempt`]s: jobs
//! whose host names have been looked up.
//!
//! The package has two halves. The first is what a crawl needs: [`http`], [`page`] and
//! [`crawl`], and the files beside them. Read [`crawl::ledger`] first. The second
//! makes a tool of it: the folder `tool`, and `report` and `options`. You can read the
//! crawlers without it.
#![forbid(unsafe_code)]

// What a crawl needs.
pub mod addresses; // the addresses of a host, in the order to try them
pub mod crawl; // which URLs are known, their results, and the next jobs
pub mod error; // why a URL could not be fetched
pub mod http; // HTTP/1 without sockets
pub mod options; // the settings of a crawl
pub mod page; // a response as a page: its type, its text, its links
pub mod report; // the results of a crawl
pub mod resolve; // host names to addresses, with a cache
mod room; // a byte counter with a limit
pub mod stop; // how to end a crawl early
pub mod timers; // deadlines, earliest first

// What makes a tool of it.
mod tool; // `main`, traces, output files

pub use tool::{program, trace};

pub use addresses::Addresses;
pub use crawl::body_budget::BodyBudget;
pub use crawl::frontier::{Attempt, Frontier};
pub use crawl::job::Job;
pub use crawl::ledger::{CrawlEnd, Ledger};
pub use crawl::pace::Pace;
pub use crawl::requests::Requests;
pub use crawl::scope::Scope;
pub use crawl::servers::ServerId;
pub use crawl::settling::{FollowUps, Settling};
pub use crawl::url_id::UrlId;
pub use error::FetchError;
pub use http::{HttpError, Needs, Response, ResponseParser, request};
pub use options::{Options, Program};
pub use page::{FetchResult, Page};
pub use report::{Outcome, Report, Row};
pub use resolve::Resolver;
pub use stop::{Stop, StopCallback};
pub use timers::{TimerId, Timers};
pub use tool::trace::Trace;
pub use url::Url;

#[cfg(feature = "demo")]
pub use demo_site;
