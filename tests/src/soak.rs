//! A long crawl of a site that is made up from a formula: what the crawler has to say
//! of each page is known, and what it takes from the machine is looked at meanwhile.

pub mod check;
pub mod figures;
pub mod run;
pub mod site;

use std::time::Duration;

/// Options of the crawler, beside the root and the file of its report.
pub const ARGUMENTS: [&str; 6] = [
    "--format=jsonl",
    "--quiet",
    "--max-tasks=20",
    "--max-tries=2",
    "--max-body=1000000",
    // Long enough for a busy machine, on which each page waits for those of the other tasks.
    // Few pages run into it.
    "--timeout=5",
];

/// The same of stage 3 alone.
const HELPERS: &str = "--helpers=2";

/// Connections at once, and so many descriptors more: the selector, what wakes it, the
/// signals, the report, the standard streams.
pub const MAX_DESCRIPTORS: usize = 20 + 20;
/// The loop, the signals, two helpers; and room for a look-up.
pub const MAX_THREADS: usize = 8;
/// Bytes of memory that a page may leave behind: its row and its links, and not its
/// body, which is longer.
pub const MAX_GROWTH: f64 = 4096.0;

/// Time for a crawl of no pages, on any machine: what is slower hangs.
const LIMIT: Duration = Duration::from_secs(300);
/// And for each page.
const LIMIT_PER_PAGE: Duration = Duration::from_millis(10);
