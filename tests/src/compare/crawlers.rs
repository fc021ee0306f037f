//! The crawlers: our three, and four that others might write.

use crate::compare::jobs::Job;
use crate::programs;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// One way to crawl.
#[derive(Clone, Copy, Debug)]
pub struct Crawler {
    /// Its name in the table.
    pub name: &'static str,
    /// Its program.
    pub program: &'static str,
    /// What its command line has besides the job.
    pub(super) arguments: &'static [&'static str],
}

/// The command line that our stages share; the crawler with threads has it, too.
pub(super) const OURS: &[&str] = &["-q", "--format", "jsonl"];

/// All of them. Each follows the same links, keeps a set of the URLs that were seen, and
/// reports each page in a line of JSON.
pub const CRAWLERS: [Crawler; 7] = [
    Crawler { name: "threads that block", program: "peer_threads", arguments: OURS },
    Crawler { name: "stage 1", program: "stage1-callbacks", arguments: OURS },
    Crawler { name: "stage 2", program: "stage2-generators", arguments: OURS },
    Crawler { name: "stage 3", program: "stage3-async", arguments: OURS },
    Crawler {
        name: "stage 3, no helpers",
        program: "stage3-async",
        arguments: &["-q", "--format", "jsonl", "--helpers", "0"],
    },
    Crawler { name: "Tokio, hyper, lol_html", program: "peer_hyper", arguments: &[] },
    Crawler {
        name: "Tokio, reqwest, scraper",
        program: "peer_reqwest",
        arguments: &[],
    },
];

/// The whole command for a job, at a site that is there.
pub fn arguments(crawler: &Crawler, job: &Job, address: &str) -> Vec<String> {
    let mut arguments: Vec<_> =
        crawler.arguments.iter().map(|it| it.to_string()).collect();
    arguments.extend(["--max-tasks".to_string(), job.connections.to_string()]);
    arguments.push(format!("http://{address}{}", job.path));
    arguments
}

/// Builds all programs of the comparison: their names, and where they are.
///
/// # Errors
/// They cannot be built. What cargo says goes to standard error.
pub fn build() -> Result<BTreeMap<String, PathBuf>, String> {
    let mut arguments = TOOLS.to_vec();
    for crawler in
        CRAWLERS.iter().filter(|crawler| crawler.program.starts_with("stage"))
    {
        arguments.extend(["--package", crawler.program]);
    }
    programs::cargo_build(&arguments)
}

/// The programs of this package: the peers, the site, and the one that measures.
const TOOLS: [&str; 5] =
    ["--bins", "--features", "conformance/peers", "--package", "conformance"];

/// Builds only the programs of this package: their names, and where they are.
///
/// # Errors
/// As in [`build`].
pub fn build_tools() -> Result<BTreeMap<String, PathBuf>, String> {
    programs::cargo_build(&TOOLS)
}
