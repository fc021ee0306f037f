//! What is crawled, by tasks here and by processes in `tests/compare/src/bin/three_crawlers`.

/// Where each crawl begins.
pub(crate) const ROOT: &str = "a.test/";

/// Three hosts, with three pages each, and their links.
pub(crate) const PAGES: &[(&str, &[&str])] = &[
    (ROOT, &["a.test/1", "b.test/", "a.test/2"]),
    ("a.test/1", &["a.test/2", "c.test/"]),
    ("a.test/2", &["a.test/", "b.test/1"]),
    ("b.test/", &["b.test/1", "b.test/2"]),
    ("b.test/1", &["b.test/2", "a.test/"]),
    ("b.test/2", &["b.test/", "a.test/1"]),
    ("c.test/", &["c.test/1", "c.test/2"]),
    ("c.test/1", &["c.test/"]),
    ("c.test/2", &["c.test/1"]),
];
