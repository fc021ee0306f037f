//! The state of a crawl: which URLs belong to it, which are known, their results, and
//! the next jobs.

pub mod body_budget; // the memory for bodies
pub mod frontier; // the next attempts, for stages 1 and 2
pub mod job; // a URL to fetch
pub mod ledger; // all known URLs, and what follows from a result
pub mod pace; // when an attempt may begin, with --delay
pub mod requests; // the bytes of each request
pub mod scope; // which URLs belong to a crawl
pub mod settling; // from a result to new jobs

mod attempts; // the end of an attempt: does it count, and when is the next one
mod bfs; // the distance of each URL from a root
mod chains; // where chains of redirects end
mod close; // from the ledger to the report
mod excluded; // how many URLs the user excludes
mod foreign_links; // the links that do not belong to the crawl, with --links
mod fragments; // the fragments of links, with --fragments
mod interning; // from a result to a stored row
mod levels; // when a discovered URL becomes a job
mod limit; // how many attempts may be in flight at once
mod listed; // the links of each page, with --links
mod missing; // fragments that do not exist
mod open; // from the roots to the first jobs
mod referrers; // the pages that link to a failed URL
mod roots; // warnings about roots that were not checked
pub(crate) mod servers; // what is known of each host and port
mod settled; // the result of a URL, before the report is complete
mod unparsable; // links that cannot be parsed
mod unsearched; // pages that were not searched for links
pub(crate) mod url_id; // the number of a URL
mod urls; // each URL once, found by name and by number
