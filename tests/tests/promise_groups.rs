//! Each promise that a capstone is judged by is in one group.

use conformance::capstones::groups::{self, Stage};
use conformance::capstones::{self, Promise};
use conformance::{STAGES, keeps_connections};
use std::collections::BTreeSet;
use std::path::Path;

conformance::machine!(Machine, stage3_async);

fn all() -> Vec<Promise> {
    let mut all = capstones::of_machine::<Machine>();
    for &(stage, crawl) in STAGES {
        let is_full = keeps_connections(stage);
        all.extend(capstones::of_crawler(crawl, is_full, Stage::Async));
    }
    all
}

#[test]
fn a_promise_that_is_named_exists_and_is_in_one_group() {
    let all: BTreeSet<String> = all().into_iter().map(|it| it.name).collect();
    let mut seen = BTreeSet::new();
    for name in groups::named_promises() {
        // Other systems lack some rules.
        assert!(all.contains(name) || !cfg!(target_os = "linux"), "there is no {name}");
        assert!(seen.insert(name), "{name} is in two groups");
    }
}

#[test]
fn a_promise_has_a_name_of_its_own() {
    for &(stage, crawl) in STAGES {
        let is_full = keeps_connections(stage);
        let mut seen = BTreeSet::new();
        for promise in capstones::of_crawler(crawl, is_full, Stage::Async) {
            assert!(seen.insert(promise.name.clone()), "{} twice", promise.name);
        }
    }
}

#[test]
fn a_group_has_promises_and_a_key_of_its_own() {
    let all = all();
    for group in groups::ALL.iter().filter(|it| **it != &groups::TASK) {
        assert!(all.iter().any(|it| it.group == *group), "{} is empty", group.key);
    }
    assert!(all.iter().all(|it| groups::ALL.contains(&it.group)));
    let keys: BTreeSet<&str> = groups::ALL.iter().map(|group| group.key).collect();
    assert_eq!(keys.len(), groups::ALL.len());
}

#[test]
fn each_page_is_one_of_the_book() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/src");
    let all = all();
    let of_promises = all.iter().map(|it| it.page);
    let of_groups = groups::ALL.iter().flat_map(|group| group.pages);
    for page in of_promises.chain(of_groups).collect::<BTreeSet<_>>() {
        assert!(pages.join(format!("{page}.md")).exists(), "{page}");
    }
}
