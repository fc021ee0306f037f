//! The manners of a tool: what a user of the programs meets besides the crawl.

pub mod program; // the `main` of all three programs
pub mod trace; // what a loop does, event by event

mod output; // files and pipes that are written whole
