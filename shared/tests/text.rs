//! The text of a report.

use shared::report::Unsearched;
use shared::{
    CrawlEnd, FetchError, Job, Ledger, Options, Page, Program, Report, UrlId,
};
use std::collections::HashMap;
use std::io::ErrorKind;
use std::time::Duration;
use url::Url;

fn url(path: &str) -> Url {
    Url::parse("http://site.test/").unwrap().join(path).unwrap()
}

fn html(size: u64, links: &[&str]) -> Page {
    Page {
        status: 200,
        content_type: Some("text/html".into()),
        encoding: Some("utf-8".into()),
        size: Some(size),
        links: links.iter().map(|link| url(link)).collect(),
        ..Page::default()
    }
}

fn missing() -> Page {
    Page {
        status: 404,
        content_type: Some("text/plain".into()),
        size: Some(9),
        ..Page::default()
    }
}

/// A small site: pages, a redirect, and some failures.
fn answer(path: &str) -> Result<Page, FetchError> {
    match path {
        "/" => {
            Ok(html(1234, &["/a", "/b", "/c", "/d", "/gone", "http://foreign.test/"]))
        }
        "/a" | "/b" | "/c" => Ok(html(99, &["/gone", "/dead"])),
        "/d" => Ok(Page { redirect: Some(Ok(url("/a"))), ..page(301) }),
        "/gone" => Ok(missing()),
        "/dead" => Err(FetchError::Network(ErrorKind::ConnectionRefused)),
        "/lost" => {
            Ok(Page { redirect: Some(Err("redirect without a Location")), ..page(302) })
        }
        "/esc" => Ok(Page {
            redirect: Some(Ok(url("http://foreign.test/\u{200d}"))),
            content_type: Some("a/\x1b".into()),
            ..page(302)
        }),
        _ => Ok(Page { status: 204, size: Some(0), ..Page::default() }),
    }
}

fn page(status: u16) -> Page {
    Page { status, ..Page::default() }
}

/// Crawls a site to its end.
fn crawl_of(
    roots: &[&str],
    answer: impl Fn(&str) -> Result<Page, FetchError>,
) -> Report {
    let program = Program::http_only("stage", "0.0.0");
    let options = Options::with_roots(roots.iter().map(|root| url(root)));
    let (mut ledger, mut todo) = Ledger::open(&options, &program);
    while let Some(mut job) = todo.pop() {
        let answer = answer(ledger.begin(&mut job).path());
        todo.extend(ledger.settle(job, answer));
    }
    ledger.close(CrawlEnd::Done)
}

fn crawl(roots: &[&str], ending: CrawlEnd, most: usize) -> Report {
    let program = Program { name: "stage", version: "0.0.0", speaks_https: false };
    let roots = roots.iter().map(|root| url(root));
    let options = Options { max_tries: 1, ..Options::with_roots(roots) };
    let (mut ledger, mut todo) = Ledger::open(&options, &program);
    let mut done: HashMap<UrlId, ()> = HashMap::new();
    while done.len() < most && !todo.is_empty() {
        let mut job: Job = todo.remove(0);
        assert_eq!(done.insert(job.id(), ()), None);
        let answer = answer(ledger.begin(&mut job).path());
        todo.extend(ledger.settle(job, answer));
    }
    let mut report = ledger.close(ending);
    report.summary.elapsed = Duration::from_micros(1_234_567);
    report
}

