//! What a crawl found: a row for each URL, the totals, and how they are written.

use crate::escape;
use serde::{Serialize, Serializer};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

/// How it ended for one URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A 2xx answer, whole.
    Ok,
    /// A redirect with a usable target.
    Redirect,
    /// Any other status, and a redirect that cannot be followed.
    HttpError,
    /// A redirect more than the budget allows.
    TooManyRedirects,
    /// No whole answer in time.
    Timeout,
    /// A body longer than `--max-body`.
    TooLarge,
    /// Closed before the promised end.
    Truncated,
    /// Not HTTP/1.x, or framing that can be read in two ways.
    Malformed,
    /// Refused, reset, no such name.
    NetworkError,
    /// A scheme that this program does not speak.
    Unsupported,
}

impl Outcome {
    /// Is this a URL that a link check complains of?
    pub fn is_failure(self) -> bool {
        !matches!(self, Outcome::Ok | Outcome::Redirect)
    }

    /// The outcome's name, as in the JSON.
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
        }
    }
}

/// One row of the report: what is known of one URL.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stat {
    /// The URL, normalised.
    pub url: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The status of the answer; `None` where no whole answer came.
    pub status: Option<u16>,
    /// Where a redirect points.
    pub next_url: Option<String>,
    /// What went wrong, for a person.
    pub error: Option<String>,
    /// `type/subtype` of the body.
    pub content_type: Option<String>,
    /// The charset that the page was read with, where it was searched for links.
    pub encoding: Option<String>,
    /// Bytes of the body without the transfer coding; `None` for a redirect.
    pub size: Option<u64>,
    /// Links on the page, each URL once, foreign ones included.
    pub num_links: usize,
    /// URLs of the crawl that are found on this page first, in the order of `depth`.
    pub num_new_links: usize,
    /// The links themselves, sorted, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<Vec<String>>,
    /// Tries since it was queued: requests sent, or connections that failed before one.
    /// A request in vain, on a connection that was kept and is dead, is none.
    pub attempts: u32,
    /// Milliseconds that the last try took.
    #[serde(rename = "elapsed_ms", serialize_with = "milliseconds")]
    pub elapsed: Duration,
    /// The fewest links from a root.
    pub depth: u32,
    /// The smallest URL one link nearer; for a URL that failed all pages that link to
    /// it.
    pub found_on: Vec<Arc<str>>,
}

/// The totals. They add up: `urls` is the sum of the next four.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The program's name.
    pub stage: &'static str,
    /// Rows.
    pub urls: usize,
    /// Rows that are `ok`.
    pub ok: usize,
    /// Rows that are `redirect`.
    pub redirect: usize,
    /// Rows that are `http-error`.
    #[serde(rename = "http-error")]
    pub http_error: usize,
    /// All other rows.
    pub failed: usize,
    /// Bytes of all bodies.
    pub bytes: u64,
    /// Milliseconds that the crawl took.
    #[serde(rename = "elapsed_ms", serialize_with = "milliseconds")]
    pub elapsed: Duration,
    /// Connections that were allowed at once.
    pub max_tasks: u32,
    /// Connections that there were at once, at the most.
    pub peak_tasks: usize,
    /// False after an interruption or a limit: there is more than the rows tell.
    pub complete: bool,
    /// URLs known and not fetched.
    pub left: usize,
}

/// What a crawl found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// A row for each URL that was requested, sorted by URL.
    pub rows: Vec<Stat>,
    /// The totals.
    pub summary: Summary,
    /// Was the crawl stopped from outside?
    pub interrupted: bool,
    /// Who waits on what, if nothing could happen any more: a bug of ours.
    pub stuck: Option<String>,
    /// What went wrong beside the crawl, such as a trace that could not be written.
    pub warnings: Vec<String>,
    /// Did any root get an HTTP answer?
    pub answered: bool,
}

impl Report {
    /// The row of a URL.
    pub fn row(&self, url: &str) -> Option<&Stat> {
        let index = self.rows.binary_search_by(|row| row.url.as_str().cmp(url)).ok()?;
        Some(&self.rows[index])
    }

    /// Writes one JSON object per URL and line, then the summary.
    pub fn write_json_lines(&self, out: &mut dyn Write) -> io::Result<()> {
        for row in &self.rows {
            write_json(out, row)?;
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

fn write_json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let line = serde_json::to_string(value)?;
    writeln!(out, "{}", escape::for_json(&line))
}

fn milliseconds<S: Serializer>(
    time: &Duration,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_micros() as f64 / 1000.0)
}
