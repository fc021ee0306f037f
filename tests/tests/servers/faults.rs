//! A site with one fault of each kind: with all checks each crawler finds these and no
//! others, and on a clean site none.

use super::rust;
use conformance::{Crawl, Rule, rules, run, url};
use shared::report::Report;
use shared::{Options, Outcome};
use std::collections::BTreeMap;
use std::path::Path;

pub(crate) const ALL: &[(&str, Rule)] =
    rules![all_faults_are_found_and_nothing_else, a_clean_site_has_no_faults];

/// Checks all that can be checked of a site in `tests/sites`.
fn check(crawl: Crawl, site: &str, tasks: u32) -> (Report, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sites").join(site);
    let server = rust::hyper(&folder);
    let root = server.root();
    let options = Options {
        fragments: true,
        resources: true,
        external: true,
        max_tries: 1,
        max_tasks: tasks,
        ..Options::with_roots([url(&root)])
    };
    (run(crawl, &options), root)
}

/// What is broken, and where: on `index.html`, which is `/`, unless it is said.
const FAULTS: &[(&str, Outcome, &[&str])] = &[
    ("missing.html", Outcome::HttpError, &["", "page.html"]),
    ("missing.css", Outcome::HttpError, &[""]),
    ("missing.js", Outcome::HttpError, &[""]),
    ("missing-icon.png", Outcome::HttpError, &[""]),
    ("missing-canonical.html", Outcome::HttpError, &[""]),
    ("missing-image.png", Outcome::HttpError, &[""]),
    ("missing-2x.png", Outcome::HttpError, &[""]),
    ("missing-video.mp4", Outcome::HttpError, &[""]),
    ("missing-poster.png", Outcome::HttpError, &[""]),
    ("missing-frame.html", Outcome::HttpError, &[""]),
    ("http://", Outcome::InvalidUrl, &[""]),
    ("http://127.0.0.1:99999/", Outcome::InvalidUrl, &[""]),
    ("http://127.0.0.1:1/dead", Outcome::NetworkError, &[""]),
    ("elsewhere/missing-by-base.html", Outcome::HttpError, &["sub/"]),
    ("page.html#not-there", Outcome::MissingFragment, &[""]),
    ("#nor-here", Outcome::MissingFragment, &[""]),
    ("loop-a", Outcome::TooManyRedirects, &[""]),
    ("loop-b", Outcome::TooManyRedirects, &[""]),
    ("gone-after-redirect.html", Outcome::HttpError, &[""]),
];

fn all_faults_are_found_and_nothing_else(crawl: Crawl) {
    for tasks in [1, 10] {
        let (report, root) = check(crawl, "broken", tasks);
        let here = |path: &str| match path.starts_with("http:") {
            true => path.to_string(),
            false => format!("{root}{path}"),
        };
        let expected: BTreeMap<_, _> = (FAULTS.iter())
            .map(|(path, outcome, pages)| {
                let pages = pages.iter().map(|page| here(page)).collect();
                (here(path), (*outcome, pages))
            })
            .collect();
        let failed = report.rows.iter().filter(|row| row.outcome.is_failure());
        let found: BTreeMap<String, (Outcome, Vec<String>)> = failed
            .map(|row| {
                let pages = row.found_on.iter().map(|page| page.to_string()).collect();
                (row.url.to_string(), (row.outcome, pages))
            })
            .collect();
        assert_eq!(found, expected, "{tasks} tasks");
        assert!(report.warnings.is_empty() && report.summary.complete);
    }
}

fn a_clean_site_has_no_faults(crawl: Crawl) {
    for tasks in [1, 10] {
        let (report, _) = check(crawl, "clean", tasks);
        let failed = report.rows.iter().filter(|row| row.outcome.is_failure());
        assert_eq!(failed.collect::<Vec<_>>(), Vec::<&shared::Row>::new());
        assert_eq!(report.rows.len(), 6, "{report:#?}");
        assert!(report.warnings.is_empty() && report.summary.complete);
    }
}
