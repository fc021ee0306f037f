//! All crawlers tell the same of the same site: of the demo site, and of a folder of
//! files that is served, however many tasks there are.

use conformance::link_kinds::Sites;
use conformance::{STAGES, comparable, run, url, watchdog};
use shared::demo_site::DemoSite;
use shared::report::Row;
use shared::{FetchError, Options, Url};
use std::fs;
use std::path::Path;

/// The rows that each crawler gives, with how many tasks and which one it was.
fn all_rows(root: &Url) -> Vec<(String, Vec<Row>)> {
    let mut all = Vec::new();
    for tasks in [1, 10, 100] {
        for (stage, crawl) in STAGES {
            let mut options = Options::with_roots([root.clone()]);
            (options.max_tasks, options.links) = (tasks, true);
            all.push((format!("{stage}, {tasks}"), comparable(run(*crawl, &options))));
        }
    }
    all
}

fn assert_equal(root: &Url, at_least: usize) {
    let all = all_rows(root);
    let (first, rows) = &all[0];
    assert!(rows.len() >= at_least, "{} rows", rows.len());
    for (other, others) in &all[1..] {
        for (row, other_row) in rows.iter().zip(others) {
            assert_eq!(row, other_row, "{first} and {other}");
        }
        assert_eq!(rows.len(), others.len(), "{first} and {other}");
    }
}

#[test]
fn all_crawlers_give_equal_rows_for_the_demo_site() {
    let run = || {
        let site = DemoSite::start().expect("the demo site starts");
        assert_equal(&url(&site.url("/")), 60);
    };
    watchdog::run(run);
}

/// Forty pages, each of which links to some others, to files that are no HTML, and to
/// files that are missing.
#[test]
fn all_crawlers_give_equal_rows_for_a_folder_that_is_served() {
    let run = || {
        let folder = tempfile::tempdir().expect("a folder for this test");
        write_pages(folder.path());
        let site = DemoSite::serve_folder(folder.path()).expect("it is served");
        assert_equal(&url(&site.url("/")), 50);
    };
    watchdog::run(run);
}

fn write_pages(folder: &Path) {
    fs::create_dir_all(folder.join("deep/er")).expect("the folder is ours");
    for page in 0..40 {
        let links: String = [page * 3 + 1, page * 7 % 40, page + 10, (page + 20) / 2]
            .map(|to| format!("<a href='/{}'>{to}</a>\n", name(to)))
            .concat();
        let padding = "x".repeat(page * 2_000);
        let text = format!("<title>{page}</title>{links}<p>{padding}");
        fs::write(folder.join(name(page)), text).expect("the folder is ours");
    }
    fs::write(folder.join("index.html"), "<a href='page-0.html'>in</a>")
        .expect("the folder is ours");
}

fn name(page: usize) -> String {
    match page % 3 {
        0 => format!("page-{page}.html"),
        1 => format!("deep/page-{page}.html"),
        _ => format!("deep/er/page-{page}.txt"),
    }
}

/// All that can be checked is checked, and no name is looked up outside of this process.
fn check_all(root: Url) -> Options {
    let mut options = Options::with_roots([root]);
    (options.fragments, options.resources, options.external) = (true, true, true);
    options.max_tries = 2;
    options.look_up = |name| Err(FetchError::NoSuchName(name.to_string()));
    options
}

#[test]
fn each_kind_of_link_that_is_broken_is_named_and_no_other() {
    let run = || {
        let Sites { server, elsewhere, kinds } = Sites::serve();
        let options = check_all(url(&server.url("/")));
        let mut first = None;
        for (stage, crawl) in STAGES {
            let rows = comparable(run(*crawl, &options));
            let failed: Vec<&Row> =
                rows.iter().filter(|row| row.outcome.is_failure()).collect();
            let is_named = |path: &str| {
                let mut urls =
                    failed.iter().flat_map(|row| row.found_on.iter().chain([&row.url]));
                urls.any(|url| url.contains(path))
            };
            let wrong: Vec<&str> = kinds
                .iter()
                .filter(|kind| is_named(&kind.path()) != kind.is_named)
                .map(|kind| kind.name)
                .collect();
            assert!(wrong.is_empty(), "{stage}: {wrong:?}");
            assert_eq!(first.get_or_insert_with(|| rows.clone()), &rows, "{stage}");
            // For the next crawler, each request is the first one again.
            server.take_seen();
            elsewhere.take_seen();
        }
    };
    watchdog::run(run);
}
