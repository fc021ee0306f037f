//! What a crawl is asked to do, and the command line that asks for it.

use clap::{ArgAction, Args};
use regex::Regex;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;
use url::Url;

/// Which of the three programs is running.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Its name, as in `stage1-callbacks`.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Does it speak https besides http?
    pub speaks_https: bool,
}

impl Stage {
    /// A program that speaks http, and no https.
    pub const fn http_only(name: &'static str, version: &'static str) -> Stage {
        Stage { name, version, speaks_https: false }
    }
}

/// What a crawl is asked to do. `Options::default()` is what the command line gives
/// when nothing is said.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The crawl")]
pub struct Options {
    /// Where the crawl starts. URLs as [`crate::address::parse_root`] gives them.
    #[arg(skip)]
    pub roots: Vec<Url>,

    /// Hosts whose addresses are known: nobody is asked for them.
    #[arg(skip)]
    pub hosts: Vec<(String, Vec<IpAddr>)>,

    /// Connections at once, idle ones included
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_tasks: u32,

    /// Redirects followed for one URL
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub max_redirect: u32,

    /// Tries for one URL
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max_tries: u32,

    /// Stop queueing after N URLs, level by level, so that each run takes the same
    /// [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_pages: Option<u64>,

    /// Links away from a root; a redirect is not a link [default: no limit]
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u32>,

    /// Time for one try: name, connection, request and whole answer; fractions allowed
    #[arg(long, value_name = "SECS", default_value = "30", value_parser = seconds)]
    pub timeout: Duration,

    /// A longer body is `too-large`
    #[arg(long, value_name = "BYTES", default_value_t = 10 * 1024 * 1024)]
    pub max_body: u64,

    /// URLs not to crawl, unless they are roots; found anywhere in the URL (may be
    /// repeated)
    #[arg(long, value_name = "REGEX")]
    pub exclude: Vec<Regex>,

    /// Stay on the roots' hosts and ports; www. makes no difference (the default)
    #[arg(long, overrides_with = "lenient")]
    pub strict: bool,

    /// Stay on the roots' registrable domains: all hosts of example.com
    #[arg(long, overrides_with = "strict")]
    pub lenient: bool,

    /// How the crawler names itself to servers [default: name/version (+address)]
    #[arg(long, value_name = "TEXT", value_parser = header_text)]
    pub user_agent: Option<String>,

    /// Stage 3: trust the certificates of this PEM file, too, for https
    #[arg(long, value_name = "FILE")]
    pub ca_file: Option<PathBuf>,

    /// Stage 3: helper threads for big pages, 0 = in the loop [default: cores - 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=1024))]
    pub helpers: Option<u32>,

    /// With jsonl: list each page's links
    #[arg(long)]
    pub links: bool,

    /// Write what the loop does, event by event, as JSON lines
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,

    /// More on standard error: each URL as it is done, and in stage 3 who waits when it
    /// is interrupted (-vv: each try)
    #[arg(short, long, action = ArgAction::Count)]
    pub verbose: u8,

    /// Less on standard error: no progress, no hints (-qq: no warnings)
    #[arg(short, long, action = ArgAction::Count)]
    pub quiet: u8,

    /// Draw a progress line on standard error, if that is a terminal.
    #[arg(skip)]
    pub progress: bool,
}

impl Default for Options {
    fn default() -> Options {
        #[derive(clap::Parser)]
        struct Nothing {
            #[command(flatten)]
            options: Options,
        }
        let nothing: Nothing = clap::Parser::parse_from(["nothing"]);
        nothing.options
    }
}

impl Options {
    /// A crawl from these roots; everything else as when nothing is said.
    pub fn with_roots(roots: impl IntoIterator<Item = Url>) -> Options {
        Options { roots: roots.into_iter().collect(), ..Options::default() }
    }

    /// The `User-Agent` of this crawl: what the user says, else the program's name,
    /// version and, where the project has one, address.
    pub fn user_agent(&self, stage: &Stage) -> String {
        let address = env!("CARGO_PKG_REPOSITORY");
        match &self.user_agent {
            Some(text) => text.clone(),
            None if address.is_empty() => format!("{}/{}", stage.name, stage.version),
            None => format!("{}/{} (+{address})", stage.name, stage.version),
        }
    }

    /// Are there limits that cut a crawl short? Then it goes level by level, so that
    /// what is cut does not depend on who answered first.
    pub fn goes_by_levels(&self) -> bool {
        self.max_depth.is_some() || self.max_pages.is_some()
    }
}

/// The longest time-out: a year. Later than any crawl, and no clock overflows.
const LONGEST: f64 = 365.0 * 24.0 * 3600.0;

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 =
        text.parse().map_err(|_| "not a number of seconds".to_string())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() && seconds <= LONGEST => Ok(duration),
        _ => Err(format!("must be more than 0 and at most {LONGEST} seconds")),
    }
}

fn header_text(text: &str) -> Result<String, String> {
    let fits = |byte: u8| byte == b'\t' || (b' '..=b'~').contains(&byte);
    if text.trim().is_empty() || !text.bytes().all(fits) {
        return Err("must be printable ASCII, and not empty".to_string());
    }
    Ok(text.trim().to_string())
}
