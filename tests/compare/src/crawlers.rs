//! The crawlers: our three, and four that others might write.

use crate::jobs::Job;
use crate::programs::{self, Programs};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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

/// The programs that measure.
const TOOLS: [&str; 2] = ["compare_measure", SITE];
const SITE: &str = "compare_site";

/// Builds all programs of the comparison, in one build, so that they share their libraries.
///
/// # Errors
/// They cannot be built. What cargo says goes to standard error.
pub fn build() -> Result<Programs, String> {
    let names: BTreeSet<&str> =
        CRAWLERS.iter().map(|crawler| crawler.program).collect();
    let stages = names.iter().filter(|name| name.starts_with("stage"));
    let mut arguments = vec!["--bins", "--package", "compare"];
    arguments.extend(stages.flat_map(|stage| ["--package", stage]));
    build_here(&arguments, names.into_iter().chain(TOOLS))
}

/// Builds only the programs that measure.
///
/// # Errors
/// As in [`build`].
pub fn build_tools() -> Result<Programs, String> {
    let arguments = TOOLS.map(|tool| ["--bin", tool]);
    build_here(arguments.as_flattened(), TOOLS)
}

/// Builds only the site.
///
/// # Errors
/// As in [`build`].
pub fn build_site() -> Result<PathBuf, String> {
    let built = build_here(&["--quiet", "--bin", SITE], [SITE])?;
    built.into_values().next().ok_or("cargo has built no site".to_string())
}

fn build_here<'a>(
    arguments: &[&str],
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Programs, String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    programs::build(here, &programs::target(), arguments, names)
}