fn text(report: &Report) -> String {
    let mut out = Vec::new();
    report.write_text(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_person_reads_a_table_what_went_wrong_and_the_totals() {
    let report = crawl(&["/"], CrawlEnd::Done, usize::MAX);
    let expected = "\
status  type                     encoding         bytes  new/links  url
   200  text/html                utf-8             1234        5/6  http://site.test/
   200  text/html                utf-8               99        1/2  http://site.test/a
   200  text/html                utf-8               99        0/2  http://site.test/b
   200  text/html                utf-8               99        0/2  http://site.test/c
   301  redirect                                                    http://site.test/d -> http://site.test/a
     -  network-error                                               http://site.test/dead
   404  text/plain               -                    9          -  http://site.test/gone

What went wrong, and where it was found:
  http://site.test/dead
    network-error: connection refused
    found on http://site.test/a
    found on http://site.test/b
    found on http://site.test/c
  http://site.test/gone
    http-error: status 404
    found on http://site.test/
    found on http://site.test/a
    found on http://site.test/b
    and from 1 more page

4 ok, 1 redirect, 1 HTTP error, 1 other failure; 1540 bytes
Finished 7 urls in 1.235 secs (max_tasks=10, peak 1)
";
    assert_eq!(text(&report), expected);
}

/// If the order depended on the port, the URL on another port would come first.
#[test]
fn a_served_folder_is_told_by_paths_that_do_not_depend_on_its_port() {
    let mut report = crawl(&["/d", "/b"], CrawlEnd::Done, usize::MAX);
    report.origin = Some("http://site.test".into());
    let mut elsewhere = report.row("http://site.test/dead").unwrap().clone();
    elsewhere.url = "http://site.test:1/dead".into();
    for sorted_at in [0, report.rows.len()] {
        let mut report = report.clone();
        report.rows.insert(sorted_at, elsewhere.clone());
        let text = text(&report);
        let mut names = text.lines().filter_map(|line| line.get(68..));
        assert_eq!(names.next(), Some("url"), "{text}");
        let names: Vec<_> = names.collect();
        assert_eq!(
            names,
            ["/a", "/b", "/d -> /a", "/dead", "/gone", "http://site.test:1/dead"]
        );
        let told = "  /dead\n    network-error: connection refused\n    found on /a\n    \
                    found on /b\n";
        assert!(text.contains(told), "{text}");
    }
}

#[test]
fn a_failure_behind_redirects_names_the_link_as_the_page_has_it() {
    let moved =
        |target: &str| Ok(Page { redirect: Some(Ok(url(target))), ..page(301) });
    let report = crawl_of(&["/", "/start"], |path| match path {
        "/" => Ok(html(9, &["/sub/old?x", "/p", "/q"])),
        "/p" => Ok(html(9, &["/new"])),
        "/q" => Ok(html(9, &["http://www.site.test/old"])),
        "/sub/old" => moved("/mid"),
        "/old" | "/mid" => moved("/new"),
        "/start" => moved("/loop"),
        "/loop" => moved("/loop"),
        _ => Ok(missing()),
    });
    let mut out = Vec::new();
    report.write_failures(&mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    let expected = "\
What went wrong, and where it was found:
  http://site.test/loop
    too-many-redirects: a loop of redirects
    found on http://site.test/start, which leads to /loop
  http://site.test/new
    http-error: status 404
    found on http://site.test/ as /sub/old?x, which leads to /mid, /new
    found on http://site.test/p
    found on http://site.test/q as http://www.site.test/old, which leads to /new
  http://site.test/start
    too-many-redirects: a loop of redirects

3 ok";
    assert!(out.starts_with(expected), "{out}");
}

#[test]
fn where_nothing_went_wrong_nothing_is_said_about_it() {
    let expected = "\
status  type                     encoding         bytes  new/links  url
   204  -                        -                    0          -  http://site.test/empty

1 ok, 0 redirects, 0 HTTP errors, 0 other failures; 0 bytes
Finished 1 url in 1.235 secs (max_tasks=10, peak 1)
";
    assert_eq!(text(&crawl(&["/empty"], CrawlEnd::Done, 1)), expected);
}

#[test]
fn a_redirect_that_leads_nowhere_is_told_with_the_reason() {
    let expected = "\
status  type                     encoding         bytes  new/links  url
   302  -                        -                    -          -  http://site.test/lost

What went wrong, and where it was found:
  http://site.test/lost
    http-error: redirect without a Location

0 ok, 0 redirects, 1 HTTP error, 0 other failures; 0 bytes
Finished 1 url in 1.235 secs (max_tasks=10, peak 1)
";
    assert_eq!(text(&crawl(&["/lost"], CrawlEnd::Done, 1)), expected);
}

#[test]
fn a_failure_without_a_reason_is_told_too() {
    let mut report = crawl(&["/dead"], CrawlEnd::Done, 1);
    report.rows[0].error = None;
    let text = text(&report);
    assert!(text.contains("    network-error: no reason known\n"), "{text}");
}

#[test]
fn an_end_before_the_end_and_what_is_left_are_told() {
    for (end, cause) in
        [(CrawlEnd::Interrupted, "Interrupted"), (CrawlEnd::OutOfTime, "Out of time")]
    {
        let text = text(&crawl(&["/"], end, 1));
        let expected = format!(
            "
1 ok, 0 redirects, 0 HTTP errors, 0 other failures; 1234 bytes
{cause}: this is what was done until then.
5 URLs known and not fetched
Finished 1 url in 1.235 secs (max_tasks=10, peak 1)
"
        );
        assert!(text.ends_with(&expected), "{text}");
    }
}

#[test]
fn what_was_left_out_is_told_in_words() {
    let told = |excluded, [compressed, untyped, feeds]: [usize; 3]| {
        let mut report = crawl(&["/empty"], CrawlEnd::Done, 1);
        report.summary.excluded = excluded;
        report.summary.unsearched = Unsearched { compressed, untyped, feeds };
        let text = text(&report);
        let (_, end) = text.split_once("; 0 bytes\n").expect("the totals");
        end.split_once("Finished").expect("the last line").0.to_string()
    };
    for (excluded, unsearched, expected) in [
        (0, [0, 0, 0], ""),
        (1, [0, 0, 0], "1 URL excluded\n"),
        (0, [1, 0, 0], "1 page was not searched: 1 came compressed\n"),
        (
            3,
            [1, 1, 0],
            "3 URLs excluded; 2 pages were not searched: 1 came compressed, 1 without a \
             known Content-Type\n",
        ),
        (0, [0, 0, 1], "1 page was not searched: 1 feed or other XML\n"),
        (0, [0, 0, 2], "2 pages were not searched: 2 feeds or other XML\n"),
    ] {
        assert_eq!(told(excluded, unsearched), expected);
    }
}

#[test]
fn without_any_row_there_are_totals_still() {
    let report = crawl(&[], CrawlEnd::Done, 1);
    assert!(text(&report).contains("Finished 0 urls in"), "{}", text(&report));
}

#[test]
fn what_a_server_sends_is_shown_escaped() {
    let mut report = crawl(&["/esc", "/x"], CrawlEnd::Done, 2);
    report.rows[0].next_url = Some("http://foreign.test/\u{202e}".into());
    report.rows[1].content_type = Some("a/\x1b[2J".into());
    report.rows[1].encoding = Some("\u{9b}".into());
    let text = text(&report);
    assert!(text.contains("http://site.test/esc -> http://foreign.test/\\u{202e}"));
    assert!(text.contains("a/\\u{1b}[2J"), "{text}");
    assert!(text.contains("\\u{9b}"));
}
