//! How much memory the data of a server takes, counted by the allocator.

use shared::page::links::{FEW_LINKS, LINKS_PER_BYTE};
use shared::page::{links::Extract, url::MAX_URL};
use shared::{
    CrawlEnd, FetchError, Job, Ledger, Options, Page, Program, ResponseParser,
};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use url::Url;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Held by each test, since a test counts the allocations of the whole process.
static ALONE: Mutex<()> = Mutex::new(());

const PROGRAM: Program = Program::http_only("a-test", "1");

fn page(links: Vec<Url>) -> Page {
    Page { status: 200, size: Some(1), links, ..Page::default() }
}

/// Returns how many bytes were allocated in this region and are not freed.
fn held(region: &Region<'_, System>) -> usize {
    let change = region.change();
    // These numbers include what `realloc` adds or takes away.
    change.bytes_allocated.saturating_sub(change.bytes_deallocated)
}

/// Returns how often `work` allocates.
fn allocations<T>(work: impl FnOnce() -> T) -> usize {
    let region = Region::new(ALLOCATOR);
    let result = work();
    let count = region.change().allocations;
    drop(result);
    count
}

#[test]
fn an_attempt_makes_no_name_of_its_server() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let root = Url::parse("http://site.test:8080/page").unwrap();
    let (mut ledger, mut jobs) = Ledger::open(&Options::with_roots([root]), &PROGRAM);
    let mut job = jobs.remove(0);
    let parsed = allocations(|| Url::parse(&job.url));
    assert_eq!(allocations(|| ledger.begin(&mut job)), parsed);
    assert_eq!(allocations(|| ledger.settle(job, Err(FetchError::Interrupted))), 0);
}

/// Crawls a root with `links`. Returns how many bytes each of them takes: when all are
/// queued, when all are settled, and in the report.
fn bytes_per_url(links: &[Url]) -> [usize; 3] {
    let root = Url::parse("http://site.test/").unwrap();
    let options = Options { links: false, ..Options::with_roots([root]) };
    let (mut ledger, mut roots) = Ledger::open(&options, &PROGRAM);
    let mut root = roots.remove(0);
    ledger.begin(&mut root);
    let region = Region::new(ALLOCATOR);
    let held = |region: &Region<'_, System>| held(region) / links.len();
    let page_of_links = page(links.to_vec());
    let jobs: Vec<Job> = ledger.settle(root, Ok(page_of_links)).jobs;
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

/// The most bytes of a URL besides its text: the entry in the table, the job, the row.
const BESIDES: usize = 1_024;

#[test]
fn the_text_of_a_url_is_stored_once_from_its_discovery_to_the_report() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
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

/// Parses this text as the page at this URL, and extracts everything.
fn searched(url: &Url, html: &str) -> Page {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length:";
    let bytes = format!("{head} {}\r\n\r\n{html}", html.len());
    let response = ResponseParser::with_limit(10 << 20).feed(bytes.as_bytes()).unwrap();
    let extract = Extract { fragments: true, resources: true };
    Page::parse(url, response.expect("it is whole"), extract)
}

/// Each URL contains the base, or the URL of the page, once more. A list that grows
/// may have twice the capacity that it needs.
#[test]
fn what_a_page_becomes_follows_its_length() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let long = format!("http://site.test/{}/", "x".repeat(MAX_URL - 100));
    for count in [0, 4, 100, 4_100] {
        for link in [
            "<a href=NUMBER>",
            "<a href=../NUMBER>",
            "<a href=#NUMBER>",
            "<img src=NUMBER>",
            "<a href=NUMBER#a>",
        ] {
            let links: String = (0..count)
                .map(|number| link.replace("NUMBER", &number.to_string()))
                .collect();
            for (url, html) in [
                (&*long, links.clone()),
                ("http://site.test/", format!("<base href={long}>{links}")),
            ] {
                let url = Url::parse(url).unwrap();
                let region = Region::new(ALLOCATOR);
                let page = searched(&url, &html);
                let bytes = held(&region);
                let lists = 2 * size_of::<Url>() * count;
                let most = FEW_LINKS + LINKS_PER_BYTE * html.len() + lists;
                assert!(bytes <= most, "{bytes} bytes of {count} {link}");
                drop(page);
            }
        }
    }
}

/// With `--links`: each page has different links to another site.
#[test]
fn links_that_do_not_belong_to_the_crawl_are_listed_while_there_is_room() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let roots = (0..20).map(|n| Url::parse(&format!("http://site.test/{n}")).unwrap());
    let max_known = 1 << 20;
    let options = Options { links: true, max_known, ..Options::with_roots(roots) };
    let listed = |length: usize| {
        let (mut ledger, jobs) = Ledger::open(&options, &PROGRAM);
        let region = Region::new(ALLOCATOR);
        for mut job in jobs {
            let page_url = ledger.begin(&mut job);
            let long = "x".repeat(length);
            let foreign =
                (0..10).map(|n| format!("http://a.test{}/{n}{long}", page_url.path()));
            let own = "http://site.test/0".to_string();
            let links = foreign.chain([own]).map(|url| Url::parse(&url).unwrap());
            ledger.settle(job, Ok(page(links.collect())));
        }
        let held = held(&region);
        let report = ledger.close(CrawlEnd::Done);
        let counts: Vec<usize> =
            report.rows.iter().flat_map(|row| &row.links).map(Vec::len).collect();
        (held, counts, report.warnings)
    };
    assert_eq!(listed(100).1, [11; 20]);
    let (held, counts, warnings) = listed(16_000);
    assert!(held < max_known / 2, "{held} bytes");
    assert_eq!(counts, [1; 20], "whichever page came first");
    let told = "the links that do not belong to the crawl take more than 0 MiB: none of \
                them is listed";
    assert_eq!(warnings.last().unwrap(), told);
}

