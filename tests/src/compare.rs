//! Three crawlers beside four that others might write: who is how fast, and what it costs.
//!
//! `jobs` says what is to be crawled, and `crawlers` by whom. `run` is one crawl: the site
//! and the crawler are processes of their own (`compare_site`; a peer or a stage under
//! `compare_measure`), and what the one says is held to what the other saw. `results` has
//! all runs and their medians; `table` and `plot` show them. `peer` is what peers share.

pub mod calls;
pub mod crawlers;
pub mod jobs;
pub mod machine;
pub mod peer;
pub mod plot;
pub mod results;
pub mod run;
mod site;
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
    /// Connections that were open at once, at the most.
    pub most_connections: usize,
    /// Processor time of the site's process, where the system tells.
    pub cpu: Option<Duration>,
}

/// What a crawler has used, from its start until its end.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Used {
    /// By the clock on the wall.
    pub time: Duration,
    /// Did it end by itself, and with success?
    pub has_succeeded: bool,
    /// Had it to be killed, since it did not end in time?
    pub was_late: bool,
    /// Processor time and memory, where the system tells.
    pub usage: Option<usage::Usage>,
    /// Threads at once, at the most, where the system tells.
    pub threads: Option<usize>,
}
