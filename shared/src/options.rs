//! The options of a crawl, and how the command line gives them.

use crate::crawl::body_budget::MAX_BODIES;
use crate::crawl::fragments::MAX_FRAGMENTS;
use crate::crawl::urls::MAX_KNOWN;
use crate::page::Search;
use clap::{ArgAction, Args};
use regex_lite::{Regex, RegexBuilder};
use std::net::IpAddr;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;
use url::Url;

/// The program that runs: one of the three stages.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its name, as in `stage1-callbacks`.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Whether it speaks https besides http.
    pub speaks_https: bool,
}

impl Program {
    /// Describes a program that speaks http, but not https.
    pub const fn http_only(name: &'static str, version: &'static str) -> Program {
        Program { name, version, speaks_https: false }
    }
}

/// The options of a crawl. `Options::default()` is the same as an empty command line.
///
/// Most options limit the crawl. `trace`, `verbose`, `quiet` and `progress` are for the
/// person who watches it, `ca_file` and `helpers` for stage 3, and `hosts` for tests.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The crawl")]
pub struct Options {
    /// The URLs with which the crawl starts, from [`crate::page::url::parse_root`].
    #[arg(skip)]
    pub roots: Vec<Url>,

    /// Hosts with known addresses: these are not looked up.
    #[arg(skip)]
    pub hosts: Vec<(String, Vec<IpAddr>)>,

    /// Maximum number of open connections, including idle ones
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_tasks: u32,

    /// Redirects followed for one URL
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub max_redirect: u32,

    /// Attempts for one URL
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max_tries: u32,

    /// Stop queueing after N URLs, level by level, so that each run queues the same
    /// [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_pages: Option<u64>,

    /// Maximum number of links from a root; a redirect is not a link [default: no
    /// limit]
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u32>,

    /// Time for the whole crawl; then it ends with what it has found [default: no limit]
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub max_time: Option<Duration>,

    /// Time for one attempt: name, connection, request, whole response; fractions
    /// allowed
    #[arg(long, value_name = "SECS", default_value = "30", value_parser = seconds)]
    pub timeout: Duration,

    /// A longer body is `too-large`
    #[arg(long, value_name = "BYTES", default_value_t = 10 * 1024 * 1024)]
    pub max_body: u64,

    /// URLs not to crawl, unless they are roots; found anywhere in the URL (may be
    /// repeated)
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    pub exclude: Vec<Regex>,

    /// Stay on the roots' hosts and ports; www. makes no difference (the default)
    #[arg(long, overrides_with = "lenient")]
    pub strict: bool,

    /// Stay on the roots' registrable domains: all hosts of example.com
    #[arg(long, overrides_with = "strict")]
    pub lenient: bool,

    /// Check the fragments of links, too: the ids that they name must exist on their
    /// pages
    #[arg(long)]
    pub fragments: bool,

    /// Also request what pages need: images (srcset, too), scripts, styles, icons, media,
    /// frames, and what their link elements name. Nothing in these is searched
    #[arg(long)]
    pub resources: bool,

    /// Also request each URL of other sites once, by HEAD; by GET, of which the body is
    /// not read, if HEAD gives anything but 2xx and 3xx. Nothing there is followed: a
    /// redirect counts as reached. Stages 1 and 2 leave out https
    #[arg(long)]
    pub external: bool,

    /// The crawler's name for servers [default: name/version (+address)]
    #[arg(long, value_name = "TEXT", value_parser = header_text)]
    pub user_agent: Option<String>,

    /// Stage 3: certificates (PEM) to trust besides the public ones
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

    /// More on standard error: each URL when it is settled; in stage 3, after an
    /// interruption, what each task waits for (-vv: each attempt)
    #[arg(short, long, action = ArgAction::Count)]
    pub verbose: u8,

    /// Less on standard error: no progress, no hints (-qq: no warnings)
    #[arg(short, long, action = ArgAction::Count)]
    pub quiet: u8,

    /// Draw a progress line on standard error, if that is a terminal.
    #[arg(skip)]
    pub progress: bool,

    /// Bytes that the known URLs may take; tests set less.
    #[arg(skip = MAX_KNOWN)]
    pub max_known: usize,

    /// Bytes that ids and fragments may take; tests set less.
    #[arg(skip = MAX_FRAGMENTS)]
    pub max_fragments: usize,

    /// Bytes of all bodies in flight; tests set less.
    #[arg(skip = MAX_BODIES)]
    pub max_bodies: usize,
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
    /// Returns the default options with these roots.
    pub fn with_roots(roots: impl IntoIterator<Item = Url>) -> Options {
        Options { roots: roots.into_iter().collect(), ..Options::default() }
    }

    /// Returns the `User-Agent` of this crawl: the user's, or else the program's name,
    /// its version, and the project's address if it has one.
    pub fn user_agent(&self, program: &Program) -> String {
        let address = env!("CARGO_PKG_REPOSITORY");
        match &self.user_agent {
            Some(text) => text.clone(),
            None if address.is_empty() => {
                format!("{}/{}", program.name, program.version)
            }
            None => format!("{}/{} (+{address})", program.name, program.version),
        }
    }

    /// The number of helper threads: by default one fewer than this machine has cores.
    pub fn helper_threads(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, |cores| cores.get());
        self.helpers.map_or_else(|| cores() - 1, |count| count as usize)
    }

    /// Returns what each page is searched for, besides its links.
    pub fn search(&self) -> Search {
        Search { fragments: self.fragments, resources: self.resources }
    }

    /// Returns whether a limit may cut the crawl short. Then it goes level by level, so
    /// that the pages it leaves out do not depend on which response came first.
    pub fn goes_by_levels(&self) -> bool {
        self.max_depth.is_some() || self.max_pages.is_some()
    }
}

/// The longest time-out, in seconds: a year. No crawl is longer, and no clock
/// overflows.
const LONGEST: f64 = 365.0 * 24.0 * 3600.0;

/// Parses a time in seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 =
        text.parse().map_err(|_| "not a number of seconds".to_string())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() && seconds <= LONGEST => Ok(duration),
        _ => Err(format!("must be more than 0 and at most {LONGEST} seconds")),
    }
}

/// How large a pattern of `--exclude` may become when it is compiled, in bytes. Each URL
/// takes as many steps as it has characters, times the size of the pattern at the most.
const MAX_PATTERN: usize = 64 << 10;

/// Parses a pattern of `--exclude`.
fn pattern(text: &str) -> Result<Regex, regex_lite::Error> {
    RegexBuilder::new(text).size_limit(MAX_PATTERN).build()
}

/// Parses the value of a header field.
fn header_text(text: &str) -> Result<String, String> {
    let fits = |byte: u8| byte == b'\t' || (b' '..=b'~').contains(&byte);
    if text.trim().is_empty() || !text.bytes().all(fits) {
        return Err("must be printable ASCII, and not empty".to_string());
    }
    Ok(text.trim().to_string())
}
