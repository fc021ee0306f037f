//! Writes the report as text: a table, the failures with the pages that link to them,
//! and the totals. The table can be left out.

use crate::report::terminal::escape_for_terminal;
use crate::report::{Outcome, Report, Row, Summary, Unsearched};
use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::Arc;
use url::{Position, Url};

/// How many pages are shown for each failed URL.
pub(crate) const MAX_PAGES_SHOWN: usize = 3;

impl Report {
    /// Writes the whole report as text: all URLs, the failures, the totals.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{:>6}  {:<24} {:<12} {:>9} {:>10}  url",
            "status", "type", "encoding", "bytes", "new/links"
        )?;
        for row in self.in_order() {
            writeln!(out, "{}", self.line(row))?;
        }
        writeln!(out)?;
        self.write_failures(out)
    }

    /// Writes the end of the text report: the failures, the totals.
    pub fn write_failures(&self, out: &mut dyn Write) -> io::Result<()> {
        let failed = || self.in_order().filter(|row| row.outcome.is_failure());
        if failed().next().is_some() {
            writeln!(out, "What went wrong, and where it was found:")?;
            for row in failed() {
                self.write_failure(out, row)?;
            }
            writeln!(out)?;
        }
        self.write_totals(out)
    }

    fn write_totals(&self, out: &mut dyn Write) -> io::Result<()> {
        let sum = &self.summary;
        writeln!(
            out,
            "{} ok, {}, {}, {}; {} bytes",
            sum.ok,
            counted(sum.redirect, "redirect"),
            counted(sum.http_error, "HTTP error"),
            counted(sum.failed, "other failure"),
            sum.bytes
        )?;
        let left_out = left_out(sum);
        if !left_out.is_empty() {
            writeln!(out, "{}", left_out.join("; "))?;
        }
        if self.interrupted {
            writeln!(out, "Interrupted: this is what was done until then.")?;
        }
        if self.out_of_time {
            writeln!(out, "Out of time: this is what was done until then.")?;
        }
        if sum.left > 0 {
            writeln!(out, "{} known and not fetched", counted(sum.left, "URL"))?;
        }
        writeln!(
            out,
            "Finished {} in {:.3} secs (max_tasks={}, peak {})",
            counted(sum.urls, "url"),
            sum.elapsed.as_secs_f64(),
            sum.max_tasks,
            sum.peak_tasks
        )
    }

    /// Returns the rows in the order of the text: first those of the served folder, then
    /// the others. In the order of URLs their place would depend on the folder's port.
    fn in_order(&self) -> impl Iterator<Item = &Row> {
        let is_of_folder = |row: &&Row| self.path(&row.url).is_some();
        let others = self.rows.iter().filter(move |row| !is_of_folder(row));
        self.rows.iter().filter(is_of_folder).chain(others)
    }

    /// Returns the name of a URL for a person: its path, if it is in the served folder.
    fn name<'a>(&self, url: &'a str) -> Cow<'a, str> {
        escape_for_terminal(self.path(url).unwrap_or(url))
    }

    /// Formats a row as a line of the table.
    fn line(&self, row: &Row) -> String {
        let url = self.name(&row.url);
        let status = row.status.map_or("-".to_string(), |status| status.to_string());
        if let Some(next) = &row.next_url {
            let next = self.name(next);
            return format!("{status:>6}  {:<58}  {url} -> {next}", row.outcome.name());
        }
        if row.status.is_none() {
            return format!("{status:>6}  {:<58}  {url}", row.outcome.name());
        }
        let kind = escape_for_terminal(row.content_type.as_deref().unwrap_or("-"));
        let encoding = escape_for_terminal(row.encoding.as_deref().unwrap_or("-"));
        // A page that was not searched may still have links, so no number is shown.
        let links = match row.encoding {
            Some(_) => format!("{}/{}", row.num_new_links, row.num_links),
            None => "-".to_string(),
        };
        let size = row.size.map_or("-".to_string(), |size| size.to_string());
        format!("{status:>6}  {kind:<24} {encoding:<12} {size:>9} {links:>10}  {url}")
    }

    fn write_failure(&self, out: &mut dyn Write, row: &Row) -> io::Result<()> {
        let why = match (&row.error, row.status, row.outcome) {
            (Some(error), ..) => error.clone(),
            (None, Some(status), Outcome::HttpError) => format!("status {status}"),
            _ => "no reason known".to_string(),
        };
        let (url, name) = (self.name(&row.url), row.outcome.name());
        writeln!(out, "  {url}\n    {name}: {}", escape_for_terminal(&why))?;
        for (index, page) in row.found_on.iter().take(MAX_PAGES_SHOWN).enumerate() {
            let way = row.via.get(index).map(|way| as_linked(page, way));
            let way = way.unwrap_or_default();
            let (page, way) = (self.name(page), escape_for_terminal(&way));
            writeln!(out, "    found on {page}{way}")?;
        }
        match row.found_on.len().saturating_sub(MAX_PAGES_SHOWN) {
            0 => Ok(()),
            more => writeln!(out, "    and from {}", counted(more, "more page")),
        }
    }
}

/// Returns what was left out: `3 URLs excluded`, and `2 pages were not searched: 1 came
/// compressed, 1 without a known Content-Type`.
fn left_out(sum: &Summary) -> Vec<String> {
    let mut parts = Vec::new();
    if sum.excluded > 0 {
        parts.push(format!("{} excluded", counted(sum.excluded, "URL")));
    }
    let Unsearched { compressed, untyped, feeds } = sum.unsearched;
    let reasons = [
        (compressed, format!("{compressed} came compressed")),
        (untyped, format!("{untyped} without a known Content-Type")),
        (feeds, format!("{} or other XML", counted(feeds, "feed"))),
    ];
    let met = reasons.into_iter().filter(|(count, _)| *count > 0);
    let reasons: Vec<String> = met.map(|(_, reason)| reason).collect();
    let pages: usize = sum.unsearched.into();
    if pages > 0 {
        let was = if pages == 1 { "was" } else { "were" };
        let pages = counted(pages, "page");
        parts.push(format!("{pages} {was} not searched: {}", reasons.join(", ")));
    }
    parts
}

/// Describes how a page leads to a URL by redirects: ` as /old, which leads to /mid,
/// /new`. If the first URL is the page itself (a root), it is left out: `, which leads
/// to /new`. For URLs on the page's own site only the path is shown, since most links
/// are written like that.
fn as_linked(page: &str, way: &[Arc<str>]) -> String {
    let [link, rest @ ..] = way else { return String::new() };
    let site = Url::parse(page);
    let site = site.map_or(String::new(), |url| url[..Position::BeforePath].into());
    let name = |url: &Arc<str>| {
        let path = url.strip_prefix(&*site);
        path.filter(|path| path.starts_with('/')).unwrap_or(url).to_string()
    };
    let link = match **link == *page {
        true => String::new(),
        false => format!(" as {}", name(link)),
    };
    let rest: Vec<String> = rest.iter().map(name).collect();
    format!("{link}, which leads to {}", rest.join(", "))
}

/// Formats a count with its noun: `1 page`, `2 pages`.
fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
