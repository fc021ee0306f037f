//! A web site to crawl without the Internet. It serves well-behaved pages and
//! ill-behaved ones, or the files of a folder, from a thread of this process.
//!
//! ```
//! let site = demo_site::DemoSite::start()?;
//! println!("open {} in a browser", site.url("/"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! | module | what it contains |
//! |---|---|
//! | `site` | the table of all demo pages; the page `/` explains each of them |
//! | `wiki` | a small tree of pages that link to each other |
//! | `slow`, `turns` | pages that wait: for some time, or until another page was read |
//! | `redirects` | pages that redirect |
//! | `transfer` | bodies in chunks, byte by byte, and without a length |
//! | `trouble` | pages that drop the connection or refuse a request at first |
//! | `charsets`, `media` | pages in other encodings, and files that are not pages |
//! | `sizes` | pages of any size or depth, as the query asks |
//! | `many` | sites with any number of pages, for measurements |
//! | `folder`, `listing`, `place` | the files of a folder, and nothing outside it |
//! | `page`, `answer` | helpers that build pages and responses |
//! | `server`, `listener`, `connection`, `http` | the server thread, its sockets, its requests |
//! | `tls` | https, with the feature `tls` |
//! | `counters` | counts requests and connections |
//!
//! The same crawl gives the same report every time. If a page has a state, it returns
//! to the first state at the end of a crawl, so that the next crawl has the same
//! result.

#![forbid(unsafe_code)]

mod answer;
mod charsets;
mod connection;
mod counters;
mod demo_site;
mod folder;
mod http;
mod listener;
mod listing;
mod many;
mod media;
mod page;
mod place;
mod redirects;
mod server;
mod site;
mod sizes;
mod slow;
#[cfg(feature = "tls")]
mod tls;
mod transfer;
mod trouble;
mod turns;
mod wiki;

pub use demo_site::DemoSite;
pub use place::{Folder, Place};
