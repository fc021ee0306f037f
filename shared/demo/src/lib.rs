//! A web site to crawl that needs no Internet: well-behaved pages, ill-behaved ones, or
//! the files of a folder, served on this machine by a thread of this process.
//!
//! ```
//! let site = demo_site::DemoSite::start()?;
//! println!("open {} in a browser", site.url("/"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! | module | what it serves, or does |
//! |---|---|
//! | `site` | the table of all demo pages; `/` explains each of them |
//! | `wiki` | a small tree of pages that link to each other |
//! | `slow`, `turns` | pages that wait: for a time, or until another page was read |
//! | `redirects` | pages that have moved |
//! | `transfer` | bodies in chunks, byte by byte, without a length |
//! | `trouble` | dropped connections, refusals, a page that is not there |
//! | `charsets`, `media` | pages in other encodings, and files that are not pages |
//! | `sizes` | pages as big or as deep as the query asks for |
//! | `many` | sites with as many pages as a measurement asks for |
//! | `folder`, `listing`, `place` | the files of a folder, and nothing outside it |
//! | `page`, `answer` | what all of them are made of |
//! | `server`, `listener`, `connection`, `http` | the thread, its sockets, their requests |
//! | `tls` | the same over https, with the feature of that name |
//! | `counters` | counts requests and connections |
//!
//! The same crawl gives the same report every time. A page that has to remember
//! something returns to its first state, so that a second crawl finds the same as the
//! first.

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
