//! One crawl: which URLs belong to it, which are known, what became of each, and which
//! is next.

pub mod body_budget; // how many bytes of bodies are held at once
pub mod frontier; // which attempt is next
pub mod job; // one URL to be fetched
pub mod ledger; // what is known of each URL, and what follows from a result
pub mod pace; // when an attempt may begin, with --delay
pub mod requests; // the bytes of each request
pub mod scope; // which URLs belong to a crawl
pub mod settling; // from a result to the jobs that follow from it

mod attempts; // whether an attempt counts, and when the next one may begin
mod bfs; // how far each URL is from a root
mod chains; // where redirects lead in the end
mod close; // from the ledger to the report
mod foreign_links; // the links that do not belong to the crawl, with --links
mod fragments; // the fragments of links
mod interning; // from a result to a stored row
mod levels; // when a URL that was discovered becomes a job
mod limit; // how many attempts may run at once
mod listed; // the links of each page, with --links
mod missing; // which fragments point nowhere
mod open; // from the roots to the first jobs
mod referrers; // which pages link to what failed
mod roots; // the roots of which nothing was checked
pub(crate) mod servers; // a host and a port each, and what is known of it
mod settled; // a row of the report, before it is known where its URL was found
mod unparsable; // links that cannot be parsed
pub(crate) mod url_id; // the number of a URL
mod urls; // each URL once, found by name and by number
