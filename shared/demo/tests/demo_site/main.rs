//! The promises of the demo site, checked on real sockets, and byte by byte if
//! necessary.

mod client;
mod crawl;
mod folder;
mod hosts;
#[cfg(feature = "tls")]
mod https;
#[cfg(unix)]
mod linked;
mod listing;
mod many;
mod pages;
mod program;
mod server;
mod transfer;
mod turns;
