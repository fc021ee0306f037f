//! The report of a crawl: a row for each URL, and the totals. Writes them as JSON
//! lines.

pub(crate) mod progress; // shows a person how far the crawl is
pub mod schema; // describes the JSON lines
pub mod terminal; // escapes text that came from a server
mod text; // writes the report for a person

pub(crate) use text::MAX_PAGES_SHOWN;

use clap::ValueEnum; // lists all outcomes
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
    /// Any other status; also a redirect that cannot be followed.
    HttpError,
    /// A redirect that was not followed, because the budget was used up; also one that
    /// leads into a loop.
    TooManyRedirects,
    /// No complete response in time.
    Timeout,
    /// A page longer than `--max-body`. A body that is not searched is never too large.
    TooLarge,
    /// The connection was closed before the end of the response.
    Truncated,
    /// Not HTTP/1.x, or it is not certain where the response ends.
    Malformed,
    /// No connection, or one that was lost: refused, reset, no such name.
    NetworkError,
    /// A scheme that this program does not speak.
    Unsupported,
    /// A link that cannot be parsed, or is too long. Nothing was requested.
    InvalidUrl,
    /// A link to an id that its page does not have, with `--fragments`. Nothing was
    /// requested for it.
    MissingFragment,
}

impl Outcome {
    /// Returns whether a link check reports this URL.
    pub fn is_failure(self) -> bool {
        !matches!(self, Outcome::Ok | Outcome::Redirect)
    }

    /// Returns the outcome's name, as in the JSON.
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

/// One row of the report: the result for one URL.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The URL, normalized; with its fragment, if that is missing. Of a link that cannot
    /// be parsed, or is too long, its text without a fragment, cut to 200 characters.
    pub url: Arc<str>,
    /// The result in one word.
    pub outcome: Outcome,
    /// The status of the response; `None` if no complete response came.
    pub status: Option<u16>,
    /// The target of a redirect; `None` for other responses.
    pub next_url: Option<String>,
    /// What went wrong, in words for a person; `None` if nothing did, or if the status
    /// says all.
    pub error: Option<String>,
    /// The `type/subtype` of the body; `None` if it is not known.
    pub content_type: Option<String>,
    /// The charset with which the page was read; `None` if it was not searched for
    /// links.
    pub encoding: Option<String>,
    /// The length of the body in bytes, without the transfer coding; `None` for a
    /// redirect, and where the body was not read: that of a foreign URL, and one that is
    /// not searched and longer than [`MAX_UNSEARCHED`](crate::http::MAX_UNSEARCHED).
    pub size: Option<u64>,
    /// How many links the page has, each URL once; foreign ones are included.
    pub num_links: usize,
    /// How many URLs of the crawl were found on this page first, in the order of
    /// `depth`.
    pub num_new_links: usize,
    /// The links themselves, sorted; only with `--links`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<Vec<Arc<str>>>,
    /// How many attempts there were since it was queued: requests that were sent, and
    /// connections that failed before that. A request sent on a stale kept connection
    /// is not counted.
    pub attempts: u32,
    /// How long the last attempt took; in milliseconds in the JSON.
    #[serde(rename = "elapsed_ms", serialize_with = "milliseconds")]
    pub elapsed: Duration,
    /// The smallest number of links from a root.
    pub depth: u32,
    /// One page that links to it: of those nearest to a root the first by name. For a
    /// URL that failed all pages that link to it, or to a redirect that leads to it.
    pub found_on: Vec<Arc<str>>,
    /// How the first three of these pages lead to a URL that failed. For each the URLs
    /// from its first link that leads there to this one; none if the link is to this one
    /// itself. A root that is a redirect comes first in its own way. The JSON has the way
    /// of the first page, if it is one by redirects.
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
    /// How many rows are none of these.
    pub failed: usize,
    /// The length of all bodies together, in bytes.
    pub bytes: u64,
    /// How long the crawl took; in milliseconds in the JSON.
    #[serde(rename = "elapsed_ms", serialize_with = "milliseconds")]
    pub elapsed: Duration,
    /// How many connections were allowed at the same time.
    pub max_tasks: u32,
    /// The largest number of connections that were open at the same time.
    pub peak_tasks: usize,
    /// False if an interruption or a limit left URLs without a row.
    pub complete: bool,
    /// How many URLs are known and were not fetched.
    pub left: usize,
}

/// The result of a whole crawl.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// One row for each URL that was requested, for each link that cannot be parsed and
    /// for each missing fragment, sorted by URL.
    pub rows: Vec<Row>,
    /// The totals.
    pub summary: Summary,
    /// Whether the crawl was stopped from outside.
    pub interrupted: bool,
    /// Whether `--max-time` was over before the crawl was.
    pub out_of_time: bool,
    /// What each task waits for, a line each, if nothing could happen any more: a bug
    /// of this program. `None` for any other end.
    pub stuck: Option<String>,
    /// Problems that do not concern a URL, such as a trace that could not be written.
    pub warnings: Vec<String>,
    /// Whether any root got an HTTP response.
    pub answered: bool,
    /// Whether something was not checked: nothing of some root, although its response was
    /// a success, or no fragment, since there were too many. A warning says why.
    pub is_unchecked: bool,
    /// The origin of a folder that was served for this crawl, as in
    /// `http://127.0.0.1:4000`: then the text names its URLs by their paths, and the JSON
    /// has them. `None` if no folder was served.
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
    /// The port of that server is closed when a person reads the report, and is another one
    /// in the next run.
    pub fn path<'a>(&self, url: &'a str) -> Option<&'a str> {
        let path = url.strip_prefix(self.origin.as_deref()?)?;
        path.starts_with('/').then_some(path)
    }

    /// Writes a line for each URL, then the summary; each line is a JSON object.
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

    /// Writes the summary alone: the last line of the JSON lines.
    pub fn write_summary(&self, out: &mut dyn Write) -> io::Result<()> {
        #[derive(Serialize)]
        struct Line<'a> {
            summary: &'a Summary,
        }
        write_json(out, &Line { summary: &self.summary })
    }
}

/// Writes a line as it is made: a row may name a million pages.
fn write_json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut *out, ForTerminals))?;
    writeln!(out)
}

/// Writes JSON that a terminal may show.
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
