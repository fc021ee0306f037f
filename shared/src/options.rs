//! The options of a crawl and their command line.

mod values; // parsers of option values

use crate::http::field::Field;
use crate::page::links::Extract;
use crate::resolve::{LookupFn, system_lookup};
use crate::trace::{Trace, TraceFormat};
use clap::{ArgAction, Args};
use regex_lite::{Regex, RegexBuilder};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;
use std::{io, thread};
use url::Url;

/// How many bytes the known URLs of a crawl may take: names, table and rows together.
pub const MAX_KNOWN: usize = 1 << 30;

/// How many bytes the ids of all pages and the fragments of links may take, with
/// `--fragments`. If they take more, no fragment is checked at all. To check some
/// would be arbitrary: which ones fit depends on the order of the responses.
pub const MAX_FRAGMENTS: usize = 512 << 20;

/// How many bytes all bodies and pages in flight may take. Above this only short
/// bodies and the oldest ones grow. Pages that wait to be settled may take the same
/// amount again.
pub const MAX_BODIES: usize = 256 << 20;

/// A description of the running program: one of the three stages.
#[derive(Clone, Debug)]
pub struct Program {
    /// The name, such as `stage1-callbacks`.
    pub name: &'static str,
    /// The version.
    pub version: &'static str,
    /// Whether the program speaks https.
    pub speaks_https: bool,
}

impl Program {
    /// Describes a program that speaks http only.
    pub const fn http_only(name: &'static str, version: &'static str) -> Program {
        Program { name, version, speaks_https: false }
    }
}

/// The options of a crawl. `Options::default()` equals an empty command line.
///
/// Most options limit the crawl. Others show it to a person (`trace`, `verbose`,
/// `quiet`, `progress`), are for stage 3 only (`ca_file`, `insecure`, `helpers`), or
/// are for tests (`hosts`, `look_up`).
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = CRAWLED)]
pub struct Options {
    /// The URLs with which the crawl starts, as returned by
    /// [`crate::page::url::parse_root`]. With `fragments`, their fragments are
    /// checked.
    #[arg(skip)]
    pub roots: Vec<Url>,

    /// Hosts with known addresses, which are not looked up. A host with an empty list
    /// does not exist.
    #[arg(skip)]
    pub hosts: Vec<(String, Vec<IpAddr>)>,

    /// How to look up other hosts. The default is the system's resolver.
    #[arg(skip = system_lookup as LookupFn)]
    pub look_up: LookupFn,

    /// Crawl at most N URLs, nearest first, so that each run takes the same ones
    /// [default: no limit]
    #[arg(long, value_name = "N", value_parser = values::whole::<u64>(1, u64::MAX))]
    pub max_pages: Option<u64>,

