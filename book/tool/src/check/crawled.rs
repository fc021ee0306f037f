//! Our own crawler finds no broken link.

use crate::place::{files, stem};
use crate::problem::Problem;
use demo_site::DemoSite;
use shared::{Options, Stop};
use std::path::Path;
use url::Url;

/// Pages that no link leads to: mdBook's own.
const APART: &[&str] = &["404", "toc"];

/// Serves the folder and crawls it with stage 3: `--serve FOLDER --check`. Returns what is
/// wrong, and how many links were found.
pub fn check(folder: &Path) -> (Vec<Problem>, usize) {
    match crawl(folder) {
        Ok(result) => result,
        Err(why) => {
            (vec![Problem::new("target/book", 0, format!("not crawled: {why}"))], 0)
        }
    }
}

fn crawl(folder: &Path) -> Result<(Vec<Problem>, usize), String> {
    let site = DemoSite::serve_folder(folder).map_err(|error| error.to_string())?;
    let root =
        Url::parse(&site.url("/index.html")).map_err(|error| error.to_string())?;
    let options = Options::with_roots([root]);
    let report = stage3_async::crawl(&options, &Stop::new())
        .map_err(|error| error.to_string())?;
    let mut problems = Vec::new();
    for row in report.rows.iter().filter(|row| row.outcome.is_failure()) {
        let path = row.url.strip_prefix(&site.url("/")).unwrap_or(&row.url);
        let found_on = row.found_on.join(", ");
        let text = format!("{}: a broken link, on {found_on}", row.outcome.name());
        problems.push(Problem::new(format!("target/book/{path}"), 0, text));
    }
    for page in files(folder, "html").iter().map(|file| stem(file)) {
        let is_met = report.row(&site.url(&format!("/{page}.html"))).is_some();
        if !is_met && !APART.contains(&page) {
            let text = "no link leads to it: the crawl did not find it";
            problems.push(Problem::new(format!("target/book/{page}.html"), 0, text));
        }
    }
    Ok((problems, report.rows.iter().map(|row| row.num_links).sum()))
}
