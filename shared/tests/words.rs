//! The messages for failed fetches and for what a crawl leaves out. Other messages are
//! tested beside their subject: in `http/cases.rs`, `options.rs` and `url.rs`; those
//! of a whole program in `program.rs`.

use crate::ledger::site::{Crawl, options, page, path_of, redirect, url};
use FetchError::*;
use regex_lite::Regex;
use shared::error::describe;
use shared::page::fragments::Ids;
use shared::page::links::Invalid;
use shared::trace::WaitReason;
use shared::{CrawlEnd, FetchError, HttpError, Options, Page};
use std::io::{self, ErrorKind};
use std::time::Duration;

/// The system's error number of "too many open files".
const TOO_MANY_FILES: i32 = if cfg!(windows) { 10024 } else { 24 };
/// The system's error number of "no such file".
const NO_FILE: i32 = 2;

/// Returns the error in the report for a URL that failed.
fn told(error: FetchError) -> String {
    let mut crawl = Crawl::new(&Options { max_tries: 1, ..options(&["/"]) });
    crawl.answer("/", Err(error));
    let mut text = Vec::new();
    crawl.ledger.close(CrawlEnd::Done).write_failures(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    text.lines().nth(2).expect("the third line says why").trim_start().to_string()
}

#[test]
#[rustfmt::skip]
fn a_failed_fetch_is_told_in_words() {
    let name = || "site.test".to_string();
    for (error, words) in [
        (TimedOut(Duration::from_millis(1500)), "timeout: no whole answer within 1.5 s"),
        (NoSuchName(name()), "network-error: no address found for the name site.test"),
        (LookUpFailed(name()), "network-error: no name server gave an answer for the name site.test"),
        (Tls("why"), "network-error: no safe connection: why"),
        (NoTls("why"), "network-error: no safe connection: why"),
        (Certificate("why"), "network-error: no safe connection: why"),
        (HttpsNotSpoken, "unsupported: this stage speaks http only; https is for stage 3 (stage3-async)"),
        (HttpError::TooLarge { limit: 10 << 20 }.into(), "too-large: the body is longer than --max-body, 10 MiB"),
        (HttpError::TooLarge { limit: 3 << 10 }.into(), "too-large: the body is longer than --max-body, 3 KiB"),
        (HttpError::TooLarge { limit: 1025 }.into(), "too-large: the body is longer than --max-body, 1025 bytes"),
        (HttpError::TooLarge { limit: 1 }.into(), "too-large: the body is longer than --max-body, 1 byte"),
        (HttpError::Malformed("why").into(), "malformed: the answer is not valid HTTP/1: why"),
        (HttpError::Truncated.into(), "truncated: the server closed the connection in the middle of its answer"),
        (HttpError::ClosedBeforeResponse.into(), "truncated: the server closed the connection without an answer"),
    ] {
        assert_eq!(told(error), words);
    }
}

#[test]
#[rustfmt::skip]
fn a_network_error_is_told_in_words() {
    for (kind, words) in [
        (ErrorKind::ConnectionRefused, "connection refused"),
        (ErrorKind::ConnectionReset, "connection reset by the server"),
        (ErrorKind::ConnectionAborted, "connection aborted"),
        (ErrorKind::BrokenPipe, "the server hung up while it was being asked"),
        (ErrorKind::NotConnected, "the connection is gone"),
        (ErrorKind::HostUnreachable, "no way to the server's machine"),
        (ErrorKind::NetworkUnreachable, "no way to the server's network"),
        (ErrorKind::NetworkDown, "the network is down"),
        (ErrorKind::TimedOut, "the server's machine does not answer"),
        (ErrorKind::AddrNotAvailable, "no local port left, or no address of that kind"),
        (ErrorKind::WouldBlock, "nothing came in time"),
        (ErrorKind::PermissionDenied, "this machine forbids the connection"),
        (ErrorKind::Other, "the network failed"),
    ] {
        assert_eq!(told(io::Error::from(kind).into()), format!("network-error: {words}"));
    }
    assert_eq!(Interrupted.to_string(), "interrupted");
}

#[test]
fn an_error_of_the_system_is_told_in_our_words() {
    for (error, words) in [
        (io::Error::from_raw_os_error(NO_FILE), "no such file or folder"),
        (ErrorKind::NotADirectory.into(), "not a folder"),
        (io::Error::other("words of our own"), "words of our own"),
    ] {
        assert_eq!(describe(&error), words);
    }
}

/// If the system limits descriptors, the message contains the limit.
#[test]
fn a_lack_of_descriptors_is_told_in_words() {
    #[cfg(unix)]
    let limit =
        format!(" (`ulimit -n` is {})", rlimit::Resource::NOFILE.get_soft().unwrap());
    #[cfg(not(unix))]
    let limit = "";
    let error = || io::Error::from_raw_os_error(TOO_MANY_FILES);
    let sockets = format!("network-error: out of sockets on this machine{limit}");
    assert_eq!(told(error().into()), sockets);
    assert_eq!(describe(&error()), format!("out of descriptors{limit}"));
}

#[test]
fn what_a_task_waits_for_is_told_in_words() {
    for (reason, words) in [
        (WaitReason::Socket, "its socket"),
        (WaitReason::Readable, "its socket to be readable"),
        (WaitReason::Writable, "its socket to be writable"),
        (WaitReason::Turn, "its turn"),
        (WaitReason::Timer, "a timer"),
        (WaitReason::Named("a look-up"), "a look-up"),
    ] {
        assert_eq!(reason.to_string(), words);
    }
}

/// Returns the warnings of a crawl from `/`. `answer` returns the page at a path.
fn warnings(options: &Options, answer: impl Fn(&str) -> Page) -> Vec<String> {
    let mut crawl = Crawl::new(options);
    while let Some(path) = crawl.open.first().map(path_of) {
        crawl.answer(&path, Ok(answer(&path)));
    }
    crawl.close().warnings
}

/// A page of this type that was not searched for links.
fn unsearched(kind: &str, coding: Option<&str>) -> Page {
    let (content_type, coding) = (Some(kind.to_string()), coding.map(Into::into));
    Page { content_type, coding, encoding: None, ..page(&[]) }
}

#[test]
#[rustfmt::skip]
fn pages_that_were_not_searched_are_told_in_words() {
    let zipped = || unsearched("text/html", Some("gzip"));
    let feed = || unsearched("text/xml", None);
    let linking = page;
    for (links, page, words) in [
        (&["/a"][..], zipped(), "a page came compressed and was not searched: http://site.test/a"),
        (&["/b", "/a"], zipped(), "2 pages came compressed and were not searched, http://site.test/a for one"),
        (&["/a"], feed(), "XML was not searched for links: http://site.test/a"),
        (&["/b", "/a"], feed(), "2 feeds or other XML were not searched for links, http://site.test/a for one"),
    ] {
        let answer = |path: &str| if path == "/" { linking(links) } else { page.clone() };
        assert_eq!(warnings(&options(&["/"]), answer), [words]);
    }
}

#[test]
#[rustfmt::skip]
fn what_a_crawl_leaves_out_is_told_in_words() {
    let root = || options(&["/"]);
    let exclude = vec![Regex::new("private").unwrap()];
    let ids = |page: Page| Page {
        ids: Some(Ids::default()),
        fragments: vec![(url("/"), "x".repeat(2 << 20))],
        ..page
    };
    for (options, page, words) in [
        (Options { exclude, ..root() }, redirect("/private"),
         "the root leads to a URL that --exclude matches: http://site.test/private"),
        (Options { external: true, ..root() }, page(&["https://foreign.test/"]),
         "links to https were not checked: this stage speaks http only; stage 3 (stage3-async) checks them"),
        (Options { fragments: true, max_fragments: 1 << 20, ..root() }, ids(page(&[])),
         "the ids and fragments take more than 1 MiB: none was checked"),
    ] {
        assert_eq!(warnings(&options, |_| page.clone()), [words]);
    }
}

#[test]
#[rustfmt::skip]
fn pages_whose_links_have_no_room_are_told_in_words() {
    for (links, words) in [
        (&["/a"][..], "the links of a page take too much memory for the page's length, \
                       so some of them were ignored: http://site.test/a"),
        (&["/b", "/a"], "the links of 2 pages take too much memory for the page's length, \
                         so some of them were ignored: of http://site.test/a for one"),
    ] {
        let cut = Page { is_cut: true, ..page(&[]) };
        let answer = |path: &str| if path == "/" { page(links) } else { cut.clone() };
        assert_eq!(warnings(&options(&["/"]), answer), [words]);
    }
}

#[test]
fn a_warning_names_no_more_of_a_long_url_than_a_person_can_read() {
    let long = format!("/{}", "x".repeat(16_000));
    let cut = || Page { is_cut: true, ..page(&[]) };
    let answer = |path: &str| if path == "/" { page(&[&long]) } else { cut() };
    let told = &warnings(&options(&["/"]), answer)[0];
    assert!(told.len() < 400 && told.ends_with("x… (16017 bytes)"), "{told}");
}

#[test]
fn of_very_many_failures_only_some_pages_are_listed() {
    let invalid: Vec<_> = (0..10_000)
        .map(|number| Invalid { text: format!("http://{number}:x"), error: None })
        .collect();
    let paths: Vec<String> = (0..101).map(|number| format!("/{number}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let told =
        warnings(&options(&paths), |_| Page { invalid: invalid.clone(), ..page(&[]) });
    assert_eq!(told, ["too many links are broken: only 100 pages are listed for each"]);
}
