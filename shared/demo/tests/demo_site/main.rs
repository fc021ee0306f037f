//! What the demo site promises, checked on real sockets, byte by byte where it matters.

mod client;
mod crawl;
mod folder;
mod listing;
mod pages;
mod program;
mod server;
mod transfer;
mod turns;
