//! What a web crawler knows that has nothing to do with waiting. Three crawlers share
//! it; none of it touches a socket that a crawler waits for.
//!
//! ```text
//! Options ─▶ crawl(&Options, &Stop) ─▶ Todo::next_tries ─▶ Try ─▶ [ the stage waits ]
//!                                      ▲                                │
//!                 Report ◀── Todo::close   Todo::settle ◀── Response ◀── ResponseParser
//! ```
#![forbid(unsafe_code)]

pub mod address; // which URLs can be asked for at all, and how each is written
pub mod charset; // bytes to text
pub mod error; // why a URL could not be fetched
pub mod escape; // what a server sends never reaches a terminal raw
pub mod http; // HTTP/1 without sockets
pub mod ledger; // the books of a crawl
pub mod links; // where a page points
pub mod options; // what a crawl is asked to do
pub mod page; // an answer, digested
pub mod program; // the `main` of all three programs
pub mod report; // what a crawl found
pub mod resolve; // host names to addresses
pub mod room; // how many tries may be under way at once
pub mod scope; // which URLs belong to a crawl
pub mod stop; // how a crawl is asked to end
pub mod timers; // what is to be done when
pub mod todo; // which job is next
pub mod watch; // what a loop does, event by event

mod progress; // what a person sees while the crawl runs
mod text; // the report as a person reads it

pub use error::FetchError;
pub use http::{HttpError, Response, ResponseParser, request};
pub use ledger::{Ending, Job, Ledger};
pub use options::{Options, Stage};
pub use page::{Answer, Page, digest};
pub use report::{Outcome, Report};
pub use resolve::Resolver;
pub use room::Room;
pub use stop::Stop;
pub use timers::{TimerId, Timers};
pub use todo::{Todo, Try};
pub use url::Url;
pub use watch::{Lives, Returned, TaskId, Watch};

#[cfg(feature = "demo")]
pub use demo_site;
