//! Our own crawler finds no broken link.

use crate::read::place::{files, stem};
use crate::read::problem::Problem;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;
use url::Url;

/// Pages that no link leads to: mdBook's own.
const APART: &[&str] = &["404", "toc"];

/// A line of the crawler's report: a URL, or, as the last one, the summary.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Row { url: String, outcome: String, num_links: usize, found_on: Vec<String> },
    Last { summary: Summary },
}

#[derive(Deserialize)]
struct Summary {
    complete: bool,
}

/// Has stage 3 serve the folder and crawl it. Returns what is wrong, and how many links
/// were found.
pub fn check(folder: &Path) -> (Vec<Problem>, usize) {
    match crawl(folder).and_then(|report| read(folder, &report)) {
        Ok(result) => result,
        Err(why) => {
            (vec![Problem::new("target/book", 0, format!("not crawled: {why}"))], 0)
        }
    }
}

/// Runs the crawler, which is built if it was not yet, and returns its report.
fn crawl(folder: &Path) -> Result<String, String> {
    let output = step::cargo()
        .args(["run", "--quiet", "--locked", "--package", "stage3-async", "--"])
        .args(["--quiet", "--format", "jsonl", "--serve"])
        .arg(folder)
        .current_dir(step::root())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo does not run: {error}"))?;
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

fn read(folder: &Path, report: &str) -> Result<(Vec<Problem>, usize), String> {
    let (mut problems, mut met) = (Vec::new(), BTreeSet::new());
    let (mut links, mut is_whole) = (0, false);
    for line in report.lines() {
        let line = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let (url, outcome, found_on) = match line {
            Line::Row { url, outcome, num_links, found_on } => {
                links += num_links;
                (url, outcome, found_on)
            }
            Line::Last { summary } => {
                is_whole = summary.complete;
                continue;
            }
        };
        let path = Url::parse(&url).map_or(url, |url| url.path().to_string());
        if !["ok", "redirect"].contains(&&*outcome) {
            let text = format!("{outcome}: a broken link, on {}", found_on.join(", "));
            problems.push(Problem::new(format!("target/book{path}"), 0, text));
        }
        met.insert(path);
    }
    if !is_whole {
        return Err("the crawl has not come to its end".to_string());
    }
    for page in files(folder, "html").iter().map(|file| stem(file)) {
        if !met.contains(&format!("/{page}.html")) && !APART.contains(&page) {
            let text = "no link leads to it: the crawl did not find it";
            problems.push(Problem::new(format!("target/book/{page}.html"), 0, text));
        }
    }
    Ok((problems, links))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAST: &str = r#"{"summary":{"complete":true,"left":0}}"#;

    fn row(path: &str, outcome: &str) -> String {
        format!(
            "{{\"url\":\"http://127.0.0.1:1{path}\",\"outcome\":\"{outcome}\",\
             \"num_links\":2,\"found_on\":[\"http://127.0.0.1:1/\"]}}\n"
        )
    }

    #[test]
    fn broken_links_and_pages_that_none_leads_to_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        for page in ["index", "lost", "404"] {
            let file = folder.path().join(page).with_extension("html");
            std::fs::write(file, "").expect("it is ours");
        }
        let rows = row("/index.html", "ok") + &row("/gone.html", "http-error");
        let (problems, links) =
            read(folder.path(), &(rows + LAST)).expect("it is a report");
        let problems: Vec<String> = problems.iter().map(|it| it.to_string()).collect();
        assert_eq!(
            problems,
            [
                "target/book/gone.html: http-error: a broken link, on http://127.0.0.1:1/",
                "target/book/lost.html: no link leads to it: the crawl did not find it",
            ]
        );
        assert_eq!(links, 4);
    }

    #[test]
    fn a_report_without_its_end_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let whole = row("/index.html", "ok");
        assert!(read(folder.path(), &whole).is_err());
        let left = whole + &LAST.replace("true", "false");
        assert!(read(folder.path(), &left).is_err());
    }
}
