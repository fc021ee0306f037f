//! The toy world: what a case plays with in place of a network, an operating system and a
//! clock. Nothing here waits, and everything is counted.

pub mod choices;
pub mod clock;
pub mod crawl;
pub mod leaf;
pub mod socket;
