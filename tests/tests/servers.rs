//! Servers that other people wrote serve one folder of files, and each crawler finds
//! there what an independent walk over the files finds. `faults` has a site with faults,
//! `hosts` one as hosts of static sites serve it.
//!
//! nginx, Apache httpd, lighttpd and Python's http.server take part where they are
//! installed; with `ALL_SERVERS=1` one that is missing is a failure. tower-http and hyper
//! take part everywhere.

mod faults;
mod files;
mod hosts;
mod programs;
mod rust;
mod walk;

use conformance::{Crawl, STAGES, run, url, watchdog};
use libtest_mimic::Trial;
use shared::Options;
use shared::report::{Report, Row};
use std::collections::BTreeMap;
use std::path::Path;
use walk::Found;

/// Something that serves a folder for as long as it lives.
trait Server {
    /// The URL of the folder, with a slash at its end.
    fn root(&self) -> String;
}

/// How a server is started, if it can be.
struct Kind {
    name: &'static str,
    is_here: fn() -> bool,
    start: fn(&Path) -> Box<dyn Server>,
}

const KINDS: &[Kind] = &[
    Kind { name: "tower-http", is_here: || true, start: rust::tower_http },
    Kind { name: "hyper", is_here: || true, start: rust::hyper },
    Kind {
        name: "python",
        is_here: || programs::python().is_some(),
        start: programs::start_python,
    },
    Kind {
        name: "nginx",
        is_here: || programs::nginx().is_some(),
        start: programs::start_nginx,
    },
    Kind {
        name: "apache",
        is_here: || programs::apache().is_some(),
        start: programs::start_apache,
    },
    Kind {
        name: "lighttpd",
        is_here: || programs::lighttpd().is_some(),
        start: programs::start_lighttpd,
    },
];

/// Returns a test for each server and crawler.
pub(crate) fn trials() -> Vec<Trial> {
    let wants_all = std::env::var_os("ALL_SERVERS").is_some();
    let mut trials = Vec::new();
    for kind in KINDS {
        let is_here = (kind.is_here)();
        for &(stage, crawl) in STAGES {
            let name = format!("servers::{stage}::{}", kind.name);
            let test = move || match is_here {
                true => serves(kind, crawl),
                false => panic!("it is not installed"),
            };
            let trial = watchdog::trial(name, test);
            trials.push(trial.with_ignored_flag(!is_here && !wants_all));
        }
    }
    let has_nginx = programs::nginx().is_some();
    for &(stage, crawl) in STAGES {
        let name = format!("servers::{stage}::a_host_like_nginx");
        let trial = watchdog::trial(name, move || hosts::are_alike(crawl));
        trials.push(trial.with_ignored_flag(!has_nginx && !wants_all));
    }
    for &(stage, crawl) in STAGES {
        for &(name, rule) in faults::ALL {
            let name = format!("servers::{stage}::{name}");
            trials.push(watchdog::trial(name, move || rule(crawl)));
        }
    }
    trials
}

/// Crawls the folder with one task and with ten, and panics if anything else is found
/// than is there.
fn serves(kind: &Kind, crawl: Crawl) {
    let folder = files::write();
    let server = (kind.start)(folder.path());
    let expected = walk::walk(folder.path(), &server.root());
    let count =
        |kind: fn(&Found) -> bool| expected.values().filter(|it| kind(it)).count();
    assert!(count(|it| matches!(it, Found::File { .. })) >= 60, "{expected:#?}");
    assert!(count(|it| matches!(it, Found::Folder { .. })) >= 3, "{expected:#?}");
    assert!(count(|it| matches!(it, Found::Nothing)) >= 5, "{expected:#?}");
    for tasks in [1, 10] {
        let mut options = Options::with_roots([url(&server.root())]);
        options.max_tasks = tasks;
        let report = run(crawl, &options);
        let found = found(&report);
        for (url, expected) in &expected {
            assert_eq!(found.get(url), Some(expected), "{url}, {tasks} tasks");
        }
        assert_eq!(found.len(), expected.len(), "{tasks} tasks");
        assert!(report.rows.iter().all(|row| row.attempts == 1), "{report:#?}");
    }
}

/// The report, in the words of the walk.
fn found(report: &Report) -> BTreeMap<String, Found> {
    let found = |row: &Row| match row.status {
        Some(200) => Found::File {
            size: row.size.expect("a whole file has a size"),
            links: row.num_links,
        },
        Some(301 | 302 | 307 | 308) => {
            let to = row.next_url.clone().expect("a redirect leads somewhere");
            Found::Folder { with_slash: to }
        }
        Some(404) => Found::Nothing,
        _ => panic!("{row:#?}"),
    };
    report.rows.iter().map(|row| (row.url.to_string(), found(row))).collect()
}
