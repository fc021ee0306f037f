//! The parts of a web crawler that have nothing to do with waiting. Three crawlers
//! share them. Nothing here touches a socket that a crawler waits for.
//!
//! ```text
//! Options ─▶ Ledger::open ─▶ Job ─▶ [ the stage: connect, send, receive, wait ]
//!                             ▲                              │
//!                             │                              ▼
//! Report ◀── Ledger::close   Ledger::settle ◀── Page ◀── ResponseParser::feed
//! ```
//!
//! Stages 1 and 2 reach the ledger through a [`Frontier`], whose [`Attempt`]s are jobs
//! with their addresses looked up.
//!
//! It has two halves. What a crawl needs is in [`http`], [`page`] and [`crawl`], and in the
//! files beside them: read [`crawl::ledger`] first. The manners of a tool are in the folder
//! `tool`, and in `report` and `options`, which a reader of the crawlers can leave out.
#![forbid(unsafe_code)]

// What a crawl needs.
pub mod addresses; // where an attempt connects, one address after the other
pub mod crawl; // which URLs are known, what became of each, and what is next
pub mod error; // why a URL could not be fetched
pub mod http; // HTTP/1 without sockets
pub mod options; // what a crawl is asked to do
pub mod page; // a response as a page: its type, its text, its links
pub mod report; // what a crawl found
pub mod resolve; // host names to addresses
mod room; // bytes that are counted and limited
pub mod stop; // how a crawl is asked to end
pub mod timers; // what is due when

// The manners of a tool.
mod tool; // the programs' `main`, traces, and files that are written whole

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
