//! The report of a crawl: a row for each URL, and the totals. Both can be written as
//! JSON Lines.

pub(crate) mod progress; // the progress line on a terminal
pub mod schema; // the JSON schema
pub mod terminal; // escapes of text from servers
mod text; // the report as text

pub(crate) use text::MAX_PAGES_SHOWN;

use clap::ValueEnum; // for the list of all outcomes
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

/// The result of a crawl for one URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A complete 2xx response.
    Ok,
    /// A redirect with a usable target.
    Redirect,
    /// Any other status. Also a redirect that cannot be followed.
    HttpError,
    /// A redirect that was not followed because its budget was used up. Also a
    /// redirect into a loop.
    TooManyRedirects,
    /// No complete response in time.
    Timeout,
    /// A page longer than `--max-body`. Bodies that are not searched are never too
    /// large.
    TooLarge,
    /// The connection was closed before the end of the response.
    Truncated,
    /// Not HTTP/1.x, or the end of the response is uncertain.
    Malformed,
    /// The connection failed: refused, reset, or no address for the name.
    NetworkError,
    /// A scheme that this program does not speak.
    Unsupported,
    /// A link that cannot be parsed or is too long. It is not requested.
    InvalidUrl,
    /// A link to an id that does not exist on its page, with `--fragments`. It is not
    /// requested.
    MissingFragment,
}

impl Outcome {
    /// Returns whether `--check` counts this outcome as a failure.
    pub fn is_failure(self) -> bool {
        !matches!(self, Outcome::Ok | Outcome::Redirect)
    }

    /// Returns the name of the outcome, as in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Ok => "ok",
            Outcome::Redirect => "redirect",
            Outcome::HttpError => "http-error",
            Outcome::TooManyRedirects => "too-many-redirects",
            Outcome::Timeout => "timeout",
            Outcome::TooLarge => "too-large",
            Outcome::Truncated => "truncated",
            Outcome::Malformed => "malformed",
            Outcome::NetworkError => "network-error",
            Outcome::Unsupported => "unsupported",
            Outcome::InvalidUrl => "invalid-url",
            Outcome::MissingFragment => "missing-fragment",
        }
    }
}

/// A row of the report: the result for a URL.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The normalized URL. For a missing fragment it includes the fragment. For a link
    /// that cannot be parsed or is too long, it is the text of the link without a
    /// fragment, cut to 200 characters.
    pub url: Arc<str>,
    /// The kind of the result.
    pub outcome: Outcome,
    /// The status of the response; `None` without a complete response.
    pub status: Option<u16>,
    /// The target of a redirect; `None` for other responses.
    pub next_url: Option<String>,
    /// What went wrong, for a person to read; `None` if nothing did, or if the status
    /// says it.
    pub error: Option<String>,
    /// The `type/subtype` of the body; `None` if it is unknown.
    pub content_type: Option<String>,
    /// The charset of the text; `None` if the page was not searched for links.
    pub encoding: Option<String>,
    /// The length of the body in bytes, without the transfer coding. `None` for a
    /// redirect, and if the body was not read: for a foreign URL, and for a body that
    /// is not searched and is longer than
    /// [`MAX_UNSEARCHED`](crate::http::MAX_UNSEARCHED).
    pub size: Option<u64>,
    /// How many different links the page has, including foreign ones.
    pub num_links: usize,
    /// How many URLs of the crawl were found first on this page, where nearer pages
    /// come before others.
    pub num_new_links: usize,
    /// The links, sorted. Only with `--links`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<Vec<Arc<str>>>,
    /// How many attempts were made since the URL was queued: requests that were sent,
    /// and connections that failed before. Requests on stale connections are not
    /// counted.
    pub attempts: u32,
    /// The duration of the last attempt; in milliseconds in the JSON.
    #[serde(rename = "elapsed_ms", serialize_with = "milliseconds")]
    pub elapsed: Duration,
    /// The smallest number of links between a root and this URL.
    pub depth: u32,
    /// The pages that link to the URL. If it failed, these are all such pages,
    /// including those that link to a redirect that leads to it. Otherwise it is a
    /// single page: the nearest to a root, and of several the first by name.
    pub found_on: Vec<Arc<str>>,
    /// How the first three of these pages lead to a URL that failed: for each page,
    /// the URLs from its link to this URL, by redirects. Empty if the page links to
    /// this URL itself, and if the lists of all loops together would exceed a million
    /// URLs. A root that redirects is the first URL of its own list. The JSON has only
    /// the list of the first page, and leaves it out if it is empty.
    #[serde(
        skip_serializing_if = "begins_without_a_way",
        serialize_with = "first_way"
    )]
    pub via: Vec<Vec<Arc<str>>>,
}

fn begins_without_a_way(via: &[Vec<Arc<str>>]) -> bool {
    via.first().is_none_or(Vec::is_empty)
}

fn first_way<S: serde::Serializer>(
    via: &[Vec<Arc<str>>],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    via.first().serialize(serializer)
}

