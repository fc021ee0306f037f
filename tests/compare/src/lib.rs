//! Three crawlers beside four that others might write: how fast each is, and what it costs.
//!
//! `jobs` are what is crawled, `crawlers` the programs that crawl. `run` is one crawl: the
//! site and the crawler are processes of their own (`compare_site`; a peer or a stage under
//! `compare_measure`), and what the crawler reports is checked against what the site saw.
//! `manual` and `nginx` are the site that was not made for crawlers.
//! `results` has all runs and their medians; `table` and `plot` show them. `before`
//! compares the stages with an older version of themselves, and `counter` counts system
//! calls and instructions. `programs` builds what is run, and `peer` is what the peers share.
#![forbid(unsafe_code)]

pub mod before;
pub mod counter;
pub mod crawlers;
pub mod jobs;
pub mod machine;
pub mod manual;
pub mod nginx;
mod numbers;
pub mod peer;
pub mod plot;
pub mod programs;
pub mod results;
pub mod run;
pub mod site;
pub mod table;
pub mod usage;

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What the site saw of one crawl.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Seen {
    /// Requests that arrived.
    pub requests: usize,
    /// Connections that were made.
    pub connections: usize,
    /// Connections that were open at once, at the most, where the server says.
    pub most_connections: Option<usize>,
    /// Processor time of the site's process, where the system says.
    pub cpu: Option<Duration>,
}

/// What a crawler has used, from its start until its end.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Used {
    /// By the clock on the wall.
    pub time: Duration,
    /// Whether it ended by itself, and with success.
    pub has_succeeded: bool,
    /// Whether it had to be killed, since it did not end in time.
    pub was_late: bool,
    /// Processor time and memory, where the system says.
    pub usage: Option<usage::Usage>,
    /// Threads at once, at the most, where the system says.
    pub threads: Option<usize>,
}
