//! The demo site in the simulated network. Its pages and its HTTP are the
//! modules of the real one. Only sockets and the clock are others.
#![forbid(unsafe_code)]
// The modules of the real site are public within it.
#![allow(unreachable_pub)]

mod site_in_world;

#[path = "../../../../shared/demo/src/answer.rs"]
mod answer;
#[path = "../../../../shared/demo/src/charsets.rs"]
mod charsets;
#[path = "../../../../shared/demo/src/connection.rs"]
mod connection;
#[path = "../../../../shared/demo/src/counters.rs"]
mod counters;
#[path = "../../../../shared/demo/src/http.rs"]
mod http;
#[path = "../../../../shared/demo/src/many.rs"]
mod many;
#[path = "../../../../shared/demo/src/media.rs"]
mod media;
#[path = "../../../../shared/demo/src/page.rs"]
mod page;
#[path = "../../../../shared/demo/src/redirects.rs"]
mod redirects;
#[path = "../../../../shared/demo/src/site.rs"]
mod site;
#[path = "../../../../shared/demo/src/sizes.rs"]
mod sizes;
#[path = "../../../../shared/demo/src/slow.rs"]
mod slow;
#[path = "../../../../shared/demo/src/transfer.rs"]
mod transfer;
#[path = "../../../../shared/demo/src/trouble.rs"]
mod trouble;
#[path = "../../../../shared/demo/src/turns.rs"]
mod turns;
#[path = "../../../../shared/demo/src/wiki.rs"]
mod wiki;

pub use site_in_world::{Counts, Demo};
