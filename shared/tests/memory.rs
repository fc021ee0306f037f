//! What the ledger takes for the URLs that it knows: bytes counted by the allocator.

use shared::{CrawlEnd, Job, Ledger, Options, Page, Program};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use url::Url;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const PROGRAM: Program = Program::http_only("a-test", "1");

fn page(links: Vec<Url>) -> Page {
    Page { status: 200, size: Some(1), links, ..Page::default() }
}

/// Crawls a root with `links`, and returns the bytes that are held for each of them: while
/// they are all queued, once they are all settled, and in the report.
fn bytes_per_url(links: &[Url]) -> [usize; 3] {
    let root = Url::parse("http://site.test/").unwrap();
    let options = Options { links: false, ..Options::with_roots([root]) };
    let (mut ledger, mut roots) = Ledger::open(&options, &PROGRAM);
    let mut root = roots.remove(0);
    ledger.begin(&mut root);
    let region = Region::new(ALLOCATOR);
    let held = |region: &Region<'_, System>| {
        let change = region.change();
        let bytes = change.bytes_allocated - change.bytes_deallocated;
        usize::try_from(bytes as isize + change.bytes_reallocated).unwrap()
            / links.len()
    };
    let page_of_links = page(links.to_vec());
    let jobs: Vec<Job> = ledger.settle(root, Ok(page_of_links));
    assert_eq!(jobs.len(), links.len());
    let while_queued = held(&region);
    for mut job in jobs {
        ledger.begin(&mut job);
        ledger.settle(job, Ok(page(Vec::new())));
    }
    let once_settled = held(&region);
    let report = ledger.close(CrawlEnd::Done);
    assert_eq!(report.rows.len(), links.len() + 1);
    [while_queued, once_settled, held(&region)]
}

/// The table, the job and the row: what a URL takes besides its text.
const BESIDES: usize = 1_024;

#[test]
fn the_text_of_a_url_is_stored_once_from_its_discovery_to_the_report() {
    for length in [20, 2_000, 16_000] {
        let name = |number| format!("http://site.test/{number:0>length$}");
        let links: Vec<Url> =
            (0..200).map(|number| Url::parse(&name(number)).unwrap()).collect();
        let text = links[0].as_str().len();
        for bytes in bytes_per_url(&links) {
            println!("{bytes} bytes for a URL of {text}");
            assert!(bytes < text + BESIDES, "{bytes} bytes for a URL of {text}");
        }
    }
}