    /// How many links to follow from a root; redirects do not count [default: no limit]
    #[arg(long, visible_alias = "depth", value_name = "N",
          value_parser = values::whole::<u32>(0, u32::MAX.into()))]
    pub max_depth: Option<u32>,

    /// Do not crawl URLs in which this is found (may be repeated). The whole URL is
    /// searched, with http:// and host, but without its fragment. Roots are crawled
    /// nevertheless, and the summary counts the others. If it is found only in the URL
    /// with its fragment, that fragment is not checked
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    pub exclude: Vec<Regex>,

    /// Stay on the roots' hosts and ports; www. makes no difference (the default)
    #[arg(long, overrides_with = "lenient")]
    pub strict: bool,

    /// Stay on the roots' registrable domains: all hosts of example.com
    #[arg(long, overrides_with = "strict")]
    pub lenient: bool,

    /// Check the fragments of links, ROOTs and redirects, too: the ids that they name must
    /// exist on their pages. Those of other sites are not checked
    #[arg(long)]
    pub fragments: bool,

    /// Also request what pages need: images (srcset, too), scripts, styles, icons, media,
    /// frames, and what their link elements name. Nothing in these is searched
    #[arg(long)]
    pub resources: bool,

    /// Check links to other sites, too. Each of their URLs is requested once, and its
    /// redirects are followed, but none of their links. The request is a HEAD. If that
    /// gives neither a success nor a redirect, it does not count as an attempt, and a GET
    /// follows, whose body is not read. Stages 1 and 2 leave out https
    #[arg(long)]
    pub external: bool,

    /// Maximum number of open connections, including idle ones
    #[arg(long, visible_alias = "concurrency", value_name = "N", default_value = "10",
          value_parser = values::whole::<u32>(1, 100_000), help_heading = REQUESTS)]
    pub max_tasks: u32,

    /// Pause between the beginnings of two requests to one server, a host and a port;
    /// fractions allowed [default: none]
    #[arg(long, value_name = "SECS", value_parser = values::seconds,
          conflicts_with = "rate", help_heading = REQUESTS)]
    pub delay: Option<Duration>,

    /// Requests per second to one server, instead of --delay; fractions allowed
    /// [default: no limit]
    // Stored as the pause between two requests.
    #[arg(long, value_name = "N", value_parser = values::rate, help_heading = REQUESTS)]
    pub rate: Option<Duration>,

    /// Time for one attempt: name, connection, request, whole response; fractions
    /// allowed
    #[arg(long, value_name = "SECS", default_value = "30",
          value_parser = values::seconds, help_heading = REQUESTS)]
    pub timeout: Duration,

    /// Time for the whole crawl, from the start of the program, so reading ROOTs counts;
    /// then it ends with what it has found [default: no limit]
    #[arg(long, value_name = "SECS", value_parser = values::seconds,
          help_heading = REQUESTS)]
    pub max_time: Option<Duration>,

    /// Attempts for one URL. Not counted: some refusals by a server that limits its
    /// connections; in stages 1 and 2, time-outs while a look-up blocks the loop
    #[arg(long, value_name = "N", default_value = "4",
          value_parser = values::whole::<u32>(1, u32::MAX.into()),
          help_heading = REQUESTS)]
    pub max_tries: u32,

    /// Redirects followed for one URL
    #[arg(long, value_name = "N", default_value = "10",
          value_parser = values::whole::<u32>(0, u32::MAX.into()),
          help_heading = REQUESTS)]
    pub max_redirect: u32,

    /// A longer page is `too-large`; k, M and G are units of 1024. Other bodies are never
    /// too large: they are read up to 1M, or up to this if it is less
    #[arg(long, value_name = "BYTES", default_value = "10M",
          value_parser = values::bytes, help_heading = REQUESTS)]
    pub max_body: u64,

    /// The User-Agent header [default: the program's name/version]
    #[arg(long, value_name = "TEXT", value_parser = values::header_text,
          help_heading = REQUESTS)]
    pub user_agent: Option<String>,

    /// A header field to add to the requests to the roots' sites (may be repeated)
    #[arg(long = "header", value_name = "NAME:VALUE",
          value_parser = values::Secret(Field::parse), help_heading = REQUESTS)]
    pub headers: Vec<Field>,

    /// Basic authorization for the roots' sites; to https roots it goes over https only
    #[arg(long, value_name = "NAME:PASSWORD",
          value_parser = values::Secret(Field::basic_authorization),
          help_heading = REQUESTS)]
    pub user: Option<Field>,

    /// Certificates (PEM) to trust besides the public ones
    #[arg(long, value_name = "FILE", conflicts_with = "insecure",
          help_heading = STAGE_3)]
    pub ca_file: Option<PathBuf>,

    /// Accept any certificate: an attacker between here and the server can read and change
    /// everything
    #[arg(long, help_heading = STAGE_3)]
    pub insecure: bool,

    /// Helper threads for big pages, 0 = in the loop [default: cores - 1, at least 1]
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(0, 1024),
          help_heading = STAGE_3)]
    pub helpers: Option<u32>,

    /// With jsonl: list each page's links
    #[arg(long, help_heading = REPORT)]
    pub links: bool,

    /// More on standard error: each URL when it is settled; in stage 3, after an
    /// interruption, what each task waits for (-vv: each attempt)
    #[arg(short, long, action = ArgAction::Count, help_heading = WATCHING)]
    pub verbose: u8,

    /// Less on standard error: no progress, no hints (-qq: no warnings)
    #[arg(short, long, action = ArgAction::Count, conflicts_with = "verbose",
          help_heading = WATCHING)]
    pub quiet: u8,

    /// Write what the loop does, event by event
    #[arg(long, value_name = "FILE", help_heading = WATCHING)]
    pub trace: Option<PathBuf>,

    /// How the trace is written: jsonl, or perfetto for the viewer at ui.perfetto.dev
    #[arg(long, value_name = "FORMAT", default_value = "jsonl", requires = "trace",
          hide_possible_values = true, help_heading = WATCHING)]
    pub trace_format: TraceFormat,

    /// Whether to draw a progress line on standard error, if that is a terminal.
    #[arg(skip)]
    pub progress: bool,

    /// How many bytes the known URLs may take. Tests use a smaller limit.
    #[arg(skip = MAX_KNOWN)]
    pub max_known: usize,

    /// How many bytes ids and fragments may take. Tests use a smaller limit.
    #[arg(skip = MAX_FRAGMENTS)]
    pub max_fragments: usize,

    /// How many bytes all bodies in flight may take. Tests use a smaller limit.
    #[arg(skip = MAX_BODIES)]
    pub max_bodies: usize,
}

