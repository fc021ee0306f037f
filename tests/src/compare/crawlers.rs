//! Who crawls: our three, and four that others might write.

use crate::compare::jobs::Job;
use crate::programs;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// One way to crawl.
#[derive(Clone, Copy, Debug)]
pub struct Crawler {
    /// As the table has it.
    pub name: &'static str,
    /// Its program.
    pub program: &'static str,
    /// What is said to the program besides the job.
    arguments: &'static [&'static str],
}

/// The command line that our stages share; the crawler with threads has it, too.
const OURS: &[&str] = &["-q", "--format", "jsonl"];

/// All of them. Each follows the same links, keeps a set of what was seen, and reports each
/// page in a line of JSON.
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

/// Builds all programs that a comparison needs: their names, and where they are.
///
/// # Errors
/// They cannot be built. What cargo says goes to standard error.
pub fn build() -> Result<BTreeMap<String, PathBuf>, String> {
    let mut arguments = vec!["--bins", "--features", "conformance/peers"];
    arguments.extend(["--package", "conformance"]);
    for crawler in
        CRAWLERS.iter().filter(|crawler| crawler.program.starts_with("stage"))
    {
        arguments.extend(["--package", crawler.program]);
    }
    programs::cargo_build(&arguments)
}