/// The totals. `urls` is the sum of the next four fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The program's name.
    pub stage: &'static str,
    /// How many rows there are.
    pub urls: usize,
    /// How many rows are `ok`.
    pub ok: usize,
    /// How many rows are `redirect`.
    pub redirect: usize,
    /// How many rows are `http-error`.
    #[serde(rename = "http-error")]
    pub http_error: usize,
    /// How many rows have any other outcome.
    pub failed: usize,
    /// The total length of all bodies, in bytes.
    pub bytes: u64,
    /// The duration of the crawl; in milliseconds in the JSON.
    #[serde(rename = "elapsed_ms", serialize_with = "milliseconds")]
    pub elapsed: Duration,
    /// How many connections were allowed at the same time (`--max-tasks`).
    pub max_tasks: u32,
    /// The largest number of connections that were open at the same time.
    pub peak_tasks: usize,
    /// Whether each known URL has a row. Cleared by an interruption or a limit.
    pub complete: bool,
    /// How many known URLs were not fetched.
    pub left: usize,
    /// How many different URLs `--exclude` kept out, with links that cannot be parsed.
    pub excluded: usize,
    /// The pages that were not searched for links. The JSON contains only how many there
    /// are.
    pub unsearched: Unsearched,
}

/// Pages that may have links and were not searched for them: how many, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(into = "usize")]
pub struct Unsearched {
    /// Pages that arrived compressed, although no request asks for compression.
    pub compressed: usize,
    /// Pages without a `Content-Type`, or with one that cannot be parsed.
    pub untyped: usize,
    /// Feeds, and other XML whose links are not in elements that are searched.
    pub feeds: usize,
}

impl From<Unsearched> for usize {
    fn from(unsearched: Unsearched) -> usize {
        let Unsearched { compressed, untyped, feeds } = unsearched;
        compressed + untyped + feeds
    }
}

/// The result of a crawl.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The rows, sorted by URL: for each URL that was requested, each link that cannot
    /// be parsed, and each missing fragment.
    pub rows: Vec<Row>,
    /// The totals.
    pub summary: Summary,
    /// Whether the crawl was stopped from outside.
    pub interrupted: bool,
    /// Whether `--max-time` was over before the crawl had ended.
    pub out_of_time: bool,
    /// If the crawl is stuck, which is a bug of this program: what each task waits
    /// for, one line each. Otherwise `None`.
    pub stuck: Option<String>,
    /// Problems that do not concern a URL, such as a trace that could not be written.
    pub warnings: Vec<String>,
    /// Whether any root got an HTTP response.
    pub answered: bool,
    /// Whether something was not checked: a root that responded with success, or all
    /// fragments, because they were too many. A warning gives the reason.
    pub is_unchecked: bool,
    /// The origin of the folder that was served for this crawl, for example
    /// `http://127.0.0.1:4000`. The text shows only the paths of its URLs, and the JSON
    /// has the paths, too. `None` if no folder was served.
    pub origin: Option<String>,
}

impl Report {
    /// Returns the row of a URL.
    pub fn row(&self, url: &str) -> Option<&Row> {
        let index = self.rows.binary_search_by(|row| (*row.url).cmp(url)).ok()?;
        Some(&self.rows[index])
    }

    /// Returns the path of a URL of the served folder, with its query and fragment; `None`
    /// for all other URLs, and if no folder was served.
    ///
    /// When a person reads the report, the server's port is closed, and the next run has
    /// another port. So whole URLs would not help.
    pub fn path<'a>(&self, url: &'a str) -> Option<&'a str> {
        let path = url.strip_prefix(self.origin.as_deref()?)?;
        path.starts_with('/').then_some(path)
    }

    /// Writes a JSON object for each row, one per line, and then the summary.
    pub fn write_json_lines(&self, out: &mut dyn Write) -> io::Result<()> {
        #[derive(Serialize)]
        struct Line<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            path: Option<&'a str>,
            #[serde(flatten)]
            row: &'a Row,
        }
        for row in &self.rows {
            write_json(out, &Line { path: self.path(&row.url), row })?;
        }
        self.write_summary(out)
    }

    /// Writes only the summary, which is the last line of the JSON Lines.
    pub fn write_summary(&self, out: &mut dyn Write) -> io::Result<()> {
        #[derive(Serialize)]
        struct Line<'a> {
            summary: &'a Summary,
        }
        write_json(out, &Line { summary: &self.summary })
    }
}

/// Writes a JSON object without building its text in memory: a row may name a million
/// pages.
fn write_json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut *out, ForTerminals))?;
    writeln!(out)
}

/// Formats JSON so that a terminal can show it safely.
struct ForTerminals;

impl Formatter for ForTerminals {
    fn write_string_fragment<W: Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        writer.write_all(terminal::escape_for_json(fragment).as_bytes())
    }
}

fn milliseconds<S: serde::Serializer>(
    time: &Duration,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_micros() as f64 / 1000.0)
}