/// The headings of the options in `--help`.
pub(crate) const CRAWLED: &str = "What to crawl";
const REQUESTS: &str = "Requests";
const STAGE_3: &str = "Stage 3 only: https and threads";
pub(crate) const REPORT: &str = "The report";
const WATCHING: &str = "To watch it";

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
    /// Returns the default options, but with these roots.
    pub fn with_roots(roots: impl IntoIterator<Item = Url>) -> Options {
        Options { roots: roots.into_iter().collect(), ..Options::default() }
    }

    /// Returns the `User-Agent` of this crawl: the one in the options, or else the
    /// program's name and version, and the project's address if it has one.
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

    /// Returns the number of helper threads.
    pub fn helper_threads(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, |cores| cores.get());
        self.helpers.map_or_else(|| default_helpers(cores()), |count| count as usize)
    }

    /// Creates the trace that these options ask for.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn open_trace(&self, program: &Program) -> io::Result<Trace> {
        Trace::open(self.trace.as_deref(), self.trace_format, program.name)
    }

    /// Returns what to extract from each page, besides its links.
    pub fn extract(&self) -> Extract {
        Extract { fragments: self.fragments, resources: self.resources }
    }

    /// Returns the pause from the beginning of one request to the next, for the same
    /// server; `None` without `--delay` and `--rate`.
    pub fn pause_between_requests(&self) -> Option<Duration> {
        self.delay.or(self.rate)
    }

    /// Returns whether a limit may cut the crawl short. Such a crawl takes one level
    /// after the other: which pages are left out must not depend on the order of the
    /// responses.
    pub fn goes_by_levels(&self) -> bool {
        self.max_depth.is_some() || self.max_pages.is_some()
    }
}

/// Returns the default number of helper threads. One core is left for the loop. On a
/// single core there is still one helper: the system switches between both threads, so
/// a big page does not block the loop.
fn default_helpers(cores: usize) -> usize {
    cores.saturating_sub(1).max(1)
}

/// The largest compiled pattern of `--exclude`, in bytes. Matching a URL takes at most
/// its length times this number of steps.
const MAX_PATTERN: usize = 64 << 10;

/// Parses a pattern of `--exclude`. An empty one, as of a variable that is not set, would
/// match all URLs.
fn pattern(text: &str) -> Result<Regex, String> {
    if text.is_empty() {
        return Err("an empty pattern matches every URL".to_string());
    }
    let built = RegexBuilder::new(text).size_limit(MAX_PATTERN).build();
    built.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_core_is_left_for_the_loop_and_there_is_always_a_helper() {
        let counts = [1, 2, 3, 64].map(default_helpers);
        assert_eq!(counts, [1, 1, 2, 63]);
    }
}
