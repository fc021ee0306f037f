//! Is the report what the formula says: each page once, with its outcome?

use super::site::{Bad, Site};
use serde_json::{Value, json};
use shared::Outcome;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::BufRead;

/// How many pages have come to which end.
pub type Totals = BTreeMap<&'static str, usize>;

/// Compares a report, as JSON lines, with what the formula says.
///
/// # Errors
/// What is not as it should be, with its line.
pub fn check(site: &Site, root: &str, report: impl BufRead) -> Result<Totals, String> {
    let depths = depths(site);
    let mut is_seen = vec![false; site.pages()];
    let mut totals = Totals::new();
    let mut bytes = 0;
    let mut lines = report.lines();
    let summary = loop {
        let line = lines.next().ok_or("the report has no summary")?;
        let line =
            line.map_err(|error| format!("the report cannot be read: {error}"))?;
        let row: Value =
            serde_json::from_str(&line).map_err(|error| format!("{error}: {line}"))?;
        if row["summary"].is_object() {
            break row["summary"].clone();
        }
        let path = row["url"].as_str().and_then(|url| url.strip_prefix(root));
        let page = path.and_then(Site::page).filter(|page| *page < site.pages());
        let page = page.ok_or_else(|| format!("no page of the site: {line}"))?;
        if std::mem::replace(&mut is_seen[page], true) {
            return Err(format!("twice in the report: {line}"));
        }
        let (outcome, expected) = expected(site, root, page, depths[page]);
        for (key, value) in expected.as_object().expect("it is one") {
            if row[key] != *value {
                return Err(format!("{key} has to be {value}: {line}"));
            }
        }
        *totals.entry(outcome.name()).or_default() += 1;
        bytes += row["size"].as_u64().unwrap_or_default();
    };
    if let Some(page) = is_seen.iter().position(|is_seen| !is_seen) {
        return Err(format!("not in the report: {}", Site::path(page)));
    }
    check_summary(&summary, &totals, bytes)?;
    Ok(totals)
}

fn check_summary(summary: &Value, totals: &Totals, bytes: u64) -> Result<(), String> {
    let count = |name| totals.get(name).copied().unwrap_or_default();
    let urls: usize = totals.values().sum();
    let named = ["ok", "redirect", "http-error"].map(count);
    let expected = json!({
        "urls": urls,
        "ok": named[0],
        "redirect": named[1],
        "http-error": named[2],
        "failed": urls - named.iter().sum::<usize>(),
        "bytes": bytes,
        "complete": true,
        "left": 0,
    });
    for (key, value) in expected.as_object().expect("it is one") {
        if summary[key] != *value {
            return Err(format!("{key} has to be {value}: {summary}"));
        }
    }
    Ok(())
}

/// What has to be in the row of a page.
fn expected(site: &Site, root: &str, page: usize, depth: u32) -> (Outcome, Value) {
    let good = || {
        let links: BTreeSet<usize> = site.links(page).collect();
        (Outcome::Ok, Some(200), Some(site.html(page).len()), links.len() + 1)
    };
    let failed = |outcome| (outcome, None, None, 0);
    let (outcome, status, size, num_links) = match site.bad(page) {
        None | Some(Bad::CutOnce) => good(),
        Some(Bad::Missing) => (Outcome::HttpError, Some(404), Some(4), 0),
        Some(Bad::ServerError) => (Outcome::HttpError, Some(500), Some(8), 0),
        Some(Bad::Moved) => (Outcome::Redirect, Some(302), None, 0),
        Some(Bad::MovedNowhere) => (Outcome::HttpError, Some(302), None, 0),
        Some(Bad::Cut | Bad::CutChunk | Bad::NoAnswer) => failed(Outcome::Truncated),
        Some(Bad::TwoLengths | Bad::Noise) => failed(Outcome::Malformed),
        Some(Bad::TooLarge) => failed(Outcome::TooLarge),
        Some(Bad::Reset) => failed(Outcome::NetworkError),
        Some(Bad::Silent) => failed(Outcome::Timeout),
    };
    let next_url = (outcome == Outcome::Redirect)
        .then(|| format!("{root}{}", Site::path(site.other(page))));
    let row = json!({
        "outcome": outcome.name(),
        "status": status,
        "size": size,
        "num_links": num_links,
        "next_url": next_url,
        "depth": depth,
    });
    (outcome, row)
}

/// The fewest links from the root to each page. A redirect is not a link: its target is as
/// far away as itself, and goes to the front.
fn depths(site: &Site) -> Vec<u32> {
    let mut depths = vec![u32::MAX; site.pages()];
    depths[0] = 0;
    let mut due = VecDeque::from([0]);
    while let Some(page) = due.pop_front() {
        let depth = depths[page];
        match site.bad(page) {
            None | Some(Bad::CutOnce) => {
                for link in site.links(page) {
                    if depth + 1 < depths[link] {
                        depths[link] = depth + 1;
                        due.push_back(link);
                    }
                }
            }
            Some(Bad::Moved) if depth < depths[site.other(page)] => {
                depths[site.other(page)] = depth;
                due.push_front(site.other(page));
            }
            Some(_) => {}
        }
    }
    depths
}
