//! Web sites for the simulated network.
#![forbid(unsafe_code)]

mod http;
mod rule;
mod script;

pub use http::{Head, Requests, response};
pub use rule::{Rule, Then};
pub use script::Script;
