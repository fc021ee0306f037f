//! What the demo site promises, checked on real sockets, byte by byte where it matters.

mod client;
mod crawl;
mod folder;
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