/// For any pages, the crawl ends before it has fetched all of them.
#[test]
fn the_known_urls_take_no_more_than_their_limit_with_their_jobs_and_rows() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    const LIMIT: usize = 4 << 20;
    let root = || Url::parse("http://site.test/").unwrap();
    for (length, redirects) in [(1, false), (1, true), (16_000, false), (16_000, true)]
    {
        let long = "x".repeat(length);
        let mut number = 0;
        let mut url = || {
            number += 1;
            Url::parse(&format!("http://site.test/{number}{long}")).unwrap()
        };
        let options = Options::with_roots([root()]);
        let options = Options { max_known: LIMIT, max_redirect: 1_000, ..options };
        let (mut ledger, jobs) = Ledger::open(&options, &PROGRAM);
        let mut jobs: VecDeque<Job> = jobs.into();
        let region = Region::new(ALLOCATOR);
        let mut peak = 0;
        while let Some(mut job) = jobs.pop_front() {
            let at = ledger.begin(&mut job);
            let next = match redirects && at != root() {
                true => {
                    Page { status: 302, redirect: Some(Ok(url())), ..Page::default() }
                }
                false => page((0..50).map(|_| url()).collect()),
            };
            jobs.extend(ledger.settle(job, Ok(next)));
            peak = peak.max(held(&region));
        }
        let report = ledger.close(CrawlEnd::Done);
        let held = held(&region);
        assert!(!report.summary.complete);
        println!("{peak} bytes, then {held}; {} rows", report.rows.len());
        assert!(peak.max(held) <= LIMIT * 5 / 4, "{peak}, then {held}: {length}");
    }
}

/// Each URL of the loop fails, and a link to one of them leads to all of them.
#[test]
fn a_link_to_a_loop_of_redirects_is_not_listed_for_each_of_them() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    const LOOP: usize = 12_000;
    const PAGES: usize = 100;
    const LISTED: usize = 1_000_000;
    let url = |path: String| Url::parse(&format!("http://site.test/{path}")).unwrap();
    let redirects: Vec<Url> = (0..LOOP).map(|it| url(format!("loop{it}"))).collect();
    let mut links: Vec<Url> = (0..PAGES).map(|it| url(format!("page{it}"))).collect();
    links.extend(redirects.iter().cloned());
    let options = Options::with_roots([url(String::new())]);
    let (mut ledger, mut jobs) = Ledger::open(&options, &PROGRAM);
    while let Some(mut job) = jobs.pop() {
        let at = ledger.begin(&mut job);
        let result = match at.path().strip_prefix("/loop").map(str::parse::<usize>) {
            Some(number) => {
                let next = redirects[(number.unwrap() + 1) % LOOP].clone();
                Page { status: 302, redirect: Some(Ok(next)), ..Page::default() }
            }
            None if at.path() == "/" => page(links.clone()),
            None => page(vec![redirects[0].clone()]),
        };
        jobs.extend(ledger.settle(job, Ok(result)));
    }
    let report = ledger.close(CrawlEnd::Done);
    let listed: usize = report.rows.iter().map(|row| row.found_on.len()).sum();
    assert!(listed <= LISTED + report.rows.len(), "{listed}");
    assert!(report.row("http://site.test/loop0").unwrap().found_on.len() == 100);
    let told = "too many links are broken: only 100 pages are listed for each";
    assert!(report.warnings.iter().any(|warning| warning == told));
}

/// Counts the bytes that are written, and the longest piece.
#[derive(Default)]
struct Counted {
    bytes: usize,
    longest: usize,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len();
        self.longest = self.longest.max(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_row_that_names_very_many_pages_is_written_piece_by_piece() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let url = |path: String| Url::parse(&format!("http://site.test/{path}")).unwrap();
    let options = Options { links: true, ..Options::with_roots([url(String::new())]) };
    let (mut ledger, mut jobs) = Ledger::open(&options, &PROGRAM);
    let mut job = jobs.pop().unwrap();
    ledger.begin(&mut job);
    let links = (0..10_000).map(|it| url(format!("{it}{}", "x".repeat(100)))).collect();
    ledger.settle(job, Ok(page(links)));
    let report = ledger.close(CrawlEnd::Interrupted);
    let mut written = Counted::default();
    report.write_json_lines(&mut written).unwrap();
    assert!(written.bytes > 1 << 20 && written.longest < 200, "{}", written.longest);
}
